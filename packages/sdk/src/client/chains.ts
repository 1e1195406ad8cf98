import type { Chains as ChainList } from '../generated/answers.ts'
import { type Result, success } from '../result.ts'
import type { ApiCode, Context } from './context.ts'

/** The chains of the platform. */
export type Chains = {
  /** Every chain handle with its meaning; `rpc` and `bundler` say whether this platform reaches them. */
  list(): Promise<Result<ChainList['items'], ApiCode<'GET /v1/chains'>>>
}

/** The chains as the platform lists them, asked once. */
export function chains({ call }: Pick<Context, 'call'>): Chains {
  let known: ReturnType<Chains['list']> | undefined
  const ask = async (): ReturnType<Chains['list']> => {
    const result = await call('GET /v1/chains', {})
    if (result.error === null) return success(result.data.items)
    known = undefined
    return result
  }
  return {
    list: () => {
      known ??= ask()
      return known
    },
  }
}
