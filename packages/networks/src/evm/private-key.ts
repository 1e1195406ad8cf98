import { toHex0x } from '../codec/hex.ts'
import type { PrivateKeyForm } from '../network.ts'

/** 0x hex. */
export const evmPrivateKey: PrivateKeyForm = {
  label: 'Ethereum and EVM chains (hex)',
  format: (key) => toHex0x(key),
}
