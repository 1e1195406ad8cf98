/** The waits before each retry, in milliseconds (decisions: outbound calls). The first try is at once. */
export const retryDelaysMs: readonly number[] = [
  5_000,
  5 * 60_000,
  30 * 60_000,
  2 * 3_600_000,
  5 * 3_600_000,
  10 * 3_600_000,
  14 * 3_600_000,
  20 * 3_600_000,
  24 * 3_600_000,
]

const jitterShare = 0.1
// An email that expires in minutes would miss its reader by the schedule: it is tried more often, until it expires.
const expiringDelayMaxMs = 20_000

/**
 * The wait after the `attempts`-th try failed, up to a tenth longer (`random` is in 0..1) so that those who failed together
 * do not come back together; `undefined` when there is no further try.
 */
export function retryDelayMs(
  attempts: number,
  options: { isExpiring: boolean; random: number },
): number | undefined {
  const scheduled = retryDelaysMs[attempts - 1]
  const delayMs = options.isExpiring
    ? Math.min(scheduled ?? expiringDelayMaxMs, expiringDelayMaxMs)
    : scheduled
  return delayMs === undefined ? undefined : Math.round(delayMs * (1 + jitterShare * options.random))
}
