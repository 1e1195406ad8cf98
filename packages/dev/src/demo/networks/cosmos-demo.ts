import { encodeSecp256k1Pubkey } from '@cosmjs/amino'
import { Secp256k1, Secp256k1Signature, sha256 } from '@cosmjs/crypto'
import { encodePubkey, makeAuthInfoBytes, makeSignBytes, makeSignDoc } from '@cosmjs/proto-signing'
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { addressOf, base64, bytesOf, hex, type NetworkDemo } from './network-demo.ts'

/** A payment on the Cosmos Hub, in SIGN_MODE_DIRECT. */
export const cosmosDemo: NetworkDemo = {
  chain: 'cosmoshub',
  curve: 'secp256k1',
  library: 'cosmjs',
  make(wallet) {
    const own = addressOf(wallet, 'cosmos')
    const publicKey = bytesOf(wallet.public_key)
    const amount = [{ denom: 'uatom', amount: '1500000' }]
    const value = MsgSend.encode(MsgSend.fromPartial({ fromAddress: own, toAddress: own, amount })).finish()
    const body = TxBody.encode(
      TxBody.fromPartial({ messages: [{ typeUrl: MsgSend.typeUrl, value }] }),
    ).finish()
    const signer = { pubkey: encodePubkey(encodeSecp256k1Pubkey(publicKey)), sequence: 3 }
    const fee = [{ denom: 'uatom', amount: '5000' }]
    const authInfo = makeAuthInfoBytes([signer], fee, 200_000, undefined, undefined)
    const document = makeSignBytes(makeSignDoc(body, authInfo, 'cosmoshub-4', 9))
    return {
      transaction: base64(document),
      async isSigned({ signed_transaction, transaction_hash }) {
        const raw = Uint8Array.from(Buffer.from(String(signed_transaction), 'base64'))
        const [signature = new Uint8Array(64)] = TxRaw.decode(raw).signatures
        const parsed = Secp256k1Signature.fromFixedLength(signature)
        const isValid = await Secp256k1.verifySignature(parsed, sha256(document), publicKey)
        return isValid && hex(sha256(raw)).toUpperCase() === transaction_hash
      },
    }
  },
}
