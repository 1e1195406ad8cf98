import { randomBytes, randomUUID } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { p2tr, Transaction } from '@scure/btc-signer'
import { keyRing, parseEnvelope, teeContext } from '@symbolon/crypto/node'
import type { Curve } from '@symbolon/networks'
import {
  assembleAnswer,
  decodeIntent,
  encodeIntent,
  signingDigest,
  signingDigests,
} from '@symbolon/networks/testing/by-intent'
import { enclaveSocket } from '@symbolon/server/testing/adapters'
import type { Enclave } from '@symbolon/server/testing/ports'
import {
  type EnclaveProcess,
  expectedMeasurements,
  makePsbt,
  makeTeeWallet,
  messageIntent,
  operatorOf,
  startEnclaveProcess,
  type TeeWallet,
} from '@symbolon/testing/enclave'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const ring = keyRing({ purpose: 'tee-b', keyId: 'test', keys: [randomBytes(32)] })
let child: EnclaveProcess
let enclave: Enclave

beforeAll(async () => {
  child = await startEnclaveProcess()
  enclave = enclaveSocket(child.client)
})

afterAll(async () => {
  await enclave.close()
  await child.stop()
})

const refusal = (code: string) => expect.objectContaining({ name: 'EnclaveError', code })

test('an EVM message signature is what an independent library recovers the wallet from', async () => {
  const wallet = await makeTeeWallet(enclave, ring, 'secp256k1')
  const {
    signatures: [answer],
  } = await enclave.sign({ ...wallet, intent: messageIntent('secp256k1', 'hello') })
  // ERC-191, version 0x45.
  const digest = keccak_256(new TextEncoder().encode('\x19Ethereum Signed Message:\n5hello'))
  expect(secp256k1.verify(answer.signature, digest, wallet.publicKey, { prehash: false, lowS: true })).toBe(
    true,
  )
  const recovered = secp256k1.Signature.fromBytes(answer.signature)
    .addRecoveryBit(answer.recovery)
    .recoverPublicKey(digest)
    .toBytes(true)
  expect(Buffer.from(recovered)).toEqual(Buffer.from(wallet.publicKey))
})

test('an ed25519 signature verifies with an independent library', async () => {
  const wallet = await makeTeeWallet(enclave, ring, 'ed25519')
  const intent = messageIntent('ed25519', 'hello')
  const {
    signatures: [{ signature, recovery }],
  } = await enclave.sign({ ...wallet, intent })
  const payload = signingDigest(decodeIntent(intent), 'ed25519', wallet.publicKey)
  expect(ed25519.verify(signature, payload, wallet.publicKey)).toBe(true)
  expect(recovery).toBe(0)
})

test('equal requests get equal signatures: nonces are derived, not drawn', async () => {
  for (const curve of ['secp256k1', 'ed25519'] as const) {
    const wallet = await makeTeeWallet(enclave, ring, curve)
    const intent = messageIntent(curve, 'again')
    expect(await enclave.sign({ ...wallet, intent })).toEqual(await enclave.sign({ ...wallet, intent }))
  }
})

test('every own input of a PSBT gets its signature, ECDSA and taproot mixed, as btc-signer signs it', async () => {
  const wallet = await makeTeeWallet(enclave, ring, 'secp256k1')
  const { publicKey } = wallet
  const kinds = ['p2tr', 'p2wpkh', 'p2wpkh', 'p2tr'] as const
  const bytes = makePsbt(kinds.map((kind) => ({ publicKey, kind })))
  const intent = { kind: 'transaction', network: 'bitcoin', chain: 'bitcoin', bytes } as const
  const { signatures } = await enclave.sign({ ...wallet, intent: encodeIntent(intent) })
  expect(signatures).toHaveLength(kinds.length)
  const { signed_transaction, transaction_hash } = assembleAnswer(intent, 'secp256k1', publicKey, signatures)
  const final = Transaction.fromRaw(Buffer.from(String(signed_transaction).slice(2), 'hex'))
  expect(final.id).toBe(transaction_hash)
  const digests = signingDigests(intent, 'secp256k1', publicKey)
  const outputKey = p2tr(publicKey.slice(1)).tweakedPubkey
  for (const [index, { payload, scheme }] of digests.entries()) {
    const { signature } = signatures[index] ?? signatures[0]
    expect(scheme).toBe(kinds[index] === 'p2tr' ? 'taproot' : 'plain')
    expect(
      scheme === 'taproot'
        ? schnorr.verify(signature, payload, outputKey)
        : secp256k1.verify(signature, payload, publicKey, { prehash: false, lowS: true }),
    ).toBe(true)
  }
  expect(await enclave.sign({ ...wallet, intent: encodeIntent(intent) })).toEqual({ signatures })
})

