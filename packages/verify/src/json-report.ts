import type { AttestationReport, FrameReport } from '@symbolon/sdk/verify'

/** A report as programs read it: exactly `{verdict, mode, findings: [{code, message}]}`. */
export function jsonReport({ verdict, mode, findings }: AttestationReport | FrameReport): string {
  return `${JSON.stringify({ verdict, mode, findings }, null, 2)}\n`
}
