/** The enclave image as a file (EIF), and what the hypervisor measures of it. */
export { type EifContent, EifError, type EifMetadata } from './eif.ts'
export { type EifMeasurements, measureEif } from './measure-eif.ts'
export { readEif } from './read-eif.ts'
export { writeEif } from './write-eif.ts'
