import { createHash, X509Certificate } from 'node:crypto'
import { readCbor } from '../../attestation/cbor.ts'
import { type EifContent, EifError } from './eif.ts'

/** The measurements of an image as its attestation documents will carry them: lower-case hex of SHA-384. */
export type EifMeasurements = { version: string; pcr0: string; pcr1: string; pcr2: string; pcr8: string }

const registerBytes = 48

/**
 * Computes what the Nitro hypervisor measures of an image: PCR 0 is of kernel, command line and all ramdisks, PCR 1 of kernel, command line
 * and first ramdisk, PCR 2 of the other ramdisks, PCR 8 of the certificate (DER) that signed the image, zero where none did. Each is
 * `SHA-384(48 zero bytes ‖ SHA-384(bytes))`. The signature itself is not verified here. Throws `EifError` for a malformed one.
 */
export function measureEif({
  kernel,
  commandLine,
  ramdisks,
  metadata,
  signature,
}: EifContent): EifMeasurements {
  const bootstrap = [kernel, Buffer.from(commandLine, 'latin1'), ...ramdisks.slice(0, 1)]
  const application = ramdisks.slice(1)
  return {
    version: metadata.ImageVersion,
    pcr0: register([...bootstrap, ...application]),
    pcr1: register(bootstrap),
    pcr2: register(application),
    pcr8: signature === undefined ? '00'.repeat(registerBytes) : register([signingCertificate(signature)]),
  }
}

function register(parts: readonly Uint8Array[]): string {
  const measured = createHash('sha384')
  for (const part of parts) measured.update(part)
  return createHash('sha384').update(new Uint8Array(registerBytes)).update(measured.digest()).digest('hex')
}

/** The section is CBOR, `[{signing_certificate: PEM, signature: COSE_Sign1}]`; the format's own tool writes bytes as arrays of numbers. */
function signingCertificate(signature: Uint8Array): Uint8Array {
  try {
    const list = readCbor(signature, 'signature')
    const [first] = Array.isArray(list) ? list : []
    const pem = first instanceof Map ? first.get('signing_certificate') : undefined
    if (Array.isArray(list) && list.length === 1 && (Array.isArray(pem) || pem instanceof Uint8Array))
      return new X509Certificate(Buffer.from(pem)).raw
  } catch {
    // Told below, as for every other malformed one.
  }
  throw new EifError('the signature section holds no certificate')
}
