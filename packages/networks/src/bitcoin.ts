import { sha256 } from '@noble/hashes/sha2.js'
import { base64 } from '@scure/base'
import { bip322Preimage } from './bitcoin/bip322.ts'
import { derSignature } from './bitcoin/der-signature.ts'
import { keyHash, taprootOutputKey } from './bitcoin/output-keys.ts'
import { witnessAddress } from './bitcoin/witness-address.ts'
import { concat } from './concat.ts'
import { encodeCompact } from './ecdsa-signature.ts'
import type { Network, Signed } from './network.ts'

const sighashAll = Uint8Array.of(1)

/** Bitcoin: P2WPKH (BIP-84) and BIP-86 taproot addresses, BIP-322 simple messages of the P2WPKH address. */
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
    signature: base64.encode(witness(signed)),
    encoding: 'base64',
  }),
}

/** The witness stack of a P2WPKH input: signature with its hash type, public key (BIP-141). */
function witness({ signature, publicKey }: Signed): Uint8Array {
  const encoded = concat(derSignature(signature), sighashAll)
  return concat(Uint8Array.of(2, encoded.length), encoded, Uint8Array.of(publicKey.length), publicKey)
}
