import type { Queryable } from '../../db/pool.ts'
import { rootOf } from '../../features/audit/index.ts'
import { snapshotStore } from './backup/snapshot.store.ts'

/** The audit log of an organization: its size, and its Merkle root (RFC 6962) in base64. */
export type LogHead = { organization_id: string; tree_size: number; root_hash: string }

/** The heads of the audit logs of all organizations. */
export async function logHeads(sql: Queryable): Promise<LogHead[]> {
  const heads: LogHead[] = []
  for (const { organizationId, size } of await snapshotStore.logs(sql)) {
    const root = await rootOf({ sql, organizationId }, size)
    heads.push({
      organization_id: organizationId,
      tree_size: size,
      root_hash: Buffer.from(root).toString('base64'),
    })
  }
  return heads
}
