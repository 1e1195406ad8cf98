import { toHex } from '../codec/hex.ts'
import type { PrivateKeyForm } from '../network.ts'

/** Bare hex. */
export const tronPrivateKey: PrivateKeyForm = { label: 'Tron (hex)', format: (key) => toHex(key) }
