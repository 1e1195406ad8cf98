import { randomBytes } from 'node:crypto'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import type { Curve } from '@symbolon/networks'
import { decodeIntent, signingDigest } from '@symbolon/networks/testing/by-intent'
import {
  seedOrganization,
  type TestDatabase,
  testDatabase,
  testIds,
  testLog,
} from '@symbolon/testing/database'
import {
  type EnclaveProcess,
  messageIntent,
  operatorOf,
  startEnclaveProcess,
} from '@symbolon/testing/enclave'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { enclaveSocket } from '../../../adapters/enclave-socket.ts'
import { kmsLocal, makeLocalKeys } from '../../../adapters/kms-local.ts'
import type { Sql } from '../../../db/pool.ts'
import type { Organization } from '../../../http/principal.ts'
import type { Enclave } from '../../../ports/enclave.ts'
import type { Kms } from '../../../ports/kms.ts'
import { isFailure } from '../../../runtime/failure.ts'
import { checkRing } from '../../custody/index.ts'
import { signingWallets } from '../core/signing-wallets.ts'
import { makeTeeWallet } from '../core/tee-wallet.ts'
import { walletsStore } from '../core/wallets.store.ts'
import type { SharePurpose } from './rewrap.store.ts'
import { rewrapShares } from './rewrap.ts'

let database: TestDatabase
let sql: Sql
let child: EnclaveProcess
let enclave: Enclave
let folder: string
let kms: Kms
let organization: Organization
const walletCount = 80

beforeAll(async () => {
  child = await startEnclaveProcess()
  enclave = enclaveSocket(child.client)
  folder = mkdtempSync(join(tmpdir(), 'symbolon-rewrap-'))
})

beforeEach(async () => {
  await database?.drop()
  database = await testDatabase()
  sql = database.sql
  await checkRing(sql, await enclave.status())
  const keyFile = join(folder, `${testIds.next()}.json`)
  makeLocalKeys(keyFile)
  kms = kmsLocal(keyFile)
  organization = await seedOrganization(sql)
  await fill(walletCount)
})

