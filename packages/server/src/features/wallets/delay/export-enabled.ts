import type { Queryable } from '../../../db/pool.ts'
import { delayStore } from './delay.store.ts'

/** Whether the organization lets users export the private keys of their wallets. */
export const isExportEnabled = async (sql: Queryable, organizationId: string): Promise<boolean> =>
  (await delayStore.settings(sql, organizationId)).isExportEnabled
