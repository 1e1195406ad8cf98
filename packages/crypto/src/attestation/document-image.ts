import { sha256 } from '@noble/hashes/sha2.js'
import { equalBytes } from '../equal-bytes.ts'
import { toHex } from '../hex.ts'
import { parseCose } from './cose.ts'
import { parseDocument } from './document.ts'
import { awsNitroRoot } from './policy.ts'
import type { EnclaveImage } from './user-data.ts'

const isZero = (register: Uint8Array): boolean => register.every((byte) => byte === 0)

/**
 * The registers that a document names, verified by nobody: what an enclave reads of its own document to tell others. A register 8 of zeros
 * means that nobody signed the image. Throws `AttestationError`.
 */
export function documentImage(document: Uint8Array): Omit<EnclaveImage, 'version'> {
  const { measurements } = parseDocument(parseCose(document).payload)
  const register = (index: number): Uint8Array => measurements.get(index) ?? new Uint8Array(48)
  return {
    pcr0: toHex(register(0)),
    pcr1: toHex(register(1)),
    pcr2: toHex(register(2)),
    pcr8: isZero(register(8)) ? null : toHex(register(8)),
  }
}

/**
 * What an enclave calls its own documents: `nitro` where they name AWS's root, else `simulated`; verified by nobody, as above. Throws
 * `AttestationError`.
 */
export function documentMode(document: Uint8Array): 'nitro' | 'simulated' {
  const [root] = parseDocument(parseCose(document).payload).bundle
  return equalBytes(sha256(root), awsNitroRoot) ? 'nitro' : 'simulated'
}
