import { keccak_256, sha3_256 } from '@noble/hashes/sha3.js'

/** What `#keccak` is in a browser's build: pages forbid WebAssembly, and hash one payload at a time. */
export const keccak256 = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => keccak_256(bytes)

/** SHA3-256. */
export const sha3 = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => sha3_256(bytes)
