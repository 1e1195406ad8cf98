import { networks, policyNames } from '@symbolon/networks'
import { expect, test } from 'vitest'
import { agentPolicies } from './agent-policies.ts'

const bytes = (value: unknown) => Buffer.from(JSON.stringify(value))
const rowOf = (organization: number) => Buffer.alloc(36, organization).fill(7, 16)
const row = rowOf(1)
const session = (count: number, more: object = {}) =>
  bytes({ organization: null, agent: null, session: { max_tx_count: count, ...more } })
const now = bytes({ organization: null, agent: null })

test('equal texts have one compiled policy, other texts another', () => {
  const policies = agentPolicies(policyNames(networks))
  const first = policies.of(row, session(1), now)
  expect(policies.of(row, session(1), now)).toBe(first)
  expect(first.policy.caps.session).toMatchObject([{ rule: 'max_tx_count', max: 1n }])
  expect(policies.of(row, session(2), now).policy.caps.session).toMatchObject([{ max: 2n }])
  const agent = bytes({ organization: null, agent: { max_tx_count: 0 } })
  expect(policies.of(row, session(2), agent).policy.caps.session).toMatchObject([{ max: 0n, layer: 'agent' }])
})

test('the boundary of the two sealed texts cannot move: each has its own name', () => {
  const policies = agentPolicies(policyNames(networks))
  const sealed = session(1)
  policies.of(row, sealed, now)
  const joined = Buffer.concat([sealed, now])
  expect(() => policies.of(row, joined.subarray(0, 5), joined.subarray(5))).toThrow('not JSON')
})

test('the least recently used policy goes when there are 1,024, or 4 MiB of text', () => {
  const policies = agentPolicies(policyNames(networks))
  const kept = policies.of(row, session(0), now)
  const dropped = policies.of(row, session(1), now)
  for (let i = 2; i < 1024; i++) policies.of(row, session(i), now)
  expect(policies.of(row, session(0), now)).toBe(kept)
  policies.of(row, session(1024), now)
  expect(policies.of(row, session(0), now)).toBe(kept)
  expect(policies.of(row, session(1), now)).not.toBe(dropped)

  const last = policies.of(row, long(0), now)
  for (let i = 1; i < 80; i++) policies.of(row, long(i), now)
  expect(policies.of(row, long(0), now)).not.toBe(last)
})

const long = (i: number) =>
  session(i, { allowed_recipients: Array.from({ length: 256 }, () => 'e'.repeat(256)) })

test('an organization with many policies pushes out its own, not those of another', () => {
  const policies = agentPolicies(policyNames(networks))
  const kept = [policies.of(rowOf(2), session(0), now), policies.of(rowOf(2), long(1), now)]
  const rotated = () => {
    for (let i = 0; i < 1100; i++) policies.of(row, session(i), now)
    for (let i = 0; i < 80; i++) policies.of(row, long(i), now)
  }
  rotated()
  rotated()
  expect(policies.of(rowOf(2), session(0), now)).toBe(kept[0])
  expect(policies.of(rowOf(2), long(1), now)).toBe(kept[1])
})

test('the texts of one organization are no other one’s policies', () => {
  const policies = agentPolicies(policyNames(networks))
  const own = policies.of(row, session(0), now)
  expect(policies.of(rowOf(2), session(0), now)).not.toBe(own)
  expect(policies.of(row, session(0), now)).toBe(own)
})

test('a text that is not a policy fails each time, and nothing of it is cached', () => {
  const policies = agentPolicies(policyNames(networks))
  for (const current of ['', '{}', '{"organization":null}', '{"organization":[],"agent":null}', '[]']) {
    for (let i = 0; i < 2; i++) expect(() => policies.of(row, session(1), Buffer.from(current))).toThrow()
  }
})
