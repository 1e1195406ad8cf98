import { inputAt, keccakModule, roundConstants, roundsAt } from './keccak-module.ts'

/** The little of WebAssembly that is used here; neither DOM nor Node is in this package's types. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object
  readonly Instance: new (module: object) => { readonly exports: object }
}
type Exports = { readonly memory: { readonly buffer: ArrayBuffer }; absorb(blocks: number): void }

const rate = 136
const hashBytes = 32
const { memory, absorb } = new WebAssembly.Instance(new WebAssembly.Module(keccakModule())).exports as Exports
const state = new Uint8Array(memory.buffer, 0, 200)
const input = new Uint8Array(memory.buffer, inputAt)
const blocksMax = Math.floor(input.length / rate)
new BigUint64Array(memory.buffer, roundsAt).set(roundConstants())

/** Keccak-256, as Ethereum has it: the first padding of the sponge that became SHA-3. */
export const keccak256 = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => sponge(bytes, 0x01)

/** SHA3-256 (FIPS 202, section 6.1). */
export const sha3 = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => sponge(bytes, 0x06)

/** Starts from a cleared state and is never reentered: nothing that it calls can call it. */
function sponge(bytes: Uint8Array, padding: number): Uint8Array<ArrayBuffer> {
  state.fill(0)
  let at = 0
  for (
    let whole = Math.floor(bytes.length / rate);
    whole > 0;
    whole = Math.floor((bytes.length - at) / rate)
  ) {
    const count = Math.min(whole, blocksMax)
    input.set(bytes.subarray(at, at + count * rate))
    absorb(count)
    at += count * rate
  }
  const left = bytes.length - at
  input.set(left === bytes.length ? bytes : bytes.subarray(at))
  input.fill(0, left, rate)
  input[left] = padding
  input[rate - 1] = (input[rate - 1] ?? 0) | 0x80
  absorb(1)
  return state.slice(0, hashBytes)
}
