import { ApiError } from '@symbolon/api'
import type { Log } from '../ports/log.ts'

/** Marks, in an error's `detail`, that the caller's organization has too much work waiting, and nothing is broken. */
export const busy = { isBusy: true } as const

const busyEveryMs = 60_000

/** Writes what became of a request that was not served. */
export type LogFailure = (
  thrown: unknown,
  answered: ApiError,
  fields: Record<string, unknown> & { group: string | undefined },
) => void

/** Failures are errors, refusals are not; those of a busy organization are one warning a minute, since it decides how many there are. */
export function logFailure(log: Log, nowMs: () => number = () => performance.now()): LogFailure {
  let saidBusyAtMs = Number.NEGATIVE_INFINITY
  return (thrown, { status, detail }, { group, ...about }) => {
    const fields = { ...about, detail }
    const isBusy = detail?.['isBusy'] === true
    if (isBusy && nowMs() - saidBusyAtMs >= busyEveryMs) {
      saidBusyAtMs = nowMs()
      log.warn({ ...fields, group }, 'an organization sends more than its share: some of it is refused')
      return
    }
    if (status < 500 || isBusy) return log.debug(fields, 'refused')
    // The stack of an answer that says why leads to nothing but the answer.
    const isExplained =
      thrown instanceof ApiError && thrown.detail !== undefined && thrown.cause === undefined
    log.error(isExplained ? fields : { ...fields, err: thrown }, 'answered with a failure')
  }
}
