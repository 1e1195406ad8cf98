import {
  Account,
  Asset,
  Keypair,
  Memo,
  Networks,
  Operation,
  type Transaction,
  TransactionBuilder,
} from '@stellar/stellar-base'
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

const other = Keypair.random()
const own = () => wallet.addresses['stellar'] ?? ''

/** A payment of 1.5 XLM with a memo, as the SDK builds it. */
function payment(source = own(), networkPassphrase: string = Networks.PUBLIC): Transaction {
  return new TransactionBuilder(new Account(source, '7'), { fee: '100', networkPassphrase })
    .addOperation(Operation.payment({ destination: other.publicKey(), asset: Asset.native(), amount: '1.5' }))
    .addMemo(Memo.id('42'))
    .setTimebounds(0, 1_800_000_000)
    .build()
}

const envelope = (transaction: Pick<Transaction, 'toEnvelope'>) => transaction.toEnvelope().toXDR('base64')
const sign = (transaction: string, chain = 'stellar') => signer.sign(chain, transaction)

test.each([
  ['stellar', Networks.PUBLIC],
  ['stellar-testnet', Networks.TESTNET],
])(
  'a transaction on %s is previewed, signed by the wallet in the enclave, and passes the SDK',
  async (chain, passphrase) => {
    const { status, data } = await sign(envelope(payment(own(), passphrase)), chain)
    expect(status).toBe(200)
    expect(data.decoded_preview).toMatchObject({
      title: 'Send 1.5 XLM',
      chain,
      from: own(),
      actions: [
        { kind: 'transfer', asset: 'XLM', amount: '15000000', to: other.publicKey(), args: { memo: '42' } },
      ],
      fee: { asset: 'XLM', amount: '100' },
      warnings: [],
      expires_at: '2027-01-15T08:00:00.000Z',
    })
    const signed = TransactionBuilder.fromXDR(String(data.signed_transaction), passphrase)
    const [signature] = signed.signatures
    expect(signed.signatures).toHaveLength(1)
    expect(signature?.hint()).toEqual(Keypair.fromPublicKey(own()).signatureHint())
    expect(Keypair.fromPublicKey(own()).verify(signed.hash(), signature?.signature() ?? Buffer.of())).toBe(
      true,
    )
    expect(data.signature).toBe(`0x${signature?.signature().toString('hex')}`)
    expect(data.transaction_hash).toBe(signed.hash().toString('hex'))
  },
)

test('a fee bump of the wallet passes the SDK', async () => {
  const inner = payment(other.publicKey())
  inner.sign(other)
  const fee = Keypair.fromPublicKey(own())
  const bump = TransactionBuilder.buildFeeBumpTransaction(fee, '300', inner, Networks.PUBLIC)
  const { data } = await sign(envelope(bump))
  const signed = TransactionBuilder.fromXDR(String(data.signed_transaction), Networks.PUBLIC)
  expect(fee.verify(bump.hash(), signed.signatures[0]?.signature() ?? Buffer.of())).toBe(true)
  expect(data.transaction_hash).toBe(bump.hash().toString('hex'))
})

test('another source, trailing bytes and other spellings are refused', async () => {
  const code = async (text: string) => (await sign(text)).error?.code
  expect(await code(envelope(payment(other.publicKey())))).toBe('invalid_payload')
  const bytes = Buffer.from(envelope(payment()), 'base64')
  expect(await code(Buffer.concat([bytes, Buffer.alloc(4)]).toString('base64'))).toBe('invalid_payload')
  expect(await code(envelope(payment()).replace(/=*$/, '*'))).toBe('invalid_request')
})
