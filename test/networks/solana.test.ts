import { base58 } from '@scure/base'
import {
  address,
  appendTransactionMessageInstructions,
  blockhash,
  compileTransaction,
  createNoopSigner,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  getPublicKeyFromAddress,
  getSignatureFromTransaction,
  getTransactionDecoder,
  type SignatureBytes,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  verifySignature,
} from '@solana/kit'
import { getTransferSolInstruction } from '@solana-program/system'
import type { Wallet } from '@symbolon/api'
import { type Signer, startSigner } from '@symbolon/testing/app'
import { afterAll, beforeAll, expect, test } from 'vitest'

let signer: Signer
let wallet: Wallet

beforeAll(async () => {
  signer = await startSigner('ed25519')
  wallet = signer.wallet
})
afterAll(() => signer?.stop())

const other = address('J3dxNj7nDRRqRRXuEMynDG57DkZK4jYRuv3Garmb1i99')

/** A transfer of the wallet's SOL, as kit compiles it. */
function transfer(feePayer = wallet.addresses['solana'] ?? '') {
  const source = createNoopSigner(address(wallet.addresses['solana'] ?? ''))
  const instruction = getTransferSolInstruction({ source, destination: other, amount: 1_500_000_000n })
  const lifetime = {
    blockhash: blockhash(base58.encode(new Uint8Array(32).fill(9))),
    lastValidBlockHeight: 1n,
  }
  const message = setTransactionMessageFeePayer(address(feePayer), createTransactionMessage({ version: 0 }))
  return compileTransaction(
    appendTransactionMessageInstructions(
      [instruction],
      setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
    ),
  )
}

const sign = (transaction: string, more = {}) => signer.sign('solana', transaction, more)

test('a transaction is previewed, signed by the wallet in the enclave, and passes kit', async () => {
  const compiled = transfer()
  const { status, data } = await sign(getBase64EncodedWireTransaction(compiled))
  expect(status).toBe(200)
  expect(data.decoded_preview).toMatchObject({
    title: 'Send 1.5 SOL',
    from: wallet.address,
    actions: [{ kind: 'transfer', asset: 'SOL', amount: '1500000000', to: other }],
    fee: { asset: 'SOL', amount: '5000' },
    warnings: [],
  })
  const signed = getTransactionDecoder().decode(Buffer.from(String(data.signed_transaction), 'base64'))
  expect(Buffer.from(signed.messageBytes)).toEqual(Buffer.from(compiled.messageBytes))
  const from = address(wallet.addresses['solana'] ?? '')
  const key = await getPublicKeyFromAddress(from)
  const signature = signed.signatures[from] as SignatureBytes
  expect(await verifySignature(key, signature, signed.messageBytes)).toBe(true)
  expect(data.transaction_hash).toBe(getSignatureFromTransaction(signed))
  expect(data.signature_base58).toBe(base58.encode(signature))
  // The bare message is signed alike.
  const bare = await sign(Buffer.from(compiled.messageBytes).toString('base64'))
  expect(bare.data.signed_transaction).toBe(data.signed_transaction)
})

test('while another signature misses, the transaction has no hash', async () => {
  const { status, data } = await sign(getBase64EncodedWireTransaction(transfer(other)))
  expect(status).toBe(200)
  expect(data).not.toHaveProperty('transaction_hash')
  const signed = getTransactionDecoder().decode(Buffer.from(String(data.signed_transaction), 'base64'))
  expect(signed.signatures[other]).toBeNull()
})

test('a transaction that the wallet need not sign, trailing bytes and other spellings are refused', async () => {
  const wire = Buffer.from(getBase64EncodedWireTransaction(transfer()), 'base64')
  const foreign = Buffer.from(wire)
  foreign.set(
    new Uint8Array(32).fill(1),
    foreign.indexOf(Buffer.from(base58.decode(wallet.addresses['solana'] ?? ''))),
  )
  const code = async (text: string, more = {}) => (await sign(text, more)).error?.code
  expect(await code(foreign.toString('base64'))).toBe('invalid_payload')
  expect(await code(Buffer.concat([wire, Buffer.of(0)]).toString('base64'))).toBe('invalid_payload')
  expect(await code(wire.toString('base64').replace(/=*$/, '*'))).toBe('invalid_request')
  // A dry run refuses what the signature would.
  expect(await code(foreign.toString('base64'), { dry_run: true })).toBe('invalid_payload')
})
