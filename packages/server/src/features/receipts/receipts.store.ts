import type { Queryable } from '../../db/pool.ts'
import type { ReceiptNumber } from '../audit/index.ts'

/** A receipt that left with its signature. */
export type StoredReceipt = {
  cursor: number
  receiptId: string
  walletId: string
  kid: string
  counter: number
  issuedAt: Date
  jws: string
}

/** A page of an organization's receipts: those behind `after`, at most `rowsMax`; with `walletIds`, those of these wallets alone. */
export type ReceiptsQuery = {
  organizationId: string
  after: number
  rowsMax: number
  kid?: string
  walletIds?: readonly string[]
}

/** A number whose receipt was never stored, though a later one was. */
export type LostReceipt = ReceiptNumber & { organizationId: string }

type Row = Omit<StoredReceipt, 'cursor' | 'counter'> & { cursor: string; counter: string }

const columns = `q.cursor::text, q.receipt_id as "receiptId", q.wallet_id as "walletId", q.kid, q.counter::text,
  q.issued_at as "issuedAt", q.jws`

/** The statements on receipts; `commit_events` writes them. */
export const receiptsStore = {
  /** In the order of their cursors. Each filter has its index, so that a page costs what it shows. */
  async list(
    sql: Queryable,
    { organizationId, after, rowsMax, kid, walletIds }: ReceiptsQuery,
  ): Promise<StoredReceipt[]> {
    const ofKey = kid === undefined ? sql`` : sql`and q.kid = ${kid}`
    const rows =
      walletIds === undefined
        ? await sql<Row[]>`
            select ${sql.unsafe(columns)} from receipts q
            where q.organization_id = ${organizationId} and q.cursor > ${after} ${ofKey}
            order by q.cursor limit ${rowsMax}`
        : await sql<Row[]>`
            select r.* from unnest(${walletIds}::uuid[]) w(id)
            cross join lateral (
              select ${sql.unsafe(columns)} from receipts q
              where q.organization_id = ${organizationId} and q.wallet_id = w.id and q.cursor > ${after} ${ofKey}
              order by q.cursor limit ${rowsMax}) r
            order by r.cursor::bigint limit ${rowsMax}`
    return rows.map((row) => ({ ...row, cursor: Number(row.cursor), counter: Number(row.counter) }))
  },

  /** The wallets of a user, at most one per curve. */
  async walletsOf(sql: Queryable, organizationId: string, identityId: string): Promise<string[]> {
    const rows = await sql<{ id: string }[]>`
      select id from wallets where organization_id = ${organizationId} and user_identity_id = ${identityId}`
    return rows.map(({ id }) => id)
  },

  /**
   * Looks through the numbers of at most `keysMax` keys, `numbersMax` of each, and returns those that have been missing for `ageMs`: that
   * long ago a later number of the key was stored. `isMore`: there are numbers that nobody has looked at.
   */
  async findLost(
    sql: Queryable,
    { keysMax, numbersMax, ageMs }: { keysMax: number; numbersMax: number; ageMs: number },
  ): Promise<{ lost: LostReceipt[]; isMore: boolean }> {
    const rows = await sql<
      { organizationId: string; kid: string; counter: string | null; isMore: boolean }[]
    >`
      select organization_id as "organizationId", kid, counter::text, is_more as "isMore"
      from find_lost_receipts(keys_max => ${keysMax}, numbers_max => ${numbersMax},
        age => ${ageMs}::double precision * interval '1 ms')`
    return {
      lost: rows.flatMap(({ organizationId, kid, counter }) =>
        counter === null ? [] : [{ organizationId, kid, counter: Number(counter) }],
      ),
      isMore: rows.some(({ isMore }) => isMore),
    }
  },
}
