import { unwrap } from '@symbolon/sdk/portal'
import type { ExportReport } from '@symbolon/sdk/verify'
import { keepPreference, readPreference } from '../../adapters/browser.ts'
import { portalClient } from '../../data/portal-client.ts'

/** The result of a verification. `earlierSize` is the number of events under the head that this browser verified before. */
export type VerifiedLog = { report: ExportReport; earlierSize: number | undefined }

/**
 * Downloads the whole log and verifies it in this browser: every line, the root hash, the platform's signature, and that it
 * begins with the log that this browser verified before. The head is kept for the next time. Rejects if the log or the keys
 * cannot be loaded.
 */
export async function verifyLog(
  orgID: string,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (size: number) => void },
): Promise<VerifiedLog> {
  const preference = `head.${orgID}`
  const earlier = readHead(preference)
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
  if (report.verdict === 'verified') keepPreference(preference, JSON.stringify({ note: head.note, size }))
  return { report, earlierSize: earlier?.size }
}

function readHead(preference: string): { note: string; size: number } | undefined {
  try {
    const { note, size } = JSON.parse(readPreference(preference) ?? '')
    return typeof note === 'string' && typeof size === 'number' ? { note, size } : undefined
  } catch {
    return undefined
  }
}
