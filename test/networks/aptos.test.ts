import {
  AccountAddress,
  AccountAuthenticatorEd25519,
  ChainId,
  Deserializer,
  Ed25519PublicKey,
  EntryFunction,
  FeePayerRawTransaction,
  generateSigningMessageForTransaction,
  generateUserTransactionHash,
  RawTransaction,
  SignedTransaction,
  SimpleTransaction,
  type TransactionAuthenticatorEd25519,
  type TransactionAuthenticatorFeePayer,
  TransactionPayloadEntryFunction,
  U64,
} from '@aptos-labs/ts-sdk'
import type { SignResponse, Wallet } from '@symbolon/api'
import { type Signer, startSigner } from '@symbolon/testing/app'
import { afterAll, beforeAll, expect, test } from 'vitest'

let signer: Signer
let wallet: Wallet

beforeAll(async () => {
  signer = await startSigner('ed25519')
  wallet = signer.wallet
})
afterAll(() => signer?.stop())

const bob = AccountAddress.from(`0x${'b0'.repeat(32)}`)

/** A transfer of 1.5 APT, as the SDK builds it. */
function transfer(sender = wallet.addresses['aptos'] ?? ''): RawTransaction {
  const call = EntryFunction.build('0x1::aptos_account', 'transfer', [], [bob, new U64(150_000_000n)])
  const payload = new TransactionPayloadEntryFunction(call)
  const from = AccountAddress.from(sender)
  return new RawTransaction(from, 3n, payload, 2000n, 100n, 1_800_000_000n, new ChainId(1))
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
const sign = (transaction: string, chain = 'aptos') => signer.sign(chain, transaction)
const signedOf = ({ signed_transaction }: SignResponse) =>
  SignedTransaction.deserialize(Deserializer.fromHex(String(signed_transaction)))

test('a transaction is previewed, signed by the wallet in the enclave, and passes the SDK', async () => {
  const rawTransaction = transfer()
  const { status, data } = await sign(base64(rawTransaction.bcsToBytes()))
  expect(status).toBe(200)
  expect(data.decoded_preview).toMatchObject({
    title: 'Send 1.5 APT',
    from: wallet.addresses['aptos'],
    actions: [{ kind: 'transfer', asset: 'APT', amount: '150000000', to: bob.toStringLong() }],
    fee: { asset: 'APT', amount: '200000' },
    warnings: [],
    expires_at: '2027-01-15T08:00:00.000Z',
  })
  const authenticator = signedOf(data).authenticator as TransactionAuthenticatorEd25519
  const { public_key, signature } = authenticator
  const transaction = new SimpleTransaction(rawTransaction)
  const message = generateSigningMessageForTransaction(transaction)
  expect(public_key.verifySignature({ message, signature })).toBe(true)
  expect(data.signature).toBe(signature.toString())
  const senderAuthenticator = new AccountAuthenticatorEd25519(public_key, signature)
  expect(data.transaction_hash).toBe(generateUserTransactionHash({ transaction, senderAuthenticator }))
})

test('with a fee payer the wallet’s part is signed, and there is no hash yet', async () => {
  const rawTransaction = transfer()
  const { data } = await sign(base64(new FeePayerRawTransaction(rawTransaction, [], bob).bcsToBytes()))
  expect(data).not.toHaveProperty('transaction_hash')
  expect(data.decoded_preview.fee).toBeNull()
  const { sender } = signedOf(data).authenticator as TransactionAuthenticatorFeePayer
  const message = generateSigningMessageForTransaction(new SimpleTransaction(rawTransaction, bob))
  const key = new Ed25519PublicKey(wallet.public_key)
  expect(key.verifySignature({ message, signature: (sender as AccountAuthenticatorEd25519).signature })).toBe(
    true,
  )
})

test('another sender, another chain, trailing bytes and other spellings are refused', async () => {
  const own = base64(transfer().bcsToBytes())
  const code = async (text: string, chain?: string) => (await sign(text, chain)).error?.code
  expect(await code(base64(transfer(bob.toString()).bcsToBytes()))).toBe('invalid_payload')
  expect(await code(own, 'aptos-testnet')).toBe('invalid_payload')
  expect(await code(base64(Buffer.concat([transfer().bcsToBytes(), Buffer.of(0)])))).toBe('invalid_payload')
  expect(await code(own.replace(/=*$/, '*'))).toBe('invalid_request')
})
