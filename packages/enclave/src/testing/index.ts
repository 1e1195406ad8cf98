/** The native signers and the locked memory, for tests and benchmarks. */
export { secureSlots } from '../secure-slots.ts'
export { signerEd25519 } from '../signer-ed25519.ts'
export { signerSecp256k1 } from '../signer-secp256k1.ts'
export { wasmSecp256k1 } from '../wasm-secp256k1.ts'
