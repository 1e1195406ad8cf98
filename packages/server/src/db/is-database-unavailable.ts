/** Whether a migration has changed what a prepared statement answers; it was refused before it ran. */
export const isStalePlan = (error: unknown) =>
  error instanceof Error && 'routine' in error && error.routine === 'RevalidateCachedQuery'

const connectionCodes = new Set(['CONNECTION_CLOSED', 'CONNECTION_ENDED', 'CONNECT_FAILED'])

/** Whether the error means that the database cannot serve now: lost or refused connection, shutdown, overload, time limit. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (isStalePlan(error)) return true
  if (!(error instanceof Error) || !('code' in error)) return false
  const code = String(error.code)
  // SQLSTATE classes: 08 connection, 53 resources, 57 operator intervention; 25006 is a standby, 40P01 and 55P03 locks.
  return connectionCodes.has(code) || /^(08|53|57)...$|^(25006|40001|40P01|55P03)$/.test(code)
}

/** Whether the error means that the database is out of reach: not overload, locks or time limits of one statement. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  const code = String(error.code)
  return connectionCodes.has(code) || /^08...$|^57P0[1235]$/.test(code)
}
