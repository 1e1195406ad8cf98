import type { BuiltUserOp, UserOpStatus } from '../generated/answers.ts'
import type { BuildUserOp, SubmitUserOp } from '../generated/requests.ts'
import { failure, type Result } from '../result.ts'
import type { ApiCode, Context, WalletCode } from './context.ts'
import type { Sign } from './sign.ts'

type Sent = Result<
  UserOpStatus,
  | ApiCode<'POST /v1/userop/build'>
  | WalletCode<'POST /v1/wallets/me/sign'>
  | ApiCode<'POST /v1/userop/submit'>
>

/** Operations of the user's smart accounts, gas sponsored within the organization's budget. */
export type UserOps = {
  /** Stores a half-built operation; the owner signs its hash. */
  build(operation: BuildUserOp): Promise<Result<BuiltUserOp, ApiCode<'POST /v1/userop/build'>>>
  /** Sends a built operation; waits up to 30 s for it to land. */
  submit(operation: SubmitUserOp): Promise<Result<UserOpStatus, ApiCode<'POST /v1/userop/submit'>>>
  get(userOpHash: string): Promise<Result<UserOpStatus, ApiCode<'GET /v1/userop/{hash}'>>>
  /** Builds, signs and submits. */
  send(operation: Pick<BuildUserOp, 'chain' | 'calls'>): Promise<Sent>
  /** Asks until the operation is `confirmed` or `failed`; `timeout` after `limitMs` (default 2 min). */
  wait(
    userOpHash: string,
    options?: { readonly limitMs?: number; readonly signal?: AbortSignal },
  ): Promise<Result<UserOpStatus, ApiCode<'GET /v1/userop/{hash}'>>>
}

const pollMs = 2_000

/** The operations of a client. */
export function userOps({ call, frame, mode, now }: Context, sign: Sign): UserOps {
  const build: UserOps['build'] = (body) => call('POST /v1/userop/build', { body })
  const submit: UserOps['submit'] = (body) => call('POST /v1/userop/submit', { body })
  const get: UserOps['get'] = (hash) => call('GET /v1/userop/{hash}', { params: { hash } })
  return {
    build,
    submit,
    get,
    async send({ chain, calls }) {
      const signing = await mode()
      if (signing.error !== null) return signing
      if (signing.data === 'client') return (await frame.request('userop.send', { chain, calls })) as Sent
      const built = await build({ chain, calls, check_funds: true })
      if (built.error !== null) return built
      const { user_op_hash } = built.data
      const signed = await sign.userOperation(user_op_hash, { chain })
      if (signed.error !== null) return signed
      return submit({ user_op_hash, signature: signed.data.signature ?? '0x' })
    },
    async wait(userOpHash, { limitMs = 120_000, signal } = {}) {
      const endsAt = now() + limitMs
      for (;;) {
        const status = await get(userOpHash)
        if (status.error !== null || status.data.status !== 'submitted') return status
        if (signal?.aborted) return failure('cancelled', 'The call was cancelled.')
        if (now() + pollMs > endsAt) return failure('timeout', 'The operation has not landed yet.')
        await new Promise((resolve) => setTimeout(resolve, pollMs))
      }
    },
  }
}
