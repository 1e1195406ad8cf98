import type { AeadName } from './aead-cipher.ts'
import type { KeyPurpose } from './key-purpose.ts'

const codes = { 'aes-256-gcm': 1, 'chacha20-poly1305': 2 } as const satisfies Record<AeadName, number>

/**
 * The cipher of a purpose's envelopes. TEE shares are opened by libsodium in the enclave, straight into locked memory,
 * which node:crypto cannot do; libsodium's AES needs a processor that has it, its ChaCha20 does not.
 */
export const algorithmOf = (purpose: KeyPurpose): AeadName =>
  purpose === 'tee-a' || purpose === 'tee-b' ? 'chacha20-poly1305' : 'aes-256-gcm'

/** The byte of that cipher in envelopes: 1 AES-256-GCM, 2 ChaCha20-Poly1305. */
export const algorithmCode = (purpose: KeyPurpose): number => codes[algorithmOf(purpose)]
