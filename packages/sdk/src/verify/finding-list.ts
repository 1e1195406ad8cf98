import {
  type AuditFinding,
  type AuditFindingCode,
  type AuditSeverity,
  type AuditVerdict,
  auditFinding,
  auditVerdict,
} from './audit-finding.ts'

/** The findings; of very many, only the first are kept. */
export type Findings = {
  readonly verdict: AuditVerdict
  readonly findings: readonly AuditFinding[]
  /** How many there were in all. */
  readonly findingsTotal: number
}

const keptMax = 100

/** Collects findings in a bounded room: for a file that is wrong in every line, the first hundred are enough. */
export function findingList() {
  const kept: AuditFinding[] = []
  const severities = new Set<AuditSeverity>()
  let total = 0
  return {
    add(code: AuditFindingCode, more?: Parameters<typeof auditFinding>[1]): void {
      const finding = auditFinding(code, more)
      severities.add(finding.severity)
      total += 1
      // Findings on the whole come last and are never left out.
      if (kept.length < keptMax || finding.line === undefined || finding.lastLine !== undefined)
        kept.push(finding)
    },
    result: (): Findings => ({ verdict: auditVerdict(severities), findings: kept, findingsTotal: total }),
  }
}

export type FindingList = ReturnType<typeof findingList>
