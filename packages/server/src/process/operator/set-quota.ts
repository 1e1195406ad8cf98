import { userSignsPerMinute as bounds, Id } from '@symbolon/api'
import { openPool, type Sql } from '../../db/pool.ts'
import { OperatorError } from './operator-failure.ts'
import { type InstallationQuotas, type QuotaChange, type Quotas, quotasStore } from './quotas.store.ts'

/**
 * Reads the quotas of an organization, and first sets those that are given. Processes that run follow with the next request. Throws an
 * `OperatorError` where there is no such organization; the figures must pass `isUserSignsPerMinute` and `isSponsoredGasEurPerMonth`.
 */
export async function setQuota(
  databaseUrl: string,
  organizationId: string,
  change: QuotaChange,
): Promise<Quotas> {
  const absent = `There is no organization ${organizationId}.`
  if (!Id.safeParse(organizationId).success) throw new OperatorError(absent)
  const isRead = Object.values(change).every((figure) => figure === undefined)
  const quotas = await connected(databaseUrl, (sql) =>
    isRead ? quotasStore.find(sql, organizationId) : quotasStore.change(sql, organizationId, change),
  )
  if (quotas === undefined) throw new OperatorError(absent)
  return quotas
}

/**
 * Reads what all organizations of the installation may use together, and first sets the sponsored gas where it is given (whole EUR per
 * calendar month, UTC; it must pass `isSponsoredGasEurPerMonth`). Processes that run follow with the next build of an operation.
 */
export const setInstallationQuota = (
  databaseUrl: string,
  sponsoredGasEurPerMonth?: number,
): Promise<InstallationQuotas> =>
  connected(databaseUrl, (sql) => quotasStore.installation(sql, sponsoredGasEurPerMonth))

async function connected<result>(databaseUrl: string, work: (sql: Sql) => Promise<result>): Promise<result> {
  const sql = openPool(databaseUrl, { connectionsMax: 1, isPatient: true })
  try {
    return await work(sql)
  } finally {
    await sql.end({ timeout: 5 })
  }
}

/** Whether a figure is within the bounds of the signatures a minute. */
export const isUserSignsPerMinute = (figure: number): boolean =>
  Number.isInteger(figure) && figure >= bounds.min && figure <= bounds.max

/** Whether a figure is one for the sponsored gas of an organization, or of the installation: whole EUR a month, 0 for none. */
export const isSponsoredGasEurPerMonth = (figure: number): boolean =>
  Number.isInteger(figure) && figure >= 0 && figure <= 10_000_000
