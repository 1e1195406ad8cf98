import { ed25519 } from '@noble/curves/ed25519.js'
import type { IsSignature } from '../signature.ts'

/** `IsSignature` by noble; the vault, whose bundle has the library already, brings its own. */
export const isEd25519Signature: IsSignature = (signature, message, publicKey) =>
  ed25519.verify(signature, message, publicKey, { zip215: false })
