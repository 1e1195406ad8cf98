/** The enclave image as a file: its format, its ramdisks and what is measured of it. Not part of the enclave program. */
export {
  type EifContent,
  EifError,
  type EifMeasurements,
  type EifMetadata,
  measureEif,
  readEif,
  writeEif,
} from '@symbolon/crypto/image'
export { type CpioEntry, CpioError } from './cpio.ts'
export { readCpio } from './read-cpio.ts'
export { writeCpio } from './write-cpio.ts'
