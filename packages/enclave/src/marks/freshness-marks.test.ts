import { randomBytes } from 'node:crypto'
import type { Spend } from '@symbolon/policy'
import { expect, test } from 'vitest'
import { EnclaveFault } from '../enclave-fault.ts'
import { type Cost, type FreshnessMarksInput, freshnessMarks, type MarkedRequest } from './freshness-marks.ts'
import { markTable } from './mark-table.ts'

const row = randomBytes(36)
const walletId = row.subarray(16, 32)
const sessionId = randomBytes(16)
const agentId = randomBytes(16)

const keys = { names: randomBytes(32), seal: randomBytes(32) }
const fresh = (given: Partial<FreshnessMarksInput> = {}) =>
  freshnessMarks({ keys, isWaiting: false, nowMs: Date.now, ...given })

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
  const marks = fresh()
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
  const marks = fresh()
  const other = requestOf({ session: randomBytes(16) })
  marks.note({ kind: 'session_revoked', id: sessionId, order: 1, endsAtMs: Date.now() + 60_000 })
  for (const policy of [1, 2, 0xffff_ffff])
    expect(statusOf(() => marks.see(requestOf({ policy }), null))).toBe('rolled_back_session')
  expect(statusOf(() => marks.see(other, null))).toBe('ok')
})

test('of the notes about a wallet the latest holds, in whatever order they come', () => {
  const marks = fresh()
  const note = (kind: 'wallet_archived' | 'wallet_active', order: number) =>
    marks.note({ kind, id: walletId, order, endsAtMs: null })
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
  const marks = fresh()
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
  const marks = fresh()
  const unlimited = { ...spendOf(5n, 1n), caps: [] }
  marks.assertFits(requestOf(), costOf('a', unlimited))()
  expect(statusOf(() => marks.assertFits(requestOf(), costOf('b', spendOf(1n, 1n))))).toBe('ok')
})

test('without room for another mark nothing is signed', () => {
  const marks = fresh({ table: markTable({ slotsMin: 4, slotsMax: 4, today: () => 1 }) })
  expect(statusOf(() => marks.see(requestOf(), null))).toBe('ok')
  const statuses = Array.from({ length: 4 }, () =>
    statusOf(() => marks.see(requestOf({ session: randomBytes(16) }), null)),
  )
  expect(statuses).toContain('unavailable')
})

test('the next boot of a ring knows what this one saw, signed and was told', () => {
  const before = fresh()
  before.see(requestOf({ policy: 3, rules: 5 }), null)
  before.assertFits(requestOf(), costOf('a', spendOf(7n, 10n)))()
  before.note({ kind: 'wallet_archived', id: walletId, order: 10, endsAtMs: null })
  const segment = before.take(0)
  const after = fresh()
  after.load({ isFirst: true, isLast: false, segment })
  after.load({ isFirst: false, isLast: true, segment: undefined })
  expect(statusOf(() => after.see(requestOf({ policy: 2, rules: 5 }), null))).toBe('rolled_back_policy')
  expect(statusOf(() => after.see(requestOf({ policy: 3, rules: 4 }), null))).toBe('rolled_back_rules')
  expect(statusOf(() => after.assertActive(row))).toBe('rolled_back_wallet')
  expect(statusOf(() => after.assertFits(requestOf(), costOf('b', spendOf(4n, 10n))))).toBe(
    'rolled_back_budget',
  )
  expect(statusOf(() => after.assertFits(requestOf(), costOf('a', spendOf(7n, 10n))))).toBe('ok')
  expect(after.loaded()).toEqual({ number: 1, root: segment?.root })
})

test('later versions of rules and policies that it was told of hold before anybody asks under them', () => {
  const marks = fresh()
  marks.note({ kind: 'rules_changed', id: row.subarray(0, 16), order: 5, endsAtMs: null })
  marks.note({ kind: 'agent_changed', id: agentId, order: 3, endsAtMs: null })
  expect(statusOf(() => marks.see(requestOf({ rules: 4, agent: 3 }), null))).toBe('rolled_back_rules')
  expect(statusOf(() => marks.see(requestOf({ rules: 5, agent: 2 }), null))).toBe('rolled_back_rules')
  expect(statusOf(() => marks.see(requestOf({ rules: 5, agent: 3 }), null))).toBe('ok')
})

test('where the operators accept what a boot begins with, only its own grants sign until they have', () => {
  const marks = fresh({ isWaiting: true })
  const own = requestOf({ session: randomBytes(16) })
  marks.sealed(own)
  expect(marks.isWaiting()).toBe(true)
  expect(statusOf(() => marks.see(requestOf(), null))).toBe('rolled_back_boot')
  expect(statusOf(() => marks.see(own, null))).toBe('ok')
  marks.accept()
  expect(marks.isWaiting()).toBe(false)
  expect(statusOf(() => marks.see(requestOf(), null))).toBe('ok')
})
