import { useCallback, useEffect, useRef, useState } from 'react'
import type { Client } from '../client/client.ts'
import type { SdkError } from '../result.ts'
import { useSymbolon } from './symbolon-provider.ts'

type AnyResult = { readonly data: unknown; readonly error: SdkError | null }

/** A call of the client and its progress: `run` resolves with its result and never rejects. */
export type Action<input extends readonly unknown[], result extends AnyResult> = {
  readonly run: (...input: input) => Promise<result>
  readonly data: result['data'] | null
  readonly error: SdkError | null
  readonly isPending: boolean
}

type State = { readonly data: unknown; readonly error: SdkError | null; readonly isPending: boolean }

const idle: State = { data: null, error: null, isPending: false }

/** Follows the latest call of a client's method; `pick` chooses the method, such as `(client) => client.recovery.run`. */
export function useAction<input extends readonly unknown[], result extends AnyResult>(
  pick: (client: Client) => (...input: input) => Promise<result>,
): Action<input, result> {
  const client = useSymbolon()
  const act = pick(client)
  const latest = useRef(0)
  const [state, setState] = useState<State>(idle)

  const run = useCallback(
    async (...input: input) => {
      latest.current += 1
      const mine = latest.current
      setState({ ...idle, isPending: true })
      const result = await act(...input)
      if (mine === latest.current) setState({ data: result.data, error: result.error, isPending: false })
      return result
    },
    [act],
  )
  useEffect(
    () => () => {
      latest.current += 1
    },
    [],
  )

  return { ...(state as Omit<Action<input, result>, 'run'>), run }
}
