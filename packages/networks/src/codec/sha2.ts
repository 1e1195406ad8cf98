/** Node's own, which takes a tenth of the time of a hash in JavaScript; its types are not this package's. */
declare const process: {
  getBuiltinModule(name: 'node:crypto'): {
    hash(algorithm: 'sha256', bytes: Uint8Array, encoding: 'latin1'): string
  }
}

const { hash } = process.getBuiltinModule('node:crypto')

const hashBytes = 32

/** SHA-256 (FIPS 180-4). A text of a character for each byte comes out of Node in a fifth of the time of a buffer. */
export function sha256(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const text = hash('sha256', bytes, 'latin1')
  const digest = new Uint8Array(hashBytes)
  for (let index = 0; index < hashBytes; index++) digest[index] = text.charCodeAt(index)
  return digest
}
