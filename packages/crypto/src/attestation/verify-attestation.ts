import { sha256 } from '@noble/hashes/sha2.js'
import { base64UrlBytes } from '../base64.ts'
import { equalBytes } from '../equal-bytes.ts'
import { toHex } from '../hex.ts'
import {
  type AttestationAnswer,
  isOwnKid,
  type ReadAttestation,
  readAttestation,
} from './attestation-answer.ts'
import { AttestationError } from './attestation-error.ts'
import {
  type AttestationFinding,
  type AttestationReport,
  attestationFinding,
  attestationVerdict,
  findingOf,
} from './finding.ts'
import { awsNitroRoot, isSimulatedRoot, type Measurements } from './policy.ts'
import { attestationUserData, manifestSha256 } from './user-data.ts'
import { documentFailures, type OpenDocument, openDocument } from './verify-document.ts'

/** Which enclave you expect. */
export type ExpectedEnclave = {
  /** The key ring, from where the platform cannot change it. Without it, `ring_not_pinned` tells which one it is. */
  readonly ringId?: string | undefined
  /**
   * The registers of the images you trust, of which one must match in all that it names; PCR index to lower-case hex of 48 bytes.
   * Without any, a real enclave is `unproven`; a simulated one has none worth checking.
   */
  readonly measurements?: readonly Measurements[] | undefined
  /** Accepts the simulation of a development start. */
  readonly isSimulatedAllowed?: boolean | undefined
  /** The simulation's root certificate (DER); without it a simulation is `unproven` at best. */
  readonly simulatedRoot?: Uint8Array | undefined
}

/** What to verify an attestation against. */
export type VerifyAttestationOptions = ExpectedEnclave & {
  /** The answer of `GET /v1/attestation`, parsed, with or without its envelope. */
  readonly attestation: unknown
  /** The bytes that you asked with. Without them the document may be an old one: `unproven` at best. */
  readonly nonce?: Uint8Array | undefined
  /** Unix time in ms. */
  readonly nowMs: number
}

/** What an attestation comes to, and what it says; believe that only where the verdict is `verified`. */
export type VerifiedAttestation = AttestationReport & { readonly attestation: AttestationAnswer }

/**
 * Verifies an attestation of the API without trusting it: that AWS (or, where allowed, the simulation) signed the document, that it
 * is fresh and for your nonce, which image the enclave runs, and that ring, keys and manifest of the answer are the enclave's own.
 * Rejects with `TypeError` for what is not an attestation at all.
 */
export async function verifyAttestation(options: VerifyAttestationOptions): Promise<VerifiedAttestation> {
  const { attestation, nonce, nowMs, ...expected } = options
  const read = readAttestation(attestation)
  const { mode, findings } = await reportOn(read, expected, { nowMs, nonce })
  const missing = nonce === undefined ? [attestationFinding('nonce_not_checked')] : []
  return { ...reportOf(mode, [...findings, ...missing]), attestation: read.answer }
}

/** Verifies what an attestation was when it was made: neither its age nor a caller's nonce counts. For receipts. */
export function verifyPastAttestation(
  read: ReadAttestation,
  expected: ExpectedEnclave,
): Promise<AttestationReport> {
  return reportOn(read, expected, undefined)
}

type Fresh = { readonly nowMs: number; readonly nonce: Uint8Array | undefined }

async function reportOn(
  { answer, document: bytes }: ReadAttestation,
  expected: ExpectedEnclave,
  fresh: Fresh | undefined,
): Promise<AttestationReport> {
  const document = opened(bytes)
  if (document instanceof AttestationError) return reportOf(null, [findingOf(document)])
  const trust = trustIn(document, expected, answer.mode)
  const failures = await documentFailures(document, {
    rootSha256: trust.rootSha256,
    measurements: expected.measurements,
    atMs: fresh?.nowMs ?? document.timestampMs,
    isAgeChecked: fresh !== undefined,
    nonce: fresh?.nonce,
    userData: attestationUserData({ ...answer, manifest_sha256: manifestSha256(answer.manifest) }),
    isPublicKey: (key) =>
      answer.keys.some(({ use, jwk }) => use === 'channel' && isSame(base64UrlBytes(jwk.x), key)),
  })
  return reportOf(trust.mode, [
    ...trust.findings,
    ...failures.map(findingOf),
    ...ownFindings(document, answer),
    ...pinFindings(answer, expected, trust.mode),
  ])
}

