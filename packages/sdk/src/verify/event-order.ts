import type { AuditLine } from './audit-line.ts'
import type { FindingList } from './finding-list.ts'

const idsMax = 100_000

/**
 * Looks at one event after the other: of one organization, none twice, times not going back. The ids it remembers are those
 * of the present millisecond, which is enough to find a repeated line: anywhere else it would be out of time.
 */
export function eventOrder(expected: string | undefined, findings: FindingList) {
  let organizationId = expected
  let firstAt: string | undefined
  let lastAt: string | undefined
  const ids = new Set<string>()
  return {
    get organizationId() {
      return organizationId
    },
    get firstAt() {
      return firstAt
    },
    get lastAt() {
      return lastAt
    },
    see({ id, at, organizationId: own }: Extract<AuditLine, { kind: 'event' }>, line: number): void {
      organizationId ??= own
      if (own !== organizationId) {
        findings.add('other_organization', { line })
        return
      }
      firstAt ??= at
      if (lastAt !== undefined && at < lastAt)
        findings.add('time_went_back', { line, details: `${at} after ${lastAt}.` })
      if (at !== lastAt || ids.size >= idsMax) ids.clear()
      if (ids.has(id)) findings.add('duplicate_event', { line })
      ids.add(id)
      lastAt = at
    },
  }
}
