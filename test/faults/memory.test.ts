import { randomBytes } from 'node:crypto'
import { combineShares } from '@symbolon/crypto'
import { type KeyPurpose, openEnvelope, openKeyFile, parseEnvelope, teeContext } from '@symbolon/crypto/node'
import { openRingFile } from '@symbolon/enclave/file-root'
import { type TestDatabase, testDatabase } from '@symbolon/testing/database'
import { canScanMemory, expectNoDebugger, scanMemory } from '@symbolon/testing/enclave'
import {
  createMyWallet,
  createOrganization,
  inTurn,
  logIn,
  mintSecretKeys,
  type PlatformProcesses,
  signFor,
  startPlatformProcesses,
} from '@symbolon/testing/platform'
import { afterAll, beforeAll, expect, test } from 'vitest'

const signaturesEach = 150
const curves = ['secp256k1', 'ed25519'] as const
// A user's message stays in the API process for a while: the scanner has to see it.
const control = randomBytes(24).toString('hex')
let database: TestDatabase
let platform: PlatformProcesses
let patterns: { name: string; bytes: Uint8Array }[]

beforeAll(async () => {
  database = await testDatabase()
  platform = await startPlatformProcesses({ databaseUrl: database.url, apiCount: 2 })
  const [api, other] = platform.apis
  if (api === undefined || other === undefined) throw new Error('no API process')
  const organization = await createOrganization(api)
  const user = await logIn(platform, api, organization)
  const nextKey = inTurn(await mintSecretKeys(platform, organization.id, 20))
  for (const curve of curves) {
    const { data } = await createMyWallet(api, organization, user, curve)
    const id = String(data['id'])
    const signed = await Promise.all(
      Array.from({ length: signaturesEach }, (_, i) =>
        signFor(i % 2 ? api : other, nextKey().key, id, `${control} ${i}`),
      ),
    )
    expect(signed.filter(({ status }) => status !== 200)).toEqual([])
  }
  patterns = (await storedWallets()).flatMap(secretsOf)
  expect(patterns).toHaveLength(curves.length * 7)
}, 60_000)

afterAll(async () => {
  await platform?.stop()
  await database?.drop()
})

type Stored = {
  organizationId: string
  walletId: string
  polynomialVersion: number
  curve: string
  shareA: Uint8Array
  shareB: Uint8Array
}

const storedWallets = () => platform.sql<Stored[]>`
  select organization_id as "organizationId", id as "walletId", polynomial_version as "polynomialVersion", curve,
    share_a as "shareA", share_b as "shareB" from wallets`

/** The oracle: only who has the database and both key files can say what the secrets are. */
function secretsOf(wallet: Stored): { name: string; bytes: Uint8Array }[] {
  const open = (purpose: KeyPurpose & ('tee-a' | 'tee-b'), path: string, envelope: Uint8Array) => {
    const context = teeContext(wallet, purpose)
    const kmsPurposes: KeyPurpose[] = ['provider', 'recovery', 'tee-b', 'webhook', 'pii']
    const ring = purpose === 'tee-a' ? openRingFile(path).keys : openKeyFile(path, kmsPurposes).ring(purpose)
    return openEnvelope(envelope, ring.unwrap(parseEnvelope(envelope).wrappedKey, context), context)
  }
  const shareA = open('tee-a', platform.files.enclaveKeys, wallet.shareA)
  const shareB = open('tee-b', platform.files.kms, wallet.shareB)
  const key = new Uint8Array(32)
  combineShares(shareA, shareB, key)
  const { curve } = wallet
  return [
    // libsecp256k1 keeps a scalar as little-endian words.
    { name: `${curve} key in words`, bytes: Uint8Array.from(key).reverse() },
    { name: `${curve} half a key`, bytes: key.subarray(0, 16) },
    { name: `${curve} second half of a key`, bytes: key.subarray(16, 32) },
    // A share's last byte is its public index; half of one is as telling as the whole.
    { name: `${curve} share a`, bytes: shareA.subarray(0, 16) },
    { name: `${curve} share a, second half`, bytes: shareA.subarray(16, 32) },
    { name: `${curve} share b`, bytes: shareB.subarray(0, 16) },
    { name: `${curve} share b, second half`, bytes: shareB.subarray(16, 32) },
  ]
}

function found(pid: number | undefined): string[] {
  if (pid === undefined) throw new Error('no process')
  const hits = scanMemory(
    pid,
    patterns.map(({ bytes }) => bytes),
  )
  return hits.map(({ pattern, region }) => `${patterns[pattern]?.name} in ${region || 'anonymous memory'}`)
}

const isSeenIn = (pid: number | undefined, text: string) =>
  scanMemory(pid ?? 0, [Buffer.from(text)]).length > 0

test.runIf(canScanMemory)('the scanner sees what each process surely holds', () => {
  expect(platform.apis.some((api) => isSeenIn(api.workerPid(), control))).toBe(true)
  for (const api of platform.apis) expect(isSeenIn(api.workerPid(), platform.files.kms)).toBe(true)
  expect(isSeenIn(platform.enclave.pid(), platform.files.enclaveKeys)).toBe(true)
})

test.runIf(canScanMemory)(
  'after signatures over HTTP no API process holds a key, nor a share, nor half of one',
  () => {
    for (const api of platform.apis) {
      expect(found(api.workerPid())).toEqual([])
      expect(found(api.supervisorPid())).toEqual([])
    }
  },
)

test.runIf(canScanMemory)('after signatures over HTTP the enclave holds no key and no share any more', () => {
  expect(found(platform.enclave.pid())).toEqual([])
})

test.runIf(canScanMemory)('a signal opens no debugger in an API process', () => {
  for (const api of platform.apis) expectNoDebugger(api.workerPid() ?? 0)
})
