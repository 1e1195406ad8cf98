import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AuditEventType } from '@symbolon/api'
import { auditWriter } from '@symbolon/server/testing/audit'
import {
  callAs,
  fromPortal,
  newCompany,
  type PortalUser,
  portalUser,
  startTestApp,
  type TestApp,
} from '@symbolon/testing/app'
import { testIds } from '@symbolon/testing/database'
import { afterAll, beforeAll, expect, test } from 'vitest'

type Event = {
  id: string
  timestamp: string
  event_type: string
  success: boolean
  actor_id: string
  wallet_id: string
}
type Page = { items: Event[]; total: number; limit: number; offset: number }
type Checkpoint = { tree_size: number; root_hash: string; note: string }

const eventsMax = 20_000
const types: AuditEventType[] = ['wallet.signed', 'user.logged_in', 'wallet.sign_refused']
const wallets = Array.from({ length: 40 }, () => testIds.next())

let app: TestApp
let owner: PortalUser
let path: string

beforeAll(async () => {
  app = await startTestApp()
  owner = await portalUser(app)
  const { id } = await newCompany(app, owner)
  path = `/v1/orgs/${id}/audit`
  const audit = auditWriter({ sql: app.sql, ids: testIds, log: app.log })
  const written = eventsMax - (await list('')).total
  await Promise.all(
    Array.from({ length: written }, (_, i) =>
      audit.write({
        organizationId: id,
        type: types[i % types.length] ?? 'audit.gap',
        walletId: wallets[i % wallets.length] as string,
        actorType: 'end_user',
        actorId: `actor-${i % 7}`,
        payload: { network: 'evm', i, text: 'ä"\\ \u2028 €' },
        success: i % 3 !== 2,
        ...(i % 3 === 2 && { errorCode: 'policy_violation' }),
      }),
    ),
  )
})
afterAll(() => app.stop())

const list = async (query: string): Promise<Page> =>
  (await callAs<Page>(app, owner, ['GET', `${path}${query}`])).data
const exported = (query = '') => fetch(`${app.url}${path}/export${query}`, { headers: fromPortal(owner) })

test('totals and pages are exact at any depth, for every filter and for two of them', async () => {
  const lines = (await (await exported()).text()).trim().split('\n')
  const all: Event[] = lines.map((line) => JSON.parse(line)).reverse()
  expect(all).toHaveLength(eventsMax)
  const middle = all[7_000]?.timestamp ?? ''
  const cases: [query: string, matches: (event: Event) => boolean][] = [
    ['', () => true],
    ['&event_type=wallet.signed', ({ event_type }) => event_type === 'wallet.signed'],
    ['&success=false', ({ success }) => !success],
    ['&event_type=wallet.sign_refused&success=true', () => false],
    ['&actor_id=actor-3', ({ actor_id }) => actor_id === 'actor-3'],
    [`&wallet_id=${wallets[5]}`, ({ wallet_id }) => wallet_id === wallets[5]],
    [
      `&wallet_id=${wallets[5]}&success=true`,
      ({ wallet_id, success }) => success && wallet_id === wallets[5],
    ],
    [`&from=${middle}`, ({ timestamp }) => timestamp >= middle],
    [
      `&to=${middle}&event_type=user.logged_in`,
      (e) => e.timestamp < middle && e.event_type === 'user.logged_in',
    ],
    ['&event_type=no.such_type', () => false],
    [`&from=${middle}&to=${all.at(-1)?.timestamp}`, () => false],
  ]
  for (const [query, matches] of cases) {
    const expected = all.filter(matches).map(({ id }) => id)
    for (const offset of [0, 1, Math.max(0, expected.length - 3), expected.length, expected.length + 10]) {
      const { items, total } = await list(`?limit=4&offset=${offset}${query}`)
      expect({ query, offset, total, ids: items.map(({ id }) => id) }).toEqual({
        query,
        offset,
        total: expected.length,
        ids: expected.slice(offset, offset + 4),
      })
    }
  }
})

test.each([
  '?limit=0',
  '?limit=201',
  '?offset=-1',
  '?success=yes',
  '?from=yesterday',
  '?wallet_id=x',
  '?actor_id=%00',
  '?a=b',
])('is not a page: %s', async (query) => {
  expect(await callAs(app, owner, ['GET', `${path}${query}`])).toMatchObject({ status: 400 })
})

