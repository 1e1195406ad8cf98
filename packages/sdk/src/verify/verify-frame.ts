import {
  type AttestationFinding,
  type AttestationReport,
  type ExpectedEnclave,
  verifyAttestation,
} from '@symbolon/crypto/attestation'
import { backend } from '../adapters/backend.ts'
import { given } from '../given.ts'
import { type AttestationSource, answerOf, fetchAttestation } from './fetch-attestation.ts'
import { type FrameSource, flawOfFiles, servedPage } from './served-frame.ts'

/** Whom to ask, which enclave must answer, and with a publishable key whose page of the frame is compared. */
export type VerifyFrameOptions = AttestationSource &
  ExpectedEnclave & { readonly publishableKey?: string | undefined }

/** The codes of findings about the frame: `frame_mismatch` fails, `frame_not_pinned` leaves the frame unproven. */
export const frameFindingCodes = ['frame_mismatch', 'frame_not_pinned'] as const

/** One of those codes. */
export type FrameFindingCode = (typeof frameFindingCodes)[number]

/** A finding about the frame. */
export type FrameFinding = { readonly code: FrameFindingCode; readonly message: string }

/** What a frame comes to: the findings of the attestation first. */
export type FrameReport = Pick<AttestationReport, 'verdict' | 'mode'> & {
  readonly findings: readonly (AttestationFinding | FrameFinding)[]
  /** Where pages find the frame, and the hash of what is served there, lower-case hex; null where it was not compared. */
  readonly frame: { readonly url: string; readonly sha256: string | null }
}

/**
 * Verifies that the wallet frame of a platform is the one that the manifest of its enclave names: the enclave attests its manifest, and the SHA-256
 * of the page without its configuration is the manifest's `frame_sha256`. The page has the hashes of its script and style, which are compared with the
 * files. Rejects with `AttestationUnavailableError` where nobody answers, and with `TypeError` for what is not an attestation.
 *
 * @example
 * const { verdict } = await verifyFrame({ baseUrl: 'https://wallets.example.com', ringId, measurements, publishableKey })
 */
export async function verifyFrame(options: VerifyFrameOptions): Promise<FrameReport> {
  const { baseUrl, fetch, publishableKey, ...expected } = given('verifyFrame', options, ['baseUrl'])
  const { attestation, nonce } = await fetchAttestation({ baseUrl, fetch })
  const report = await verifyAttestation({ attestation, nonce, nowMs: backend.nowMs(), ...expected })
  const pinned = frameOf(report.attestation.manifest)
  const url = urlIn(await answerOf({ baseUrl, fetch }, '/v1/frame'))
  const reported = (finding: FrameFinding | undefined, sha256: string | null = null): FrameReport => ({
    verdict: finding === undefined ? report.verdict : worse(report.verdict, finding.code),
    mode: report.mode,
    findings: finding === undefined ? report.findings : [...report.findings, finding],
    frame: { url: url ?? '', sha256 },
  })
  if (url === undefined) return reported(mismatch('the platform names none'))
  if (pinned.url !== null && pinned.url !== url)
    return reported(mismatch(`pages load it from ${url}, and the manifest names ${pinned.url}`))
  if (pinned.sha256 === null) return reported(notPinned)
  const source = { url, publishableKey, fetch: fetch ?? backend.fetch }
  const { flaw, sha256 } = await compared(source, pinned.sha256)
  return reported(flaw === undefined ? undefined : mismatch(flaw), sha256)
}

/** Whether a frame is the one with this hash, and what it is instead. */
async function compared(
  source: FrameSource,
  expected: string,
): Promise<{ flaw: string | undefined; sha256: string | null }> {
  const page = await servedPage(source)
  if ('flaw' in page) return { flaw: page.flaw, sha256: null }
  const { text, sha256 } = page
  if (sha256 !== expected) return { flaw: `its hash is ${sha256}, and the manifest has ${expected}`, sha256 }
  return { flaw: await flawOfFiles(source, text), sha256 }
}

const mismatch = (what: string): FrameFinding => ({
  code: 'frame_mismatch',
  message: `This is not the wallet frame of the manifest: ${what}.`,
})
const notPinned: FrameFinding = {
  code: 'frame_not_pinned',
  message: 'The manifest names no wallet frame, so any frame would do.',
}

const worse = (verdict: AttestationReport['verdict'], code: FrameFindingCode): FrameReport['verdict'] =>
  verdict === 'failed' || code === 'frame_mismatch' ? 'failed' : 'unproven'

/** What a manifest says of the frame: its origin and its hash, each null where it says nothing. */
function frameOf(manifest: unknown): { url: string | null; sha256: string | null } {
  const configuration = member(manifest, 'configuration')
  const [url, sha256] = [member(configuration, 'frame_url'), member(configuration, 'frame_sha256')]
  return {
    url: typeof url === 'string' ? url : null,
    sha256: typeof sha256 === 'string' ? sha256 : null,
  }
}

/** The origin in the answer of `GET /v1/frame`. */
function urlIn(answer: unknown): string | undefined {
  const url = member(member(answer, 'data'), 'url')
  return typeof url === 'string' && /^https?:\/\//.test(url) && URL.canParse(url)
    ? new URL(url).origin
    : undefined
}

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined
