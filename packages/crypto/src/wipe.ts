/** Overwrites key material with zeros in place; copies made elsewhere are not its business. */
export const wipe = (...arrays: Uint8Array[]): void => {
  for (const array of arrays) array.fill(0)
}
