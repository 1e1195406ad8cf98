import { sha256 } from '#sha2'
import { toBase64 } from '../codec/base64.ts'
import { encodeCompact } from '../ecdsa-signature.ts'
import type { MessageCodec } from '../network.ts'
import { bip322Preimage } from './bip322.ts'
import { ecdsaWithHashType, encodeWitness } from './witness.ts'

/** BIP-322 simple messages of the P2WPKH address. */
export const bitcoinMessage: MessageCodec = {
  fields: [],
  payload: ({ message }, { publicKey }) => bip322Preimage(message, publicKey),
  digest: (payload) => sha256(sha256(payload)),
  encodeSignature: (signed) => ({
    ...encodeCompact(signed),
    signature: toBase64(encodeWitness(ecdsaWithHashType(signed.signature), signed.publicKey)),
    encoding: 'base64',
  }),
}
