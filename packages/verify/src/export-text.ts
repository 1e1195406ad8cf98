import type { AuditFinding, ExportReport } from '@symbolon/sdk/verify'

const verdicts = {
  verified: 'VERIFIED: the log is complete and unchanged, as the platform signed it.',
  unproven: 'UNPROVEN: no problem was found, but not everything could be checked.',
  failed: 'FAILED: this log differs from the signed one.',
} as const

/** The report on an export as a person reads it. */
export function exportText(report: ExportReport): string {
  const { organizationId, size, rootHash, firstAt, lastAt, checkpoint, findings, findingsTotal } = report
  const facts = [
    ['organization', organizationId ?? 'none'],
    ['events', `${size}${firstAt === undefined ? '' : `, from ${firstAt} to ${lastAt}`}`],
    ['root', rootHash],
    [
      'checkpoint',
      checkpoint ? `${checkpoint.size} events, ${checkpoint.at}, of ${checkpoint.host}` : 'none',
    ],
    ['signed by', checkpoint?.kid ?? 'nobody known'],
  ]
  const left = findingsTotal - findings.length
  return [
    verdicts[report.verdict],
    ...facts.map(([name = '', value]) => `  ${name.padEnd(13)} ${value}`),
    ...findings.map(findingText),
    ...(left > 0 ? [`  … and ${left} more`] : []),
    '',
  ].join('\n')
}

function findingText({ severity, code, message, line, lastLine }: AuditFinding): string {
  const place =
    line === undefined ? '' : lastLine === undefined ? `line ${line}: ` : `lines ${line} to ${lastLine}: `
  return `  ${severity.padEnd(9)} ${place}${message} [${code}]`
}
