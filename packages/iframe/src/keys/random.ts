/** So many uniform bytes of a cryptographic source. */
export type Random = (length: number) => Uint8Array
