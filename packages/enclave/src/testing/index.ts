/** The native signers, the locked memory and the receipts, for tests and benchmarks. */
export { makeReceiptKey } from '../boot-keys.ts'
export { receiptIssuer } from '../receipt-issuer.ts'
export { noDecision, receiptEffects, receiptFacts } from '../receipt-of.ts'
export { secureSlots } from '../secure-slots.ts'
export { signerEd25519 } from '../signer-ed25519.ts'
export { signerSecp256k1 } from '../signer-secp256k1.ts'
export { wasmSecp256k1 } from '../wasm-secp256k1.ts'
