import { createHash } from 'node:crypto'

// The values are arbitrary but fixed: the policy of the development start names them.
const extend = (name: string): Uint8Array =>
  new Uint8Array(createHash('sha384').update(new Uint8Array(48)).update(`SIMULATED ${name}`).digest())

/** PCR 0..2 of every simulated enclave: image, kernel and application, each marked as simulated. */
export const simulatedMeasurements: ReadonlyMap<number, Uint8Array> = new Map([
  [0, extend('image')],
  [1, extend('kernel')],
  [2, extend('application')],
])

/** The same registers in lower-case hex, by index. */
export const simulatedRegisters: Readonly<Record<string, string>> = Object.fromEntries(
  [...simulatedMeasurements].map(([index, value]) => [index, Buffer.from(value).toString('hex')]),
)
