/** Fresh cryptographic randomness: `length` bytes. */
export type Random = (length: number) => Uint8Array
