/** The enclave image as a file: its format, its ramdisks and what is measured of it. Not part of the enclave program. */
export { type CpioEntry, CpioError } from './cpio.ts'
export { type EifContent, EifError, type EifMetadata } from './eif.ts'
export { type EifMeasurements, measureEif } from './measure-eif.ts'
export { readCpio } from './read-cpio.ts'
export { readEif } from './read-eif.ts'
export { writeCpio } from './write-cpio.ts'
export { writeEif } from './write-eif.ts'
