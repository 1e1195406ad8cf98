import { KeyType, PublicKey } from '@near-js/crypto'
import {
  type Action,
  actionCreators,
  createTransaction,
  decodeSignedTransaction,
  encodeTransaction,
} from '@near-js/transactions'
import { sha256 } from '@noble/hashes/sha2.js'
import { base58 } from '@scure/base'
import type { Wallet } from '@symbolon/api'
import { type Signer, startSigner } from '@symbolon/testing/app'
import { afterAll, beforeAll, expect, test } from 'vitest'

let signer: Signer
let wallet: Wallet
let key: PublicKey

beforeAll(async () => {
  signer = await startSigner('ed25519')
  wallet = signer.wallet
  key = new PublicKey({ keyType: KeyType.ED25519, data: Buffer.from(wallet.public_key.slice(2), 'hex') })
})
afterAll(() => signer?.stop())

const own = () => wallet.addresses['near'] ?? ''
const bytesOf = (actions: Action[], signer = own()) =>
  encodeTransaction(createTransaction(signer, key, 'bob.near', 1n, actions, new Uint8Array(32).fill(9)))

const sign = (bytes: Uint8Array, more = {}) => signer.sign('near', bytes, more)

test('a transaction is previewed, signed by the wallet in the enclave, and passes near-js', async () => {
  const bytes = bytesOf([actionCreators.transfer(15n * 10n ** 23n)])
  const { status, data } = await sign(bytes)
  expect(status).toBe(200)
  expect(data.decoded_preview).toMatchObject({
    title: 'Send 1.5 NEAR',
    from: own(),
    actions: [{ kind: 'transfer', asset: 'NEAR', to: 'bob.near' }],
    warnings: [],
  })
  const signed = decodeSignedTransaction(Buffer.from(String(data.signed_transaction), 'base64'))
  expect(Buffer.from(encodeTransaction(signed.transaction))).toEqual(Buffer.from(bytes))
  const signature = Uint8Array.from(signed.signature.ed25519Signature?.data ?? [])
  expect(key.verify(sha256(bytes), signature)).toBe(true)
  expect(data.signature).toBe(`0x${Buffer.from(signature).toString('hex')}`)
  expect(data.transaction_hash).toBe(base58.encode(sha256(bytes)))
})

test('a named account signs with the key of the wallet, and the preview names it', async () => {
  const bytes = bytesOf([actionCreators.transfer(10n ** 24n)], 'alice.near')
  for (const dry_run of [false, true]) {
    const { status, data } = await sign(bytes, { dry_run })
    expect(status).toBe(200)
    expect(data.decoded_preview.from).toBe('alice.near')
    expect(data.address).toBe(own())
  }
})

test('the account of another key and trailing bytes are refused', async () => {
  const code = async (bytes: Uint8Array) => (await sign(bytes)).error?.code
  const transfer = [actionCreators.transfer(1n)]
  expect(await code(bytesOf(transfer, 'ab'.repeat(32)))).toBe('invalid_payload')
  expect(await code(Uint8Array.of(...bytesOf(transfer), 0))).toBe('invalid_payload')
})
