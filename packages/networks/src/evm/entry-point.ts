import type { Hex } from '../codec/hex.ts'

/** EntryPoint v0.7 of ERC-4337, the same on every chain. */
export const entryPoint: Hex = '0x0000000071727De22E5E9d8BAf0edAc6f37da032'