afterAll(async () => {
  await enclave.close()
  await child.stop()
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

async function fill(count: number) {
  for (let i = 0; i < count; i++) {
    const identityId = testIds.next()
    await sql`insert into identities (id, organization_id, auth_provider, provider_user_id)
      values (${identityId}, ${organization.id}, 'service', ${identityId})`
    const curve: Curve = i % 2 === 0 ? 'secp256k1' : 'ed25519'
    const wanted = { organizationId: organization.id, identityId, curve, chainType: undefined }
    const made = await makeTeeWallet({ enclave, kms, ids: testIds }, wanted)
    if (isFailure(made)) throw new Error(made.code)
    await sql.begin((tx) => walletsStore.insert(tx, made))
  }
}

const ctx = (overrides: { kms?: Kms; enclave?: Enclave } = {}) => ({
  sql,
  kms,
  enclave,
  log: testLog(),
  ...overrides,
})

const versions = async (purpose: SharePurpose) => {
  const column = purpose === 'tee-a' ? 'key_version_a' : 'key_version_b'
  const rows =
    await sql`select ${sql.identifier(column)} as version, count(*)::integer from wallets group by 1 order by 1`
  return Object.fromEntries(rows.map((row) => [row['version'], row['count']]))
}

/** Every wallet of the database signs, and the signature verifies under its public key. */
async function signAll(using: { kms: Kms; enclave: Enclave }): Promise<number> {
  const wallets = signingWallets({ sql, kms: using.kms })
  let verified = 0
  for (const { id } of await sql<{ id: string }[]>`select id from wallets`) {
    const wallet = await wallets.load(id)
    if (wallet === undefined) throw new Error('A wallet is gone.')
    const intent = messageIntent(wallet.curve, `hello ${id}`)
    const {
      signatures: [{ signature }],
    } = await using.enclave.sign({ ...wallet, walletId: id, intent })
    const digest = signingDigest(decodeIntent(intent), wallet.curve, wallet.publicKey)
    const isValid =
      wallet.curve === 'secp256k1'
        ? secp256k1.verify(signature, digest, wallet.publicKey, { prehash: false })
        : ed25519.verify(signature, digest, wallet.publicKey)
    if (isValid) verified += 1
  }
  return verified
}

/** A copy of a key file, or of the enclave's ring, with every version but the newest one of a purpose overwritten. */
function withoutOldVersions(path: string, purpose: SharePurpose): string {
  const copy = join(folder, `${testIds.next()}.json`)
  cpSync(path, copy)
  type KeyText = { versions: string[]; keys?: Record<string, { versions: string[] }> }
  const file = JSON.parse(readFileSync(copy, 'utf8')) as KeyText
  const keys = purpose === 'tee-a' ? file.versions : (file.keys?.[purpose]?.versions ?? [])
  for (let i = 0; i < keys.length - 1; i++) keys[i] = randomBytes(32).toString('base64')
  writeFileSync(copy, JSON.stringify(file), { mode: 0o600 })
  return copy
}

test('after a rotation of tee-b every wallet is under the new version and signs without the old one', async () => {
  const path = join(folder, `${testIds.next()}.json`)
  makeLocalKeys(path)
  kms = kmsLocal(path)
  await sql`truncate wallets cascade`
  await fill(40)
  expect((await kms.rotate('tee-b')).version).toBe(2)
  await fill(3)
  const before = await sql<{ id: string; updated_at: Date; share_b: Buffer }[]>`
    select id, updated_at, share_b from wallets where key_version_b = 1`
  expect(await rewrapShares(ctx(), 'tee-b')).toEqual({ version: 2, rewrapped: 40, failed: [] })
  expect(await versions('tee-b')).toEqual({ 2: 43 })
  const newOnly = kmsLocal(withoutOldVersions(path, 'tee-b'))
  expect(await signAll({ kms: newOnly, enclave })).toBe(43)

  // The very copy fails on an envelope from before: it is the rewrapping that made it unnecessary.
  const [old] = before
  if (old === undefined) throw new Error('No wallet was there before.')
  await sql`update wallets set share_b = ${old.share_b} where id = ${old.id}`
  await expect(signAll({ kms: newOnly, enclave })).rejects.toMatchObject({ code: 'unauthenticated' })
  expect(await rewrapShares(ctx(), 'tee-b')).toEqual({ version: 2, rewrapped: 0, failed: [] })
})

test('after a rotation of tee-a every wallet is under the new version and an enclave without the old one signs', async () => {
  const version = await operatorOf(enclave, child.operator).rotate()
  expect(await rewrapShares(ctx(), 'tee-a')).toEqual({ version, rewrapped: walletCount, failed: [] })
  expect(await versions('tee-a')).toEqual({ [version]: walletCount })
  const ringFile = withoutOldVersions(child.ringPath, 'tee-a')
  const other = await startEnclaveProcess({ ringFile })
  const newOnly = enclaveSocket(other.client)
  try {
    expect(await signAll({ kms, enclave: newOnly })).toBe(walletCount)
  } finally {
    await newOnly.close()
    await other.stop()
  }
})

test('two jobs at once handle every wallet once, while signatures go on with old and new envelopes', async () => {
  const handled: string[] = []
  const counting: Kms = {
    ...kms,
    rewrap: (key, context) => {
      handled.push(context.walletId)
      return kms.rewrap(key, context)
    },
  }
  await kms.rotate('tee-b')
  const [one, two, signed] = await Promise.all([
    rewrapShares(ctx({ kms: counting }), 'tee-b'),
    rewrapShares(ctx({ kms: counting }), 'tee-b'),
    signAll({ kms, enclave }),
  ])
  expect(one.rewrapped + two.rewrapped).toBe(walletCount)
  expect(new Set(handled).size).toBe(walletCount)
  expect(handled).toHaveLength(walletCount)
  expect(signed).toBe(walletCount)
  expect(await versions('tee-b')).toEqual({ 2: walletCount })
})

test('a job that breaks off in the middle leaves whole rows, and the next one does the rest', async () => {
  let left = 50
  const dying: Kms = {
    ...kms,
    rewrap: (key, context) => {
      left -= 1
      if (left < 0) throw new Error('killed')
      return kms.rewrap(key, context)
    },
  }
  await kms.rotate('tee-b')
  await expect(rewrapShares(ctx({ kms: dying }), 'tee-b')).rejects.toThrow('killed')
  expect(await versions('tee-b')).toEqual({ 1: 48, 2: 32 })
  expect(await signAll({ kms, enclave })).toBe(walletCount)
  expect(await rewrapShares(ctx(), 'tee-b')).toEqual({ version: 2, rewrapped: 48, failed: [] })
  expect(await signAll({ kms, enclave })).toBe(walletCount)
})

test('a wallet whose share was altered is named and skipped, the others are rewrapped', async () => {
  const [broken] = await sql<{ id: string }[]>`
    update wallets w set share_b = (select o.share_b from wallets o where o.id <> w.id limit 1)
    where id = (select id from wallets order by id limit 1) returning id`
  await kms.rotate('tee-b')
  expect(await rewrapShares(ctx(), 'tee-b')).toEqual({
    version: 2,
    rewrapped: walletCount - 1,
    failed: [broken?.id],
  })
  expect(await versions('tee-b')).toEqual({ 1: 1, 2: walletCount - 1 })
})