test('a PSBT of 32 taproot inputs is signed, one of 33 is an invalid payload', async () => {
  const signedMax = 32
  const wallet = await makeTeeWallet(enclave, ring, 'secp256k1')
  const intentOf = (count: number) => {
    const inputs = Array.from(
      { length: count },
      () => ({ publicKey: wallet.publicKey, kind: 'p2tr' }) as const,
    )
    return encodeIntent({
      kind: 'transaction',
      network: 'bitcoin',
      chain: 'bitcoin',
      bytes: makePsbt(inputs),
    })
  }
  expect((await enclave.sign({ ...wallet, intent: intentOf(signedMax) })).signatures).toHaveLength(signedMax)
  await expect(enclave.sign({ ...wallet, intent: intentOf(signedMax + 1) })).rejects.toEqual(
    refusal('invalid_payload'),
  )
})

describe.each(['secp256k1', 'ed25519'] as const)('shares of %s open nowhere else', (curve: Curve) => {
  let wallet: TeeWallet
  let other: TeeWallet
  const intent = messageIntent(curve, 'm')

  beforeAll(async () => {
    wallet = await makeTeeWallet(enclave, ring, curve)
    other = await makeTeeWallet(enclave, ring, curve)
  })

  const changes: [string, () => Partial<TeeWallet>, string][] = [
    ['another wallet id', () => ({ walletId: randomUUID() }), 'refused'],
    ['another organization', () => ({ organizationId: randomUUID() }), 'refused'],
    ['another polynomial version', () => ({ polynomialVersion: 2 }), 'refused'],
    ['swapped shares', () => ({ shareA: wallet.shareB, shareB: wallet.shareA }), 'refused'],
    ['share a twice', () => ({ shareB: wallet.shareA }), 'refused'],
    ['share a of another wallet', () => ({ shareA: other.shareA }), 'refused'],
    ['share b of another wallet', () => ({ shareB: other.shareB }), 'refused'],
    ['the data key of another wallet', () => ({ dataKeyB: other.dataKeyB }), 'refused'],
    ['an empty share', () => ({ shareA: new Uint8Array(0) }), 'refused'],
    ['an id that is not a UUID', () => ({ walletId: 'w' }), 'refused'],
    ['the public key of another wallet', () => ({ publicKey: other.publicKey }), 'key_mismatch'],
  ]
  test.each(changes)('not with %s', async (_name, change, code) => {
    await expect(enclave.sign({ ...wallet, ...change(), intent })).rejects.toEqual(refusal(code))
    await expect(enclave.sign({ ...wallet, intent })).resolves.toBeDefined()
  })

  test('an envelope with any one byte changed is refused', async () => {
    const { shareA } = wallet
    // The ring's id is 43 characters, the version of its key a `u32`; without its last bit it is 0, which no version is.
    const namedKeyBytes = 43 + 3
    const results = await Promise.all(
      Array.from(shareA, (byte, at) => {
        const changed = Uint8Array.from(shareA)
        changed[at] = byte ^ 1
        return enclave.sign({ ...wallet, shareA: changed, intent }).then(
          () => 'signed',
          (error: { code: string }) => error.code,
        )
      }),
    )
    // A changed name or version of the ring's key is one that this enclave does not have: as if it had the wrong ring.
    expect(new Set(results)).toEqual(new Set(['refused', 'unavailable']))
    expect(results.filter((result) => result === 'unavailable')).toHaveLength(namedKeyBytes)
  })
})

