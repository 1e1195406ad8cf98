import { sha256 } from '@noble/hashes/sha2.js'
import { toBase64 } from '../codec/base64.ts'
import { encodeUtf8 } from '../codec/utf8.ts'
import { encodeCompact } from '../ecdsa-signature.ts'
import type { Network } from '../network.ts'
import { accountAddress, addressPrefix } from './address.ts'
import { aminoTransactions, directTransactions } from './transaction.ts'

/** Cosmos chains: bech32 addresses of RIPEMD-160(SHA-256(key)), ADR-036 messages, transactions in two sign modes. */
export const cosmos: Network = {
  name: 'cosmos',
  curve: 'secp256k1',
  messageFields: [],
  addresses: (publicKey) => ({
    cosmos: accountAddress('cosmos', publicKey),
    osmosis: accountAddress('osmo', publicKey),
  }),
  messagePayload({ message }, publicKey, chain) {
    const signer = accountAddress(addressPrefix(chain), publicKey)
    return encodeUtf8(signDocument(toBase64(message), signer))
  },
  messageDigest: (payload) => sha256(payload),
  encodeSignature: encodeCompact,
  transactions: directTransactions,
  aminoTransactions,
}

/** The sign document of ADR-036: sorted keys, no spaces; neither base64 nor bech32 needs escaping in JSON. */
function signDocument(data: string, signer: string): string {
  return (
    '{"account_number":"0","chain_id":"","fee":{"amount":[],"gas":"0"},"memo":"","msgs":[{"type":"sign/MsgSignData",' +
    `"value":{"data":"${data}","signer":"${signer}"}}],"sequence":"0"}`
  )
}
