import { wipe } from './wipe.ts'

const inspection = Symbol.for('nodejs.util.inspect.custom')

/**
 * Holds bytes that no log, error, JSON text or structured clone can show: they live in a private field
 * and leave only through `bytes`.
 *
 * It takes the array over without copying, so that `wipe` leaves nothing behind. Reading `bytes` after
 * `wipe` throws an `Error`.
 */
export class Secret {
  #bytes: Uint8Array | undefined

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  get bytes(): Uint8Array {
    if (this.#bytes === undefined) throw new Error('The secret has been wiped.')
    return this.#bytes
  }

  // Node's inspection would otherwise call the getter when asked for hidden properties and getters at once.
  [inspection](): string {
    return 'Secret'
  }

  wipe(): void {
    if (this.#bytes !== undefined) wipe(this.#bytes)
    this.#bytes = undefined
  }
}
