import { userSignsPerMinute as bounds, Id } from '@symbolon/api'
import { openPool } from '../../db/pool.ts'
import { OperatorError } from './operator-failure.ts'
import { type Quotas, quotasStore } from './quotas.store.ts'

/**
 * Reads the quotas of an organization, and first sets those that are given. Processes that run follow with the next request. Throws an
 * `OperatorError` where there is no such organization; `userSignsPerMinute` must pass `isUserSignsPerMinute`.
 */
export async function setQuota(
  databaseUrl: string,
  organizationId: string,
  { userSignsPerMinute }: { userSignsPerMinute?: number },
): Promise<Quotas> {
  const absent = `There is no organization ${organizationId}.`
  if (!Id.safeParse(organizationId).success) throw new OperatorError(absent)
  const sql = openPool(databaseUrl, { connectionsMax: 1, isPatient: true })
  try {
    const quotas = await (userSignsPerMinute === undefined
      ? quotasStore.find(sql, organizationId)
      : quotasStore.setUserSigns(sql, organizationId, userSignsPerMinute))
    if (quotas === undefined) throw new OperatorError(absent)
    return quotas
  } finally {
    await sql.end({ timeout: 5 })
  }
}

/** Whether a figure is within the bounds of the signatures a minute. */
export const isUserSignsPerMinute = (figure: number): boolean =>
  Number.isInteger(figure) && figure >= bounds.min && figure <= bounds.max
