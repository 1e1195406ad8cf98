import { sha256 } from '#sha2'
import { toBase64 } from '../codec/base64.ts'
import { encodeUtf8 } from '../codec/utf8.ts'
import { encodeCompact } from '../ecdsa-signature.ts'
import type { MessageCodec } from '../network.ts'
import { accountAddress, addressPrefix } from './address.ts'

/** Messages of ADR-036. */
export const cosmosMessage: MessageCodec = {
  fields: [],
  payload({ message }, { publicKey, chain }) {
    const signer = accountAddress(addressPrefix(chain), publicKey)
    return encodeUtf8(signDocument(toBase64(message), signer))
  },
  digest: (payload) => sha256(payload),
  encodeSignature: encodeCompact,
}

/** The sign document of ADR-036: sorted keys, no spaces; neither base64 nor bech32 needs escaping in JSON. */
function signDocument(data: string, signer: string): string {
  return (
    '{"account_number":"0","chain_id":"","fee":{"amount":[],"gas":"0"},"memo":"","msgs":[{"type":"sign/MsgSignData",' +
    `"value":{"data":"${data}","signer":"${signer}"}}],"sequence":"0"}`
  )
}
