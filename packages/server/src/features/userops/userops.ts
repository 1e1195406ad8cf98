import type { UserOpStatus } from '@symbolon/api'
import type { Hex } from '@symbolon/networks/evm'
import type { Sql } from '../../db/pool.ts'
import { type Failure, failure } from '../../runtime/failure.ts'
import { wokenPeriodMs } from '../../runtime/poller.ts'
import type { CallingUser } from './build-userop.ts'
import { userOpStatus } from './userop-status.ts'
import { useropsStore } from './userops.store.ts'

/**
 * Times that tests shorten: how long a submit waits for the chain, after how long an operation is sent again, how often the
 * worker looks at a chain though nobody wakes it.
 */
export type UserOpTimes = { waitMs: number; resendSeconds: number; roundMs: number }

/** The times of production. The heartbeat wakes the worker once a second while there is an operation to follow. */
export const usualTimes: UserOpTimes = { waitMs: 30_000, resendSeconds: 30, roundMs: wokenPeriodMs }

/** The status of an operation that the user has submitted, as the database knows it: no node is asked. */
export async function readOperation(
  sql: Sql,
  { organization, identity }: CallingUser,
  hash: Hex,
): Promise<UserOpStatus | Failure<'not_found'>> {
  const row = await useropsStore.byHash(sql, organization.id, identity.id, hash)
  return (row && userOpStatus(row)) ?? failure('not_found')
}

/** Ends an operation of the user that was built and not submitted: what was reserved for its gas is free again. */
export async function giveUpOperation(
  sql: Sql,
  { organization, identity }: CallingUser,
  hash: Hex,
): Promise<void> {
  const row = await useropsStore.byHash(sql, organization.id, identity.id, hash)
  if (row !== undefined) await useropsStore.expire(sql, row.id)
}
