import { randomBytes } from 'node:crypto'
import type { Spend } from '@symbolon/policy'
import { expect, test } from 'vitest'
import { EnclaveFault } from '../enclave-fault.ts'
import { type Cost, freshnessMarks, type MarkedRequest } from './freshness-marks.ts'
import { markTable } from './mark-table.ts'

const row = randomBytes(36)
const walletId = row.subarray(16, 32)
const sessionId = randomBytes(16)
const agentId = randomBytes(16)

/** A request of the session under these versions. */
function requestOf({ policy = 1, rules = 0, agent = 0, session = sessionId } = {}): MarkedRequest {
  const version = Buffer.alloc(4)
  version.writeUInt32BE(policy)
  const context = Buffer.concat([row, session, version, Buffer.alloc(36)])
  return { row, context, versions: { rules, agentId: agent === 0 ? Buffer.alloc(16) : agentId, agent } }
}

const cap = (max: bigint) => ({ max, reason: 'total_cap_exceeded', layer: 'session', rule: 'r' }) as const
const spendOf = (amount: bigint, max: bigint, counter = 'native ETH/18'): Spend => ({
  counter,
  asset: 'ETH',
  amount,
  caps: [cap(10n ** 30n), cap(max)],
})
const costOf = (digest: string, ...spends: Spend[]): Cost => ({
  digestSha256: digest,
  spends,
  endsAtMs: Date.now() + 60_000,
})

/** The status of what a step throws; `ok` where it throws nothing. */
function statusOf(step: () => void): string {
  try {
    step()
    return 'ok'
  } catch (error) {
    if (error instanceof EnclaveFault) return error.status
    throw error
  }
}

test('an older version of a policy, of the rules or of an agent is an older state; the same and later ones are not', () => {
  const marks = freshnessMarks({ nowMs: Date.now })
  const see = (versions: Parameters<typeof requestOf>[0]) =>
    statusOf(() => marks.see(requestOf(versions), null))
  expect(see({ policy: 2, rules: 5, agent: 3 })).toBe('ok')
  expect(see({ policy: 2, rules: 5, agent: 3 })).toBe('ok')
  expect(see({ policy: 1, rules: 5, agent: 3 })).toBe('rolled_back_policy')
  expect(see({ policy: 2, rules: 4, agent: 3 })).toBe('rolled_back_rules')
  expect(see({ policy: 2, rules: 5, agent: 2 })).toBe('rolled_back_rules')
  expect(see({ policy: 3, rules: 6, agent: 4 })).toBe('ok')
  expect(see({ policy: 2, rules: 6, agent: 4 })).toBe('rolled_back_policy')
  expect(see({ policy: 1, rules: 6, session: randomBytes(16) })).toBe('ok')
})

test('a revoked session stays revoked under every version', () => {
  const marks = freshnessMarks({ nowMs: Date.now })
  const other = requestOf({ session: randomBytes(16) })
  marks.note({ kind: 'session_revoked', id: sessionId, changedAt: 1, endsAtMs: Date.now() + 60_000 })
  for (const policy of [1, 2, 0xffff_ffff])
    expect(statusOf(() => marks.see(requestOf({ policy }), null))).toBe('rolled_back_session')
  expect(statusOf(() => marks.see(other, null))).toBe('ok')
})

test('of the notes about a wallet the latest holds, in whatever order they come', () => {
  const marks = freshnessMarks({ nowMs: Date.now })
  const note = (kind: 'wallet_archived' | 'wallet_active', changedAt: number) =>
    marks.note({ kind, id: walletId, changedAt, endsAtMs: null })
  const status = () => statusOf(() => marks.assertActive(row))
  expect(status()).toBe('ok')
  note('wallet_archived', 10)
  expect(status()).toBe('rolled_back_wallet')
  note('wallet_active', 20)
  expect(status()).toBe('ok')
  note('wallet_archived', 15)
  expect(status()).toBe('ok')
})

test('what a session signed and what it asks for never exceed its lowest cap; the same bytes cost nothing twice', () => {
  const marks = freshnessMarks({ nowMs: Date.now })
  const request = requestOf()
  const sign = (cost: Cost, of = request) => statusOf(() => marks.assertFits(of, cost)())
  expect(sign(costOf('a', spendOf(4n, 10n)))).toBe('ok')
  expect(sign(costOf('b', spendOf(6n, 10n)))).toBe('ok')
  expect(sign(costOf('b', spendOf(6n, 10n)))).toBe('ok')
  expect(sign(costOf('c', spendOf(1n, 10n)))).toBe('rolled_back_budget')
  expect(sign(costOf('c', spendOf(1n, 11n)))).toBe('ok')
  expect(sign(costOf('d', spendOf(1n, 1n, 'transactions'), spendOf(1n, 11n)))).toBe('rolled_back_budget')
  expect(sign(costOf('d', spendOf(1n, 1n, 'transactions')))).toBe('ok')
  expect(sign(costOf('e', spendOf(1n, 1n)), requestOf({ session: randomBytes(16) }))).toBe('ok')
})

test('what nothing limited when it was signed is in no sum', () => {
  const marks = freshnessMarks({ nowMs: Date.now })
  const unlimited = { ...spendOf(5n, 1n), caps: [] }
  marks.assertFits(requestOf(), costOf('a', unlimited))()
  expect(statusOf(() => marks.assertFits(requestOf(), costOf('b', spendOf(1n, 1n))))).toBe('ok')
})

test('without room for another mark nothing is signed', () => {
  const marks = freshnessMarks({
    nowMs: Date.now,
    table: markTable({ slotsMin: 4, slotsMax: 4, today: () => 1 }),
  })
  expect(statusOf(() => marks.see(requestOf(), null))).toBe('ok')
  const statuses = Array.from({ length: 4 }, () =>
    statusOf(() => marks.see(requestOf({ session: randomBytes(16) }), null)),
  )
  expect(statuses).toContain('unavailable')
})