function opened(bytes: Uint8Array): OpenDocument | AttestationError {
  try {
    return openDocument(bytes)
  } catch (error) {
    if (error instanceof AttestationError) return error
    throw error
  }
}

type Trust = Pick<AttestationReport, 'mode' | 'findings'> & { readonly rootSha256: Uint8Array }

/** Which root the document must have, by the root that it has and what is allowed. */
function trustIn({ bundle: [root] }: OpenDocument, expected: ExpectedEnclave, claimed: string): Trust {
  const own = sha256(root)
  const aws = { mode: 'nitro', rootSha256: awsNitroRoot, findings: [] } as const
  if (equalBytes(own, awsNitroRoot))
    return claimed === 'nitro' ? aws : { ...aws, findings: [otherMode(claimed)] }
  if (!isSimulatedRoot(root)) return { ...aws, mode: null }
  const { isSimulatedAllowed = false, simulatedRoot } = expected
  const findings = claimed === 'simulated' ? [] : [otherMode(claimed)]
  if (!isSimulatedAllowed) findings.push(attestationFinding('simulated_not_allowed'))
  else if (simulatedRoot === undefined) findings.push(attestationFinding('root_not_pinned'))
  const rootSha256 = simulatedRoot === undefined ? own : sha256(simulatedRoot)
  return { mode: 'simulated', rootSha256, findings }
}

const otherMode = (claimed: string): AttestationFinding =>
  attestationFinding('root_untrusted', `The answer calls itself ${claimed}, which its root is not.`)

/** What the enclave says of itself must fit together: its kids, its registers, its manifest's ring. */
function ownFindings(
  document: OpenDocument,
  { ring_id, image, keys, manifest }: AttestationAnswer,
): AttestationFinding[] {
  const findings: AttestationFinding[] = []
  const stranger = keys.find((key) => !isOwnKid(key))
  if (stranger !== undefined)
    findings.push(
      attestationFinding('user_data_mismatch', `the ${stranger.use} key is not the one of its kid.`),
    )
  const registers = { 0: image.pcr0, 1: image.pcr1, 2: image.pcr2, 8: image.pcr8 ?? '00'.repeat(48) }
  for (const [index, hex] of Object.entries(registers))
    if (toHex(document.measurements.get(Number(index)) ?? new Uint8Array(48)) !== hex)
      findings.push(
        attestationFinding('pcr_mismatch', `the answer's image has another PCR${index} than the document.`),
      )
  if ((manifest as { ring_id?: unknown } | null)?.ring_id !== ring_id)
    findings.push(
      attestationFinding('ring_mismatch', 'the manifest is not of the ring that the answer names.'),
    )
  return findings
}

/** What you pinned, and what you did not. */
function pinFindings(
  { ring_id }: AttestationAnswer,
  { ringId, measurements }: ExpectedEnclave,
  mode: AttestationReport['mode'],
): AttestationFinding[] {
  const findings: AttestationFinding[] = []
  if (ringId === undefined) findings.push(attestationFinding('ring_not_pinned', `it is ${ring_id}.`))
  else if (ringId !== ring_id) findings.push(attestationFinding('ring_mismatch', `it is ${ring_id}.`))
  if (measurements === undefined && mode === 'nitro') findings.push(attestationFinding('pcr_not_checked'))
  return findings
}

const isSame = (a: Uint8Array | undefined, b: Uint8Array): boolean => a !== undefined && equalBytes(a, b)

/** Findings with what they come to. */
export function reportOf(
  mode: AttestationReport['mode'],
  findings: readonly AttestationFinding[],
): AttestationReport {
  return { verdict: attestationVerdict(findings), mode, findings }
}
