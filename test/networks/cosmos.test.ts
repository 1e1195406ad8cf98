import { encodeSecp256k1Pubkey, makeSignDoc as makeAminoDoc, serializeSignDoc } from '@cosmjs/amino'
import { Secp256k1, Secp256k1Signature, sha256 } from '@cosmjs/crypto'
import { encodePubkey, makeAuthInfoBytes, makeSignBytes, makeSignDoc } from '@cosmjs/proto-signing'
import type { Wallet } from '@symbolon/api'
import { type Signer, startSigner } from '@symbolon/testing/app'
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { AuthInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { afterAll, beforeAll, expect, test } from 'vitest'

let signer: Signer
let wallet: Wallet
let publicKey: Uint8Array

beforeAll(async () => {
  signer = await startSigner()
  wallet = signer.wallet
  publicKey = Uint8Array.from(Buffer.from(wallet.public_key.slice(2), 'hex'))
})
afterAll(() => signer?.stop())

type Handle = 'cosmoshub' | 'osmosis'
const ids = { cosmoshub: 'cosmoshub-4', osmosis: 'osmosis-1' }
const own = (chain: Handle) => wallet.addresses[chain === 'osmosis' ? 'osmosis' : 'cosmos'] ?? ''
const amountOf = (chain: Handle) => [{ denom: chain === 'osmosis' ? 'uosmo' : 'uatom', amount: '1500000' }]
const fee = { amount: [{ denom: 'uatom', amount: '5000' }], gas: '200000' }

/** A payment to itself as cosmjs writes it for signing. */
function signDocOf(chain: Handle, from = own(chain)): Uint8Array {
  const value = MsgSend.fromPartial({ fromAddress: from, toAddress: from, amount: amountOf(chain) })
  const messages = [{ typeUrl: MsgSend.typeUrl, value: MsgSend.encode(value).finish() }]
  const body = TxBody.encode(TxBody.fromPartial({ messages })).finish()
  const signer = { pubkey: encodePubkey(encodeSecp256k1Pubkey(publicKey)), sequence: 3 }
  const authInfo = makeAuthInfoBytes([signer], fee.amount, 200_000, undefined, undefined)
  return makeSignBytes(makeSignDoc(body, authInfo, ids[chain], 9))
}

/** The same as a sign document in amino JSON. */
function documentOf(chain: Handle): Uint8Array {
  const value = { from_address: own(chain), to_address: own(chain), amount: amountOf(chain) }
  return serializeSignDoc(makeAminoDoc([{ type: 'cosmos-sdk/MsgSend', value }], fee, ids[chain], '', 9, 3))
}

test.each([
  ['cosmoshub', 'direct'],
  ['osmosis', 'direct'],
  ['cosmoshub', 'amino_json'],
  ['osmosis', 'amino_json'],
] as const)(
  'a transaction of %s in sign mode %s is previewed, signed in the enclave, and passes cosmjs',
  async (chain, sign_mode) => {
    const bytes = sign_mode === 'direct' ? signDocOf(chain) : documentOf(chain)
    const { status, data } = await signer.sign(chain, bytes, { sign_mode })
    expect(status).toBe(200)
    const symbol = chain === 'osmosis' ? 'OSMO' : 'ATOM'
    expect(data.decoded_preview).toMatchObject({
      title: `Send 1.5 ${symbol}`,
      from: own(chain),
      actions: [{ kind: 'transfer', asset: symbol, amount: '1500000', to: own(chain) }],
    })
    const signature = Buffer.from(data.signature?.slice(2) ?? '', 'hex')
    const fixed = Secp256k1Signature.fromFixedLength(signature)
    expect(await Secp256k1.verifySignature(fixed, sha256(bytes), publicKey)).toBe(true)
    const raw = Buffer.from(String(data.signed_transaction), 'base64')
    expect(data.transaction_hash).toBe(Buffer.from(sha256(raw)).toString('hex').toUpperCase())
    const { bodyBytes, authInfoBytes, signatures } = TxRaw.decode(raw)
    expect(signatures.map((each) => Buffer.from(each))).toEqual([signature])
    expect(TxBody.decode(bodyBytes).messages.map(({ typeUrl }) => typeUrl)).toEqual([MsgSend.typeUrl])
    const mode = sign_mode === 'direct' ? 1 : 127
    expect(AuthInfo.decode(authInfoBytes).signerInfos).toMatchObject([
      { modeInfo: { single: { mode } }, sequence: 3n },
    ])
  },
)

test('without a sign mode a text is a SignDoc, and neither form stands for the other', async () => {
  expect((await signer.sign('cosmoshub', signDocOf('cosmoshub'))).status).toBe(200)
  const refusal = { status: 400, error: { code: 'invalid_payload' } }
  expect(await signer.sign('cosmoshub', documentOf('cosmoshub'))).toMatchObject(refusal)
  expect(await signer.sign('cosmoshub', signDocOf('cosmoshub'), { sign_mode: 'amino_json' })).toMatchObject(
    refusal,
  )
})

test('another chain, the message of another account and trailing bytes are refused', async () => {
  const refusal = { status: 400, error: { code: 'invalid_payload' } }
  expect(await signer.sign('osmosis', signDocOf('cosmoshub'))).toMatchObject(refusal)
  const other = 'cosmos1jv65s3grqf6v6jl3dp4t6c9t9rk99cd88lyufl'
  expect(await signer.sign('cosmoshub', signDocOf('cosmoshub', other))).toMatchObject(refusal)
  expect(await signer.sign('cosmoshub', Uint8Array.of(...signDocOf('cosmoshub'), 0))).toMatchObject(refusal)
})
