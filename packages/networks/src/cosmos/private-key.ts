import { toHex } from '../codec/hex.ts'
import type { PrivateKeyForm } from '../network.ts'

/** Bare hex. */
export const cosmosPrivateKey: PrivateKeyForm = {
  label: 'Cosmos and Osmosis (hex)',
  format: (key) => toHex(key),
}
