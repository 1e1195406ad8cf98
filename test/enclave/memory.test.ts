import { type ChildProcess, spawn } from 'node:child_process'
import { createDecipheriv, randomFillSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { blake2b } from '@noble/hashes/blake2.js'
import { combineShares } from '@symbolon/crypto'
import {
  type EnclaveCurve,
  type KeyPurpose,
  openEnvelope,
  openKeyFile,
  parseEnvelope,
  teeContext,
  wireWriter,
  writeFixed,
  writeGrantFields,
  writtenBytes,
} from '@symbolon/crypto/node'
import { fileRoot } from '@symbolon/enclave/file-root'
import {
  canScanMemory,
  type EnclaveProcess,
  scanMemory,
  startEnclaveProcess,
} from '@symbolon/testing/enclave'
import { afterAll, beforeAll, expect, test } from 'vitest'

const signatures = 200
const control = randomFillSync(new Uint8Array(32))
let enclave: EnclaveProcess
let client: ChildProcess
const dataKeys: { purpose: string; bytes: Uint8Array }[] = []
let patterns: { name: string; bytes: Uint8Array }[] = []
const grantKeys: { name: string; bytes: Uint8Array }[] = []

beforeAll(async () => {
  enclave = await startEnclaveProcess()
  const keyFileB = join(enclave.folder, 'tee-b.key')
  const script = fileURLToPath(new URL('./enclave-client-process.ts', import.meta.url))
  const inverted = Buffer.from(control.map((byte) => byte ^ 0xff)).toString('hex')
  const apiKeyFile = join(enclave.folder, 'api-key.json')
  writeFileSync(apiKeyFile, JSON.stringify(enclave.apiKey), { mode: 0o600 })
  const places = [enclave.socketPath, enclave.rootPath, keyFileB, apiKeyFile]
  const args = [script, ...places, String(signatures), inverted]
  client = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  let text = ''
  for await (const chunk of client.stdout ?? []) {
    text += String(chunk)
    if (text.endsWith('\n')) break
  }
  const wallets = JSON.parse(text) as Stored[]
  patterns = wallets.flatMap((wallet) => secretsOf(wallet, keyFileB))
  for (const wallet of wallets) grantKeys.push(...grantKeysOf(wallet))
})

afterAll(async () => {
  client.kill('SIGKILL')
  await enclave.stop()
})

type Stored = {
  organizationId: string
  walletId: string
  polynomialVersion: number
  curve: string
  shareA: string
  shareB: string
  publicKey: string
  sessionId: string
  policyVersion: number
  grant: string
  tokenKey: string
}

/** The oracle: only who has both key files and the row can say what the secrets are. */
function secretsOf(wallet: Stored, keyFileB: string): { name: string; bytes: Uint8Array }[] {
  const open = (purpose: KeyPurpose & ('tee-a' | 'tee-b'), path: string, envelope: Uint8Array) => {
    const context = teeContext(wallet, purpose)
    const ring = purpose === 'tee-a' ? fileRoot(path).open().keys : openKeyFile(path, [purpose]).ring(purpose)
    const dataKey = ring.unwrap(parseEnvelope(envelope).wrappedKey, context)
    dataKeys.push({ purpose, bytes: dataKey })
    return openEnvelope(envelope, dataKey, context)
  }
  const shareA = open('tee-a', enclave.ringPath, Buffer.from(wallet.shareA, 'hex'))
  const shareB = open('tee-b', keyFileB, Buffer.from(wallet.shareB, 'hex'))
  const key = new Uint8Array(32)
  combineShares(shareA, shareB, key)
  return [
    ...(wallet.curve === 'secp256k1' ? tweakedKeysOf(key) : []),
    { name: `${wallet.curve} key`, bytes: key },
    // libsecp256k1 keeps a scalar as little-endian words.
    { name: `${wallet.curve} key in words`, bytes: inWords(key) },
    // A share's last byte is its public index; half of one is as telling as the whole.
    { name: `${wallet.curve} share a`, bytes: shareA.subarray(0, 16) },
    { name: `${wallet.curve} share a, second half`, bytes: shareA.subarray(16, 32) },
    { name: `${wallet.curve} share b`, bytes: shareB.subarray(0, 16) },
    { name: `${wallet.curve} share b, second half`, bytes: shareB.subarray(16, 32) },
    { name: `${wallet.curve} half a key`, bytes: key.subarray(0, 16) },
    { name: `${wallet.curve} second half a key`, bytes: key.subarray(16, 32) },
  ]
}

/** The keys that open a grant: data key and token key, and those that SPEC.md ("Agents") derives from both. */
function grantKeysOf(wallet: Stored): { name: string; bytes: Uint8Array }[] {
  const grant = Buffer.from(wallet.grant, 'hex')
  const envelope = grant.subarray(3, 3 + grant.readUInt16BE(1))
  const ring = fileRoot(enclave.ringPath).open().keys
  const context = { ...teeContext(wallet, 'tee-a'), shareIndex: 0 }
  const dataKey = ring.unwrap(parseEnvelope(envelope).wrappedKey, context)
  const tokenKey = Buffer.from(wallet.tokenKey, 'hex')
  const writer = wireWriter(256)
  writeFixed(writer, Buffer.from('symbolon agent grant v1\0'))
  writeGrantFields(writer, {
    ...wallet,
    curve: wallet.curve as EnclaveCurve,
    publicKey: Buffer.from(wallet.publicKey, 'hex'),
  })
  const key = Buffer.concat([dataKey, tokenKey])
  const keys = blake2b(writtenBytes(writer), { key, dkLen: 64 })
  const sealed = envelope.subarray(-12 - 32 - 16)
  const cipher = createDecipheriv('chacha20-poly1305', keys.subarray(0, 32), sealed.subarray(0, 12), {
    authTagLength: 16,
  })
  cipher.setAAD(writtenBytes(writer), { plaintextLength: 32 }).setAuthTag(sealed.subarray(-16))
  // The oracle proves itself: what it makes opens data key B of the wallet.
  const dataKeyB = Buffer.concat([cipher.update(sealed.subarray(12, -16)), cipher.final()])
  expect(dataKeys.some(({ bytes }) => dataKeyB.equals(bytes))).toBe(true)
  return [
    { name: 'data key', bytes: dataKey },
    { name: 'token key', bytes: tokenKey },
    { name: 'key of data key B', bytes: keys.subarray(0, 32) },
    { name: 'half of that key', bytes: keys.subarray(0, 16) },
    { name: 'other half of that key', bytes: keys.subarray(16, 32) },
    { name: 'key of the policy', bytes: keys.subarray(32) },
  ]
}

const inWords = (bytes: Uint8Array) => Uint8Array.from(bytes).reverse()

/** What a taproot signature makes of a key: the key negated, and tweaked by BIP-341. */
function tweakedKeysOf(key: Uint8Array): { name: string; bytes: Uint8Array }[] {
  const { Fn } = secp256k1.Point
  const scalar = Fn.fromBytes(key)
  const publicKey = secp256k1.getPublicKey(key, true)
  const tweak = Fn.fromBytes(schnorr.utils.taggedHash('TapTweak', publicKey.subarray(1)))
  const tweaked = Fn.toBytes(Fn.add(publicKey[0] === 2 ? scalar : Fn.neg(scalar), tweak))
  const negated = Fn.toBytes(Fn.neg(scalar))
  return Object.entries({ negated, tweaked }).flatMap(([name, bytes]) => [
    { name: `${name} key`, bytes },
    { name: `${name} key in words`, bytes: inWords(bytes) },
    { name: `half a ${name} key`, bytes: bytes.subarray(0, 16) },
    { name: `second half a ${name} key`, bytes: bytes.subarray(16, 32) },
    { name: `half a ${name} key in words`, bytes: inWords(bytes).subarray(0, 16) },
    { name: `second half a ${name} key in words`, bytes: inWords(bytes).subarray(16, 32) },
  ])
}

function found(pid: number | undefined): string[] {
  if (pid === undefined) throw new Error('no process')
  const hits = scanMemory(
    pid,
    patterns.map(({ bytes }) => bytes),
  )
  return hits.map(
    ({ pattern, region, address }) => `${patterns[pattern]?.name} in ${region || 'anonymous'} ${address}`,
  )
}

// The caches first: they are swept a minute after the last use.
test.runIf(canScanMemory)(
  'the enclave holds data keys of share a in its cache only, and none of share b',
  () => {
    const hits = scanMemory(
      enclave.supervisor.pid() ?? 0,
      dataKeys.map(({ bytes }) => bytes),
    )
    const places = hits.map(({ pattern }) => dataKeys[pattern]?.purpose).sort()
    expect(places).toEqual(['tee-a', 'tee-a'])
  },
)

test.runIf(canScanMemory)(
  'the enclave holds data keys of grants in their cache only, and neither token keys nor what opens a grant',
  () => {
    const hits = scanMemory(
      enclave.supervisor.pid() ?? 0,
      grantKeys.map(({ bytes }) => bytes),
    )
    const places = hits.map(({ pattern }) => grantKeys[pattern]?.name)
    expect(places).toEqual(['data key', 'data key'])
  },
)

test.runIf(canScanMemory)(
  'the scanner finds what is planted in a process and what an enclave surely holds',
  () => {
    expect(scanMemory(client.pid ?? 0, [control]).length).toBeGreaterThan(0)
    expect(
      scanMemory(enclave.supervisor.pid() ?? 0, [Buffer.from(enclave.socketPath)]).length,
    ).toBeGreaterThan(0)
  },
)

test.runIf(canScanMemory)(
  'after 200 signatures of each curve and as many PSBTs and agents’ messages the API process holds no key and no share',
  () => {
    expect(found(client.pid)).toEqual([])
  },
)

test.runIf(canScanMemory)(
  'after 200 signatures of each curve and as many PSBTs and agents’ messages the enclave holds no key, no tweaked key and no share',
  () => {
    expect(found(enclave.supervisor.pid())).toEqual([])
  },
)
