import { sha256 } from '@noble/hashes/sha2.js'
import { toBase64 } from '../codec/base64.ts'
import { encodeCompact } from '../ecdsa-signature.ts'
import type { Network } from '../network.ts'
import { bip322Preimage } from './bip322.ts'
import { keyHash, taprootOutputKey } from './output-keys.ts'
import { bitcoinTransactions } from './transaction.ts'
import { ecdsaWithHashType, encodeWitness } from './witness.ts'
import { witnessAddress } from './witness-address.ts'

/**
 * Bitcoin: P2WPKH (BIP-84) and BIP-86 taproot addresses, BIP-322 simple messages of the P2WPKH address, PSBTs that
 * spend from both.
 */
export const bitcoin: Network = {
  name: 'bitcoin',
  curve: 'secp256k1',
  messageFields: [],
  addresses(publicKey) {
    const program = keyHash(publicKey)
    return {
      bitcoin: witnessAddress('bc', 0, program),
      bitcoin_taproot: witnessAddress('bc', 1, taprootOutputKey(publicKey)),
      bitcoin_testnet: witnessAddress('tb', 0, program),
    }
  },
  messagePayload: ({ message }, publicKey) => bip322Preimage(message, publicKey),
  messageDigest: (payload) => sha256(sha256(payload)),
  encodeSignature: (signed) => ({
    ...encodeCompact(signed),
    signature: toBase64(encodeWitness(ecdsaWithHashType(signed.signature), signed.publicKey)),
    encoding: 'base64',
  }),
  transactions: bitcoinTransactions,
}
