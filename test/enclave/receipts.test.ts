import { createHash, randomBytes } from 'node:crypto'
import { type Receipt, verifyReceipt } from '@symbolon/crypto/attestation'
import { keyRing } from '@symbolon/crypto/node'
import { assembleAnswer, decodeIntent, signingDigests } from '@symbolon/networks/testing/by-intent'
import { enclaveSocket } from '@symbolon/server/testing/adapters'
import type { Enclave, EnclaveReceipt } from '@symbolon/server/testing/ports'
import {
  bootAttestation,
  type EnclaveProcess,
  makeTeeWallet,
  messageIntent,
  startEnclaveProcess,
  type TeeWallet,
  transferIntent,
} from '@symbolon/testing/enclave'
import { afterAll, beforeAll, expect, test } from 'vitest'

const ring = keyRing({ purpose: 'tee-b', keyId: 'test', keys: [randomBytes(32)] })
let child: EnclaveProcess
let enclave: Enclave
let secp256k1: TeeWallet
let ed25519: TeeWallet
let boot: Awaited<ReturnType<typeof bootAttestation>>

beforeAll(async () => {
  child = await startEnclaveProcess()
  enclave = enclaveSocket({ path: child.socketPath, policy: child.policy })
  secp256k1 = await makeTeeWallet(enclave, ring, 'secp256k1')
  ed25519 = await makeTeeWallet(enclave, ring, 'ed25519')
  boot = await bootAttestation(child, enclave)
})

afterAll(async () => {
  await enclave.close()
  await child.stop()
})

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** The payload of a receipt that verifies, whose siblings in the answer are what it says. */
async function verified(receipt: EnclaveReceipt | undefined): Promise<Receipt> {
  if (receipt === undefined) return expect.fail('no receipt')
  const report = await verifyReceipt({ receipt: receipt.jws, isSimulatedAllowed: true, ...boot })
  expect(report).toMatchObject({ verdict: 'verified', findings: [] })
  const payload = report.receipt ?? expect.fail('no payload')
  expect(receipt).toMatchObject({
    receiptId: payload.receipt_id,
    kid: boot.attestation.kid,
    counter: payload.counter,
    issuedAt: Date.parse(payload.issued_at),
  })
  return payload
}

async function signed(wallet: TeeWallet, intent: Uint8Array) {
  const { signatures, receipt } = await enclave.sign({ ...wallet, intent, receipt: true })
  expect({ signatures }).toEqual(await enclave.sign({ ...wallet, intent }))
  return { signatures, payload: await verified(receipt) }
}

const recipient = '0x5e5E5e5e5E5e5E5E5e5E5E5e5e5E5E5E5e5E5E5e'

test('a receipt of a transfer says who signed what, and what that does', async () => {
  const intent = transferIntent({ chain: 'base', to: recipient, value: 1_000n })
  const { signatures, payload } = await signed(secp256k1, intent)
  const { organizationId, walletId, publicKey } = secp256k1
  const [digest] = signingDigests(decodeIntent(intent), 'secp256k1', publicKey)
  expect(payload).toEqual({
    version: 1,
    mode: 'simulated',
    receipt_id: expect.stringMatching(
      /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    ),
    organization_id: organizationId,
    wallet_id: walletId,
    public_key: `0x${hex(publicKey)}`,
    curve: 'secp256k1',
    network: 'evm',
    chain: 'base',
    type: 'transaction',
    digests: [hex(digest.payload)],
    signature: assembleAnswer(decodeIntent(intent), 'secp256k1', publicKey, signatures).signature,
    signatures: [hex(signatures[0].signature)],
    effects: [{ kind: 'transfer', asset: 'ETH', amount: '1000', to: recipient }],
    effects_sha256: sha256(
      Buffer.from(`[{"amount":"1000","asset":"ETH","kind":"transfer","to":"${recipient}"}]`),
    ),
    fee: { asset: 'ETH', amount: '21000000000000' },
    decision: {
      layers: { organization: null, wallet: null, agent: null, session: null },
      policy_version: null,
      authorization_sha256: null,
      approval_sha256: null,
    },
    budget: null,
    ring_id: boot.ringId,
    counter: 1,
    issued_at: expect.any(String),
  })
})

test('a receipt of an ed25519 message has the SHA-256 of the very bytes, and no effects', async () => {
  const intent = messageIntent('ed25519', 'hello')
  const { payload } = await signed(ed25519, intent)
  const [{ payload: bytes }] = signingDigests(decodeIntent(intent), 'ed25519', ed25519.publicKey)
  expect(payload).toMatchObject({ type: 'message', digests: [sha256(bytes)], effects: [], fee: null })
})
