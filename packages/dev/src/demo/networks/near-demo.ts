import { createHash } from 'node:crypto'
import { KeyType, PublicKey } from '@near-js/crypto'
import {
  actionCreators,
  createTransaction,
  decodeSignedTransaction,
  encodeTransaction,
} from '@near-js/transactions'
import { getBase58Decoder } from '@solana/kit'
import { addressOf, base64, bytesOf, type NetworkDemo } from './network-demo.ts'

/** A transfer of NEAR from the wallet's implicit account. */
export const nearDemo: NetworkDemo = {
  chain: 'near',
  curve: 'ed25519',
  library: 'near-js',
  make(wallet) {
    const key = new PublicKey({ keyType: KeyType.ED25519, data: bytesOf(wallet.public_key) })
    const actions = [actionCreators.transfer(15n * 10n ** 23n)]
    const block = new Uint8Array(32).fill(9)
    const unsigned = createTransaction(addressOf(wallet, 'near'), key, 'bob.near', 1n, actions, block)
    const bytes = encodeTransaction(unsigned)
    return {
      transaction: base64(bytes),
      isSigned({ signed_transaction, transaction_hash }) {
        const signed = decodeSignedTransaction(Buffer.from(String(signed_transaction), 'base64'))
        const signature = signed.signature.ed25519Signature?.data ?? []
        const isSame = Buffer.from(encodeTransaction(signed.transaction)).equals(bytes)
        const digest = createHash('sha256').update(bytes).digest()
        const isNamed = getBase58Decoder().decode(digest) === transaction_hash
        return isSame && isNamed && key.verify(digest, Uint8Array.from(signature))
      },
    }
  },
}
