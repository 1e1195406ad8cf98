import { sha256 } from '@noble/hashes/sha2.js'
import { toBase64 } from './base64.ts'
import { bip322Preimage } from './bitcoin/bip322.ts'
import { keyHash, taprootOutputKey } from './bitcoin/output-keys.ts'
import { bitcoinTransactions } from './bitcoin/transactions.ts'
import { ecdsaWithHashType, encodeWitness } from './bitcoin/witness.ts'
import { witnessAddress } from './bitcoin/witness-address.ts'
import { encodeCompact } from './ecdsa-signature.ts'
import type { Network } from './network.ts'

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