test('reading, proving and exporting write no event', async () => {
  const { total, items } = await list('')
  await callAs(app, owner, ['GET', `${path}/checkpoint`])
  await callAs(app, owner, ['GET', `${path}/${items[0]?.id}/proof`])
  await (await exported()).text()
  expect((await list('')).total).toBe(total)
})

test('an export is one line per event, oldest first, with the head that it hashes to as its last', async () => {
  const answer = await exported('?checkpoint=true')
  expect(answer.headers.get('content-type')).toBe('application/x-ndjson')
  const lines = (await answer.text()).split('\n')
  expect(lines.pop()).toBe('')
  const { checkpoint } = JSON.parse(lines.pop() ?? '') as { checkpoint: Checkpoint }
  expect(checkpoint.tree_size).toBe(lines.length)
  expect(checkpoint.root_hash).toBe(rootOf(lines).toString('base64'))
  const { data } = await callAs<Checkpoint>(app, owner, ['GET', `${path}/checkpoint`])
  expect(data).toEqual(checkpoint)
  const part = (await (await exported('?tree_size=300')).text()).trim().split('\n')
  expect(part).toEqual(lines.slice(0, 300))
})

test('an export of more events than there are is refused, not cut to fit', async () => {
  for (const more of ['', '&checkpoint=true'])
    expect((await exported(`?tree_size=${eventsMax + 1_000}${more}`)).status).toBe(400)
})

test('a reader who is slow gets all of it, and nobody waits for them', async () => {
  const answer = await exported()
  let count = 0
  for await (const bytes of answer.body ?? []) {
    count += Buffer.from(bytes).filter((byte) => byte === 10).length
    const startedAt = performance.now()
    expect((await list('?limit=1')).total).toBe(eventsMax)
    expect(performance.now() - startedAt).toBeLessThan(3_000)
    // The slowness itself.
    await sleep(5)
  }
  expect(count).toBe(eventsMax)
})

test('readers who hang up leave nothing behind', async () => {
  await Promise.all(
    Array.from({ length: 20 }, async () => {
      const controller = new AbortController()
      const answer = await fetch(`${app.url}${path}/export`, {
        headers: fromPortal(owner),
        signal: controller.signal,
      })
      await answer.body?.getReader().read()
      controller.abort()
    }),
  )
  for (let i = 0; i < 200; i++) {
    const rows = await app.sql`
      select 1 from pg_stat_activity where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()`
    if (rows.length === 0) break
    await sleep(10)
  }
  const startedAt = performance.now()
  expect((await list('?limit=1')).total).toBe(eventsMax)
  expect(performance.now() - startedAt).toBeLessThan(3_000)
  expect(app.log.lines.join()).not.toContain('a stream broke off')
})

test('a log whose middle is gone is not exported as if it were whole', async () => {
  const { id } = await newCompany(app, owner)
  const audit = auditWriter({ sql: app.sql, ids: testIds, log: app.log })
  const event = {
    organizationId: id,
    type: 'user.logged_in',
    actorType: 'end_user',
    actorId: 'a',
    success: true,
  } as const
  await Promise.all(Array.from({ length: 3_000 }, () => audit.write(event)))
  await app.sql`delete from audit_events where organization_id = ${id} and n = 2500`
  const answer = await fetch(`${app.url}/v1/orgs/${id}/audit/export`, { headers: fromPortal(owner) })
  await expect(answer.text()).rejects.toThrow()
  const checkpoint = await callAs(app, owner, ['GET', `/v1/orgs/${id}/audit/checkpoint`])
  expect(checkpoint.status).toBe(500)
})

/** RFC 6962 section 2.1, as it is written there. */
function rootOf(lines: readonly string[]): Buffer {
  const hash = (...parts: (Buffer | string)[]) => {
    const digest = createHash('sha256')
    for (const part of parts) digest.update(part)
    return digest.digest()
  }
  const [first = ''] = lines
  if (lines.length === 1) return hash(Buffer.of(0), first)
  let split = 1
  while (split * 2 < lines.length) split *= 2
  return hash(Buffer.of(1), rootOf(lines.slice(0, split)), rootOf(lines.slice(split)))
}
