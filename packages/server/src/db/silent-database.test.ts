import { expect, test } from 'vitest'
import { decisionsStore } from '../features/agents/signing/decisions.store.ts'
import { apiKeysStore } from '../features/api-keys/api-keys.store.ts'
import { auditStore } from '../features/audit/audit.store.ts'
import { mailedCodesStore } from '../features/mailed-codes/mailed-codes.store.ts'
import { budgetsStore } from '../features/spending/budgets/budgets.store.ts'
import { broadcastsStore } from '../features/transactions/broadcast/broadcasts.store.ts'
import { nonceLeasesStore } from '../features/transactions/nonces/nonce-leases.store.ts'
import { rewrapStore } from '../features/wallets/rotation/rewrap.store.ts'
import type { Queryable } from './pool.ts'

/** A connection that answers with these rows, whatever it is asked. */
const answering = (rows: object[]) =>
  Object.assign(async () => rows, { unsafe: () => '', identifier: () => '' }) as unknown as Queryable

const id = '018f0000-0000-7000-8000-000000000000'
const broadcast = {
  id,
  organizationId: id,
  walletId: id,
  userIdentityId: id,
  chain: 'base',
  txHash: '0x',
  rawTx: new Uint8Array(1),
}
const subject = { place: 'recovery', where: () => '' } as never

const guards: [string, (sql: Queryable) => Promise<unknown>][] = [
  [
    'a broadcast was let through',
    (sql) =>
      broadcastsStore.insert(sql, broadcast, { hash: '00', expiresAt: '' } as never, {
        leaseMs: 1,
        holder: '01890000-0000-7000-8000-000000000000',
      }),
  ],
  ['a commit of events held', (sql) => auditStore.commit(sql, [])],
  ['decisions were committed', (sql) => decisionsStore.commit(sql, [], [], [])],
  ['a budget was held', (sql) => budgetsStore.reserve(sql, [])],
  ['a nonce has no hole', (sql) => nonceLeasesStore.refused(sql, id, 'base', 0n)],
  ['a code may be mailed', (sql) => mailedCodesStore.secondsUntilNext(sql, subject)],
  ['codes are left', (sql) => mailedCodesStore.startsLeft(sql, subject)],
  ['a key has not ended yet', (sql) => apiKeysStore.isPast(sql, '2026-01-01T00:00:00.000Z')],
  ['no share is stale', (sql) => rewrapStore.countStale(sql, 'tee-a' as never, 1)],
]

test.each(guards)('that %s is never read from an answer that is not there, or another’s', async (_, ask) => {
  await expect(ask(answering([]))).rejects.toThrow(/one row|whole/)
  await expect(ask(answering([{ total: 1 }]))).rejects.toThrow(/one row|whole/)
})
