import { unwrap } from '@symbolon/sdk/portal'
import type { ExportReport } from '@symbolon/sdk/verify'
import { keepPreference, readPreference } from '../../adapters/browser.ts'
import { portalClient } from '../../data/portal-client.ts'

/** What verifying has come to. `earlierSize`: how many events a head that this browser has seen before vouched for. */
export type VerifiedLog = { report: ExportReport; earlierSize: number | undefined }

/**
 * Downloads the whole log and verifies it in this browser: every line, the root over them, the platform's signature, and that
 * it begins with what this browser has verified before. The head is kept for the next time. Rejects where the log or the keys
 * cannot be had.
 */
export async function verifyLog(
  orgID: string,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (size: number) => void },
): Promise<VerifiedLog> {
  const place = `head.${orgID}`
  const earlier = readHead(place)
  const [{ verifyExport }, keys, head] = await Promise.all([
    import('@symbolon/sdk/verify'),
    portalClient.platformKeys().then(unwrap),
    portalClient.call('GET /v1/orgs/{orgID}/audit/checkpoint', { params: { orgID }, signal }).then(unwrap),
  ])
  const size = head.tree_size
  const report = await verifyExport({
    ...(size === 0 ? { lines: [] } : { stream: unwrap(await portalClient.exportAudit(orgID, size, signal)) }),
    checkpoint: head,
    keys,
    organizationId: orgID,
    host: location.host,
    consistentWith: earlier === undefined ? [] : [earlier.note],
    onProgress,
  })
  if (report.verdict === 'verified') keepPreference(place, JSON.stringify({ note: head.note, size }))
  return { report, earlierSize: earlier?.size }
}

function readHead(place: string): { note: string; size: number } | undefined {
  try {
    const { note, size } = JSON.parse(readPreference(place) ?? '')
    return typeof note === 'string' && typeof size === 'number' ? { note, size } : undefined
  } catch {
    return undefined
  }
}
