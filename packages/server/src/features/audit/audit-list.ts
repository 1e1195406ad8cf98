import type { Sql } from '../../db/pool.ts'
import { type AuditListPage, listAuditEvents } from './audit-list.store.ts'
import { type AuditSearchQuery, searchAuditEvents } from './audit-search.store.ts'

/** A page of an organization's events, newest first, with the exact number of all that match. */
export type AuditList = (query: AuditSearchQuery) => Promise<AuditListPage>

/** Reads the log: by dense ranks where the filters have them, along an index where they name a wallet or an actor. */
export const auditList =
  (sql: Sql): AuditList =>
  (query) =>
    query.walletId === undefined && query.actorId === undefined
      ? listAuditEvents(sql, query)
      : searchAuditEvents(sql, query)
