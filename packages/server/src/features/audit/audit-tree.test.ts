import { createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto'
import type { AuditEventType } from '@symbolon/api'
import {
  seedOrganization,
  type TestDatabase,
  testDatabase,
  testIds,
  testLog,
} from '@symbolon/testing/database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPool, type Sql } from '../../db/pool.ts'
import { isFailure, orThrow } from '../../runtime/failure.ts'
import { auditStore } from './audit.store.ts'
import { checkpoint, exportLog, proveConsistency, proveInclusion } from './audit-proofs.ts'
import { auditTreeStore } from './audit-tree.store.ts'
import { extendTree } from './audit-tree.ts'
import { extendLagging } from './audit-tree-worker.ts'
import { canonicalJson } from './export-line.ts'
import { emptyRoot, leafHash, merkleTree, nodeHash, rootOfRow } from './merkle.ts'
import { rootOf } from './root-of.ts'

let database: TestDatabase
let sql: Sql
const clock = { nowMs: () => Date.now() }
const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const { x = '' } = publicKey.export({ format: 'jwk' })
const host = 'wallets.example'

const ctx = () => ({
  sql,
  clock,
  host,
  key: {
    jwk: { kty: 'OKP', crv: 'Ed25519', x, kid: 'k', use: 'sig', alg: 'EdDSA' } as const,
    sign: (message: Uint8Array) => sign(null, message, privateKey),
  },
})
const headOf = async (organizationId: string) => orThrow(await checkpoint(ctx(), organizationId))

beforeAll(async () => {
  database = await testDatabase()
  sql = openPool(database.url, { connectionsMax: 3 })
})
afterAll(async () => {
  await sql.end({ timeout: 1 })
  await database.drop()
})

const types: AuditEventType[] = ['wallet.signed', 'wallet.created', 'user.logged_in']

async function write(organizationId: string, count: number): Promise<void> {
  for (let done = 0; done < count; ) {
    const batch = Math.min(200, count - done)
    await auditStore.commit(
      sql,
      Array.from({ length: batch }, (_, i) => ({
        id: testIds.next(),
        event: {
          organizationId,
          type: types[(done + i) % 3] ?? 'wallet.signed',
          actorType: 'api_key' as const,
          actorId: `key ${i}`,
          payload: { z: done + i, a: 'ü€😀', nested: { b: [1, 2.5, null], a: true } },
          success: i % 5 !== 0,
        },
      })),
    )
    done += batch
  }
}

async function linesOf(organizationId: string): Promise<string[]> {
  let text = ''
  const chunks = orThrow(await exportLog(ctx(), organizationId, { withCheckpoint: false }))
  for await (const chunk of chunks) text += chunk
  return text.split('\n').slice(0, -1)
}

/** The tree over an export, built of nothing but its lines. */
function treeOf(lines: readonly string[]) {
  const hashes = lines.map(leafHash)
  return merkleTree(async (height, position) =>
    rootOfRow(hashes.slice(position * 2 ** height, (position + 1) * 2 ** height)),
  )
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const ofBase64 = (text: string) => Buffer.from(text, 'base64').toString('hex')

test('at every size the head and all proofs are those of the export lines, before and after roots are stored', async () => {
  const { id } = await seedOrganization(sql)
  for (const count of [0, 1, 254, 1, 1, 600]) {
    await write(id, count)
    const lines = await linesOf(id)
    const tree = treeOf(lines)
    const head = await headOf(id)
    expect(head.tree_size).toBe(lines.length)
    expect(ofBase64(head.root_hash)).toBe(hex(await tree.root(lines.length)))
    for (const index of [0, 1, 255, 256, lines.length - 1].filter((i) => i >= 0 && i < lines.length)) {
      const { id: eventId } = JSON.parse(lines[index] ?? '')
      const proof = orThrow(await proveInclusion(ctx(), id, { eventId }))
      expect(proof).toMatchObject({ leaf_index: index, tree_size: lines.length, root_hash: head.root_hash })
      expect(proof.hashes.map(ofBase64)).toEqual((await tree.inclusion(index, lines.length)).map(hex))
      if (index < 1) continue
      const between = orThrow(await proveConsistency(ctx(), id, { from: index }))
      expect(between.hashes.map(ofBase64)).toEqual((await tree.consistency(index, lines.length)).map(hex))
      expect(ofBase64(between.from_root_hash)).toBe(hex(await tree.root(index)))
    }
  }
})

test('the note is a C2SP checkpoint that the published key signs, and one size has one head', async () => {
  const { id } = await seedOrganization(sql)
  await write(id, 3)
  const head = await headOf(id)
  const [text, signatureLine] = [head.note.split('\n\n')[0], head.note.split('\n\n')[1]]
  expect(`${text}\n`).toBe(`${host}/v1/orgs/${id}/audit\n3\n${head.root_hash}\ntimestamp ${head.timestamp}\n`)
  const signed = /^— wallets\.example (\S+)\n$/.exec(signatureLine ?? '')?.[1] ?? ''
  const bytes = Buffer.from(signed, 'base64')
  expect(bytes.length).toBe(68)
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  expect(verify(null, Buffer.from(`${text}\n`), key, bytes.subarray(4))).toBe(true)
  expect(bytes.subarray(4).toString('base64')).toBe(head.signature)
  expect(await headOf(id)).toEqual(head)
})

type Change = (id: string) => PromiseLike<unknown>

test.each<[name: string, change: Change]>([
  [
    'with another code',
    (id) => sql`update audit_events set error_code = 'x' where organization_id = ${id} and n = 7`,
  ],
  [
    'without its payload',
    (id) => sql`update audit_events set payload = '{"x":1}' where organization_id = ${id} and n = 20`,
  ],
  [
    'of another actor',
    (id) => sql`update audit_events set actor_id = 'other' where organization_id = ${id} and n = 1`,
  ],
  ['that was deleted', (id) => sql`delete from audit_events where organization_id = ${id} and n = 9`],
])('a log with an event %s gets no second head', async (_, change) => {
  const { id } = await seedOrganization(sql)
  await write(id, 20)
  await headOf(id)
  await change(id)
  await expect(headOf(id)).rejects.toThrow(/log/)
})

test('a long log is hashed bit by bit, by several at once, and what is stored is right', async () => {
  const { id } = await seedOrganization(sql)
  await write(id, 5_000)
  let now = 0
  // A clock that makes every look exceed the budget: one batch per call.
  const hasty = () => extendTree({ sql, organizationId: id }, 5_000, 0, () => now++)
  await Promise.all([hasty(), hasty(), hasty()])
  await extendLagging({ sql, clock, log: testLog() }, () => false)
  expect(await auditTreeStore.lagging(sql, 256, 100)).not.toContain(id)
  expect(await auditTreeStore.stored(sql, id, 1)).toBe(19)
  const lines = await linesOf(id)
  const head = await headOf(id)
  expect(ofBase64(head.root_hash)).toBe(hex(await treeOf(lines).root(5_000)))
})

test('a log that takes too long to hash is exported without a head, or not at all', async () => {
  const { id } = await seedOrganization(sql)
  await write(id, 16_640)
  let now = 0
  const slow = { ...ctx(), clock: { nowMs: () => (now += 10_000) } }
  expect(await exportLog(slow, id, { withCheckpoint: true })).toMatchObject({ code: 'unavailable' })
  expect(isFailure(await exportLog(slow, id, { withCheckpoint: false }))).toBe(false)
})

test('another organization has neither proof nor line of an event', async () => {
  const [mine, other] = [await seedOrganization(sql), await seedOrganization(sql)]
  await write(mine.id, 2)
  const { id: eventId } = JSON.parse((await linesOf(mine.id))[0] ?? '')
  expect(await proveInclusion(ctx(), other.id, { eventId })).toMatchObject({ code: 'not_found' })
  expect(await linesOf(other.id)).toEqual([])
})

test('canonical JSON is that of RFC 8785: its own example of numbers, strings and order', () => {
  const input = JSON.parse(
    '{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}',
  )
  expect(canonicalJson(input)).toBe(
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  )
  const keys = { '€': 1, '\r': 2, '\ufb33': 3, '1': 4, '😀': 5, '\u0080': 6, ö: 7 }
  expect([...canonicalJson(keys).matchAll(/:(\d)/g)].map((m) => m[1]).join('')).toBe('2467153')
})

test('the root of a log for whoever may store nothing is that of its leaves, whatever rows are stored', async () => {
  const { id: organizationId } = await seedOrganization(sql)
  await write(organizationId, 700)
  const leaves = (await linesOf(organizationId)).map(leafHash)
  const naive = (from: number, to: number): Uint8Array => {
    const [only = emptyRoot] = leaves.slice(from, to)
    if (to - from < 2) return only
    let split = 1
    while (split * 2 < to - from) split *= 2
    return nodeHash(naive(from, from + split), naive(from + split, to))
  }
  const log = { sql, organizationId }
  const check = async () => {
    for (const size of [1, 2, 3, 255, 256, 257, 511, 512, 513, 700])
      expect(Buffer.from(await rootOf(log, size)).equals(naive(0, size)), `${size}`).toBe(true)
  }
  expect(await rootOf(log, 0)).toEqual(emptyRoot)
  await check()
  await extendTree(log, 300, 10_000, clock.nowMs)
  await check()
  await extendTree(log, 700, 10_000, clock.nowMs)
  await check()
  await expect(rootOf(log, 701)).rejects.toThrow('missing')
})
