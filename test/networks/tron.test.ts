import type { Wallet } from '@symbolon/api'
import { type Signer, startSigner } from '@symbolon/testing/app'
import { TronWeb, utils } from 'tronweb'
import { afterAll, beforeAll, expect, test } from 'vitest'

let signer: Signer
let wallet: Wallet

beforeAll(async () => {
  signer = await startSigner()
  wallet = signer.wallet
})
afterAll(() => signer?.stop())

const own = () => wallet.addresses['tron'] ?? ''
const friend = `41${'ab'.repeat(20)}`

/** A transfer as tronweb builds it. */
function transferOf(owner = own()) {
  const value = { to_address: friend, owner_address: TronWeb.address.toHex(owner), amount: 25_000_000 }
  const message = utils.transaction.txJsonToPb({
    raw_data: {
      contract: [{ type: 'TransferContract', parameter: { value } }],
      ref_block_bytes: 'abcd',
      ref_block_hash: '0011223344556677',
      expiration: 1_764_000_060_000,
      timestamp: 1_764_000_000_000,
    },
  } as never)
  const raw = utils.transaction.txPbToRawDataHex(message).toLowerCase()
  return { raw, id: utils.transaction.txPbToTxID(message).replace(/^0x/, '') }
}

const sign = (transaction: string, more = {}) => signer.sign('tron', transaction, more)

test('a transaction is previewed, signed by the wallet in the enclave, and tronweb recovers its owner', async () => {
  const { raw, id } = transferOf()
  const { status, data } = await sign(raw)
  expect(status).toBe(200)
  expect(data.decoded_preview).toMatchObject({
    title: 'Send 25 TRX',
    from: own(),
    actions: [{ kind: 'transfer', asset: 'TRX', amount: '25000000', to: TronWeb.address.fromHex(friend) }],
    expires_at: '2025-11-24T16:01:00.000Z',
  })
  const signature = data.signature?.slice(2) ?? ''
  expect(data.signed_transaction).toEqual({ raw_data_hex: raw, signature: [signature], txID: id })
  expect(data.transaction_hash).toBe(id)
  expect(TronWeb.address.fromHex(utils.crypto.ecRecover(id, signature))).toBe(own())
})

test('hex in capitals is the same transaction; 0x, mixed case, base64 and a sign mode are invalid requests', async () => {
  const { raw, id } = transferOf()
  expect((await sign(raw.toUpperCase(), { dry_run: true })).status).toBe(200)
  expect((await sign(raw.toUpperCase())).data.transaction_hash).toBe(id)
  for (const [text, more] of [
    [`0x${raw}`, {}],
    [raw.replace(/^0a/, '0A'), {}],
    [Buffer.from(raw, 'hex').toString('base64'), {}],
    [raw, { sign_mode: 'direct' }],
    [raw, { sign_mode: 'amino_json' }],
  ] as const)
    expect(await sign(text, more)).toMatchObject({ status: 400, error: { code: 'invalid_request' } })
})

test('the contract of another owner and trailing bytes are refused', async () => {
  const refusal = { status: 400, error: { code: 'invalid_payload' } }
  expect(await sign(transferOf(TronWeb.address.fromHex(friend)).raw)).toMatchObject(refusal)
  expect(await sign(`${transferOf().raw}00`)).toMatchObject(refusal)
})
