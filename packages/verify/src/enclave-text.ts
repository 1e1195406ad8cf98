import type { FrameReport, ReceiptReport, VerifiedAttestation } from '@symbolon/sdk/verify'

const ofAttestation = {
  verified: 'VERIFIED: this enclave answers now, and it is the one that you expect.',
  unproven: 'UNPROVEN: no problem was found, but not everything was checked.',
  failed: 'FAILED: this is not the enclave that you expect.',
} as const

const ofReceipt = {
  verified: 'VERIFIED: an attested enclave made this signature.',
  unproven: 'UNPROVEN: no problem was found, but not everything was checked.',
  failed: 'FAILED: this receipt proves nothing.',
} as const

const ofFrame = {
  verified: 'VERIFIED: this is the wallet frame that the enclave vouches for.',
  unproven: 'UNPROVEN: no problem was found, but not everything was checked.',
  failed: 'FAILED: this is not the wallet frame that you expect.',
} as const

type Facts = readonly (readonly [name: string, value: string])[]

/** What makes up for a finding on the command line. */
const remedies: { readonly [code in FrameReport['findings'][number]['code']]?: string } = {
  simulated_not_allowed: ' In development, add --allow-simulated --root .symbolon/dev.json.',
  root_not_pinned: ' Name it with --root; of npm start, it is in .symbolon/dev.json.',
}

/** The report on an attestation as a person reads it; `release` says who vouches for the expected image, null where none is expected. */
export function attestationText(report: VerifiedAttestation, release: string | null): string {
  const { ring_id, image } = report.attestation
  return text(ofAttestation[report.verdict], report, [
    ['mode', report.mode ?? 'unknown'],
    ['ring', ring_id],
    ['image', image.version],
    ['PCR0', image.pcr0],
    ['PCR1', image.pcr1],
    ['PCR2', image.pcr2],
    ...releaseFacts(release),
  ])
}

/** The report on a receipt as a person reads it; its claims only where its signature is good. */
export function receiptText(report: ReceiptReport, release: string | null): string {
  const { receipt } = report
  const facts: Facts =
    receipt === undefined
      ? []
      : [
          ['receipt', `${receipt.receipt_id}, number ${receipt.counter} of its key`],
          ['wallet', receipt.wallet_id],
          ['signed', `${receipt.type}, ${receipt.chain ?? receipt.curve}, ${receipt.issued_at}`],
          ...receipt.effects.map(
            ({ kind, asset, amount, to }) =>
              ['effect', [kind, amount, asset, to && `to ${to}`].filter(Boolean).join(' ')] as const,
          ),
          ['ring', receipt.ring_id],
        ]
  return text(ofReceipt[report.verdict], report, [
    ['mode', report.mode ?? 'unknown'],
    ...facts,
    ...releaseFacts(release),
  ])
}

/** The report on a wallet frame as a person reads it. */
export const frameText = (report: FrameReport, release: string | null): string =>
  text(ofFrame[report.verdict], report, [
    ['mode', report.mode ?? 'unknown'],
    ['frame', report.frame.url],
    ...(report.frame.sha256 === null ? [] : [['SHA-256', report.frame.sha256] as const]),
    ...releaseFacts(release),
  ])

const releaseFacts = (release: string | null): Facts => (release === null ? [] : [['release', release]])

function text(headline: string, { findings }: Pick<FrameReport, 'findings'>, facts: Facts): string {
  return [
    headline,
    ...facts.map(([name, value]) => `  ${name.padEnd(13)} ${visible(value)}`),
    ...findings.map(({ code, message }) => `  ${visible(message)}${remedies[code] ?? ''} [${code}]`),
    '',
  ].join('\n')
}

/** Texts of the platform may not move the cursor of a terminal. */
const visible = (value: string): string => value.replaceAll(/[^\x20-\x7e]/g, '?')
