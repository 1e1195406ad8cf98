/** From a SignRequest of the HTTP API to an intent: the same code in the service and in the vault; and its texts of bytes. */
export { fromBase64, toBase64 } from '../codec/base64.ts'
export { fromHex0x, toHex0x } from '../codec/hex.ts'
export type { EvmTransactionFields } from '../evm/transaction-from-fields.ts'
export { impliedChain } from './implied-chain.ts'
export { chainOf, intentOf } from './intent-of.ts'
export type { SignRequest } from './sign-request.ts'
