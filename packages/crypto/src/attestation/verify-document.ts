import { sha256 } from '@noble/hashes/sha2.js'
import { equalBytes } from '../equal-bytes.ts'
import { toHex } from '../hex.ts'
import { AttestationError } from './attestation-error.ts'
import { type Certificate, parseCertificate } from './certificate.ts'
import { verifyChain } from './chain.ts'
import { type CoseSign1, parseCose } from './cose.ts'
import { type AttestationDocument, parseDocument } from './document.ts'
import { isP384Signature } from './p384.ts'
import type { Measurements } from './policy.ts'

/** A document that was read; nothing of it is verified yet. */
export type OpenDocument = AttestationDocument & { readonly cose: CoseSign1 }

/** What a document is verified against. A part that is undefined is not verified. */
export type DocumentChecks = {
  readonly rootSha256: Uint8Array
  /** Sets of registers of which one must match entirely. */
  readonly measurements: readonly Measurements[] | undefined
  /** Unix time in ms at which the certificates must be valid, and with `isAgeChecked` the document fresh. */
  readonly atMs: number
  readonly isAgeChecked: boolean
  readonly nonce: Uint8Array | undefined
  readonly userData: Uint8Array
  /** Whether this may be the document's public key. */
  readonly isPublicKey: (key: Uint8Array) => boolean
}

/** custody.md, "What everybody can check": age (60 s). */
const ageMaxMs = 60_000
const skewMaxMs = 30_000

/** Reads an attestation document in the AWS Nitro format. Throws `AttestationError`. */
export function openDocument(bytes: Uint8Array): OpenDocument {
  const cose = parseCose(bytes)
  return { ...parseDocument(cose.payload), cose }
}

/** Verifies a document. Resolves with every check that failed, the first ones first; none means that it proves what it says. */
export async function documentFailures(
  document: OpenDocument,
  checks: DocumentChecks,
): Promise<AttestationError[]> {
  const failures: AttestationError[] = []
  const check = async <result>(verify: () => result | Promise<result>): Promise<result | undefined> => {
    try {
      return await verify()
    } catch (error) {
      if (!(error instanceof AttestationError)) throw error
      failures.push(error)
      return undefined
    }
  }
  await check(() => verifyRoot(document, checks.rootSha256))
  const chain = await check(() => [...document.bundle, document.certificate].map(readCertificate))
  if (chain !== undefined) {
    await check(() => verifyChain(chain, checks.atMs))
    await check(() => verifySignature(document, chain.at(-1)))
  }
  if (checks.isAgeChecked) await check(() => verifyAge(document, checks.atMs))
  await check(() => verifyNoDebug(document))
  await check(() => verifyMeasurements(document, checks.measurements))
  await check(() => verifyBinding(document, checks))
  return failures
}

/** The registers of a document that something was measured into: PCR index to hex. */
export function measuredRegisters({ measurements }: AttestationDocument): Record<string, string> {
  const measured = [...measurements].filter(([, register]) => !isZero(register))
  return Object.fromEntries(measured.map(([index, register]) => [String(index), toHex(register)]))
}

function verifyRoot({ bundle }: OpenDocument, rootSha256: Uint8Array): void {
  if (!equalBytes(sha256(bundle[0]), rootSha256)) throw new AttestationError('root_mismatch')
}

async function verifySignature({ cose }: OpenDocument, leaf: Certificate | undefined): Promise<void> {
  if (leaf === undefined || !(await isP384Signature(leaf.publicKey, cose.signature, cose.signed)))
    throw new AttestationError('cose_signature')
}

function readCertificate(bytes: Uint8Array, index: number): Certificate {
  try {
    return parseCertificate(bytes)
  } catch (error) {
    if (!(error instanceof AttestationError)) throw error
    throw new AttestationError(error.code, [`certificate ${index}`, error.where].filter(Boolean).join(': '))
  }
}

function verifyAge({ timestampMs }: OpenDocument, nowMs: number): void {
  const seconds = Math.round(Math.abs(nowMs - timestampMs) / 1000)
  if (timestampMs > nowMs + skewMaxMs) throw new AttestationError('document_future', `by ${seconds} s`)
  if (nowMs - timestampMs > ageMaxMs) throw new AttestationError('document_stale', `${seconds} s`)
}

function verifyNoDebug({ measurements }: OpenDocument): void {
  // An enclave in debug mode has a console and zero registers.
  for (const index of [0, 1, 2])
    if (isZero(measurements.get(index))) throw new AttestationError('debug_mode', `PCR${index}`)
}

function verifyMeasurements(
  { measurements }: OpenDocument,
  allowed: readonly Measurements[] | undefined,
): void {
  if (allowed === undefined) return
  // A set that names no register is no image, and matches none.
  const images = allowed.filter((set) => Object.keys(set).length > 0)
  const differing = images.map((set) =>
    Object.entries(set).filter(
      ([index, hex]) => toHex(measurements.get(Number(index)) ?? new Uint8Array()) !== hex,
    ),
  )
  if (differing.some((registers) => registers.length === 0)) return
  const [only = [], ...more] = differing
  const where = more.length > 0 ? 'no known image' : only.map(([index]) => `PCR${index}`).join(', ')
  throw new AttestationError('measurement_mismatch', where)
}

function verifyBinding(document: OpenDocument, { nonce, userData, isPublicKey }: DocumentChecks): void {
  const { publicKey } = document
  if (nonce !== undefined && !isSame(document.nonce, nonce)) throw new AttestationError('nonce_mismatch')
  if (!isSame(document.userData, userData)) throw new AttestationError('binding_mismatch')
  if (publicKey === undefined || !isPublicKey(publicKey)) throw new AttestationError('public_key')
}

const isSame = (a: Uint8Array | undefined, b: Uint8Array): boolean => a !== undefined && equalBytes(a, b)
const isZero = (bytes: Uint8Array | undefined): boolean =>
  bytes === undefined || bytes.every((byte) => byte === 0)
