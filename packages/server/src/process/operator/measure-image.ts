import { readFileSync } from 'node:fs'
import { EifError, type EifMeasurements, measureEif, readEif } from '@symbolon/crypto/image'
import { OperatorError } from './operator-failure.ts'

/** What the hypervisor will measure of the enclave image in a file. Throws `OperatorError` with a sentence that names the file. */
export function measureImage(file: string): EifMeasurements {
  let image: Uint8Array
  try {
    image = readFileSync(file)
  } catch {
    throw new OperatorError(`${file} cannot be read. npm run enclave:image makes an image.`)
  }
  try {
    return measureEif(readEif(image))
  } catch (error) {
    throw error instanceof EifError ? new OperatorError(`${file}: ${error.message}.`) : error
  }
}