test('shares that open but were made for another key never sign', async () => {
  const wallet = await makeTeeWallet(enclave, ring, 'secp256k1')
  const again = await enclave.generate(wallet)
  const mixed = { ...wallet, shareB: again.shareB, intent: messageIntent('secp256k1', 'm') }
  await expect(enclave.sign(mixed)).rejects.toEqual(refusal('key_mismatch'))
})

test('bytes that are not an intent are an invalid payload', async () => {
  const wallet = await makeTeeWallet(enclave, ring, 'secp256k1')
  for (const intent of [
    new Uint8Array(0),
    randomBytes(64),
    Buffer.concat([messageIntent('secp256k1', 'm'), Buffer.of(0)]),
  ]) {
    await expect(enclave.sign({ ...wallet, intent })).rejects.toEqual(refusal('invalid_payload'))
  }
})

test('a hash cannot be signed with an ed25519 key', async () => {
  const wallet = await makeTeeWallet(enclave, ring, 'ed25519')
  const intent = encodeIntent({ kind: 'hash', chain: 'ethereum', hash: randomBytes(32) })
  await expect(enclave.sign({ ...wallet, intent })).rejects.toEqual(refusal('invalid_payload'))
})

test('256 requests in flight each get their own answer', async () => {
  const wallet = await makeTeeWallet(enclave, ring, 'ed25519')
  const intents = Array.from({ length: 256 }, (_, i) => messageIntent('ed25519', `message ${i}`))
  const answers = await Promise.all(intents.map((intent) => enclave.sign({ ...wallet, intent })))
  const areRight = answers.map(({ signatures: [{ signature }] }, i) => {
    const payload = signingDigest(decodeIntent(intents[i] ?? new Uint8Array()), 'ed25519', wallet.publicKey)
    return ed25519.verify(signature, payload, wallet.publicKey)
  })
  expect(areRight.filter(Boolean)).toHaveLength(256)
})

test('the caller may wipe the data key as soon as the call is made', async () => {
  const wallet = await makeTeeWallet(enclave, ring, 'ed25519')
  const dataKeyB = Uint8Array.from(wallet.dataKeyB)
  const pending = enclave.sign({ ...wallet, dataKeyB, intent: messageIntent('ed25519', 'm') })
  dataKeyB.fill(0)
  await expect(pending).resolves.toBeDefined()
})

test('after a rotation old shares sign, are rewrapped to the new version and sign again', async () => {
  const wallet = await makeTeeWallet(enclave, ring, 'secp256k1')
  const intent = messageIntent('secp256k1', 'm')
  const before = await enclave.sign({ ...wallet, intent })
  const keyVersionA = await operatorOf(enclave, child.operator).rotate()
  expect((await enclave.status()).keyVersionA).toBe(keyVersionA)
  const { shareA } = await enclave.rewrap(wallet)
  expect(parseEnvelope(shareA).wrappedKey.keyVersion).toBe(keyVersionA)
  expect(await enclave.sign({ ...wallet, intent })).toEqual(before)
  expect(await enclave.sign({ ...wallet, shareA, intent })).toEqual(before)
  const elsewhere = { ...wallet, walletId: randomUUID() }
  await expect(enclave.rewrap(elsewhere)).rejects.toEqual(refusal('refused'))
})

test('status reports the phase and that the attestation is simulated', async () => {
  expect(await enclave.status()).toMatchObject({
    phase: 'serving',
    simulated: true,
    measurements: expectedMeasurements,
  })
})

test('share envelopes carry the context they are bound to', async () => {
  const wallet = await makeTeeWallet(enclave, ring, 'secp256k1')
  expect(parseEnvelope(wallet.shareA).wrappedKey.purpose).toBe('tee-a')
  expect(parseEnvelope(wallet.shareB).wrappedKey).toMatchObject({
    purpose: 'tee-b',
    keyId: 'test',
    keyVersion: 1,
  })
  expect(ring.unwrap(wallet.wrappedKeyB, teeContext(wallet, 'tee-b'))).toEqual(wallet.dataKeyB)
})
