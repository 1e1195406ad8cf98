import type { SdkError } from '@symbolon/sdk'
import { useRef, useState } from 'react'
import { type Outcome, useCallLog } from './call-log.ts'

/** A button's work: one at a time, its last result, and its error until the next try. */
export type Action<data> = {
  isRunning: boolean
  data: data | undefined
  error: SdkError | undefined
  /** Makes a call and logs it as `code`; resolves with its result, or undefined while an earlier call still runs. */
  run(code: string, work: () => Promise<Outcome<data>>): Promise<Outcome<data> | undefined>
  clear(): void
}

/** State for one kind of call. An error belongs to its `time` and disappears when that changes. */
export function useLoggedAction<data>(time?: number): Action<data> {
  const [state, setState] = useState<
    Pick<Action<data>, 'isRunning' | 'data' | 'error'> & { time?: number | undefined }
  >({
    isRunning: false,
    data: undefined,
    error: undefined,
  })
  const isBusy = useRef(false)
  const log = useCallLog()
  return {
    ...state,
    error: state.time === time ? state.error : undefined,
    clear: () => setState({ isRunning: false, data: undefined, error: undefined }),
    async run(code, work) {
      if (isBusy.current) return undefined
      isBusy.current = true
      setState((former) => ({ ...former, isRunning: true, error: undefined }))
      try {
        const result = await log.run(code, work)
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
