import type { SdkError } from '@symbolon/sdk'
import { useRef, useState } from 'react'
import { logged, type Outcome } from './call-log.ts'

/** A button's work: one at a time, its last result, and its error until the next try. */
export type Action<data> = {
  isRunning: boolean
  data: data | undefined
  error: SdkError | undefined
  /** Does a call and logs it as `code`; answers its result, undefined while the call before still runs. */
  run(code: string, work: () => Promise<Outcome<data>>): Promise<Outcome<data> | undefined>
  clear(): void
}

/** State for one kind of call. An error is of its `time` only: when that is another one, it is over. */
export function useLoggedAction<data>(time?: number): Action<data> {
  const [state, setState] = useState<
    Pick<Action<data>, 'isRunning' | 'data' | 'error'> & { time?: number | undefined }
  >({
    isRunning: false,
    data: undefined,
    error: undefined,
  })
  const isBusy = useRef(false)
  return {
    ...state,
    error: state.time === time ? state.error : undefined,
    clear: () => setState({ isRunning: false, data: undefined, error: undefined }),
    async run(code, work) {
      if (isBusy.current) return undefined
      isBusy.current = true
      setState((former) => ({ ...former, isRunning: true, error: undefined }))
      try {
        const result = await logged(code, work)
        const { data, error } = result
        setState({
          isRunning: false,
          data: error === null ? data : undefined,
          error: error ?? undefined,
          time,
        })
        return result
      } finally {
        isBusy.current = false
      }
    },
  }
}
