import type { Queryable } from '../../db/pool.ts'

/** What a link is about. */
export type LinkSubject = { organizationId: string; kind: string; subjectId: string }

/** A link as it is. `isLive`: its button still works. */
export type MailedLink = LinkSubject & { isUsed: boolean; isLive: boolean }

/** The statements of links in emails. Every time in them is the database's. */
export const mailedLinksStore = {
  /** Stores a link that works once within `lifetimeMs`. */
  async insert(
    tx: Queryable,
    {
      tokenHash,
      organizationId,
      kind,
      subjectId,
      lifetimeMs,
    }: LinkSubject & { tokenHash: Uint8Array; lifetimeMs: number },
  ): Promise<void> {
    await tx`
      insert into mailed_links (token_hash, organization_id, kind, subject_id, expires_at)
      values (${tokenHash}, ${organizationId}, ${kind}, ${subjectId}, app_now() + ${lifetimeMs} * interval '1 millisecond')`
  },

  /** The link; undefined for one that does not exist. */
  async find(sql: Queryable, tokenHash: Uint8Array): Promise<MailedLink | undefined> {
    const rows = await sql<MailedLink[]>`
      select organization_id as "organizationId", kind, subject_id as "subjectId", used_at is not null as "isUsed",
        used_at is null and expires_at > app_now() as "isLive"
      from mailed_links where token_hash = ${tokenHash}`
    return rows[0]
  },

  /** Uses the link up; undefined for all but one of several requests, and after its end. */
  async use(tx: Queryable, tokenHash: Uint8Array): Promise<LinkSubject | undefined> {
    const rows = await tx<LinkSubject[]>`
      update mailed_links set used_at = app_now()
      where token_hash = ${tokenHash} and used_at is null and expires_at > app_now()
      returning organization_id as "organizationId", kind, subject_id as "subjectId"`
    return rows[0]
  },
}
