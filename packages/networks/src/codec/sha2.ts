/** Node's own, which takes a tenth of the time of a hash in JavaScript; its types are not this package's. */
declare const process: {
  getBuiltinModule(name: 'node:crypto'): {
    hash(algorithm: 'sha256', bytes: Uint8Array, encoding: 'buffer'): Uint8Array
  }
}

const { hash } = process.getBuiltinModule('node:crypto')

/** SHA-256 (FIPS 180-4). */
export const sha256 = (bytes: Uint8Array): Uint8Array<ArrayBuffer> =>
  new Uint8Array(hash('sha256', bytes, 'buffer'))
