import { fromHex, toHex0x } from '../codec/hex.ts'
import type { PrivateKeyForm } from '../network.ts'

const prefix = 'ed25519-priv-'

/** AIP-80. */
export const aptosPrivateKey: PrivateKeyForm = {
  label: 'Aptos (AIP-80)',
  format: (key) => prefix + toHex0x(key),
  parse: (text) =>
    text.startsWith(prefix) ? fromHex(text.slice(prefix.length).replace(/^0x/, ''), true) : undefined,
}
