import type { Curve } from '@symbolon/networks'
import type { Queryable } from '../../../db/pool.ts'
import type { Owner, Wallet, WalletAndOwner } from './wallet.ts'
import { ownerColumns, walletColumns } from './wallets.store.ts'

/** The page and filters of a list of wallets. */
export type WalletListQuery = {
  organizationId: string
  limit: number
  offset: number
  status?: 'active' | 'archived'
  curve?: Curve
  userIdentityId?: string
  email?: string
  address?: string
}

/** A page with the exact number of all wallets that match. */
type WalletListPage = { items: WalletAndOwner[]; total: number }

type Row = Wallet & Owner & { total: string }

const curves: Curve[] = ['secp256k1', 'ed25519']
const statuses = ['active', 'archived'] as const
/** Sequence numbers per row of `wallet_blocks`, as `count_wallet` fills them. */
const walletsPerBlock = 2048

/**
 * A page of wallets, newest first, with the exact total; the cost does not grow with the offset.
 * Without filter the dense sequence is the position; by curve and status the blocks' counts are summed to find where the
 * page starts; the other filters name a handful of rows that are counted.
 */
export async function listWallets(sql: Queryable, query: WalletListQuery): Promise<WalletListPage> {
  const isNarrow =
    query.userIdentityId !== undefined || query.email !== undefined || query.address !== undefined
  if (isNarrow) return narrow(sql, query)
  if (query.status !== undefined || query.curve !== undefined) return byBlocks(sql, query)
  return bySequence(sql, query)
}

async function bySequence(
  sql: Queryable,
  { organizationId, limit, offset }: WalletListQuery,
): Promise<WalletListPage> {
  const rows = await sql<Row[]>`
    select c.wallets as total, ${sql.unsafe(walletColumns)}, ${sql.unsafe(ownerColumns)}
    from organization_counters c
    left join lateral (
      select * from wallets w
      where w.organization_id = ${organizationId} and w.org_seq <= c.wallets - ${offset}
      order by w.org_seq desc limit ${limit}) w on true
    ${ownerOfEach(sql)}
    where c.organization_id = ${organizationId}
    order by w.org_seq desc`
  return toPage(rows)
}

async function byBlocks(sql: Queryable, query: WalletListQuery): Promise<WalletListPage> {
  const { organizationId, limit, offset, status, curve } = query
  const counted = curves
    .filter((name) => curve === undefined || curve === name)
    .flatMap((name) =>
      statuses.filter((kind) => status === undefined || status === kind).map((kind) => `b.${name}_${kind}`),
    )
    .join(' + ')
  const matching = sql`x.organization_id = ${organizationId}
    ${curve === undefined ? sql`` : sql`and x.curve = ${curve}`} ${status === undefined ? sql`` : sql`and x.status = ${status}`}`
  const rows = await sql<Row[]>`
    with start as materialized (
      select coalesce(max(r.upto), 0) as total, max(r.block) filter (where r.upto > ${offset}) as block,
        (${offset} - coalesce(max(r.upto) filter (where r.upto <= ${offset}), 0))::bigint as skip
      from (
        select b.block, sum(${sql.unsafe(counted)}) over (order by b.block desc rows unbounded preceding) as upto
        from wallet_blocks b where b.organization_id = ${organizationId}) r),
    -- Rows before the page are passed in the index alone.
    first as (
      select k.org_seq from start s cross join lateral (
        select x.org_seq from wallets x where ${matching} and x.org_seq < (s.block + 1) * ${sql.unsafe(String(walletsPerBlock))}
        order by x.org_seq desc offset s.skip limit 1) k),
    page as (
      select w.* from first f cross join lateral (
        select * from wallets x where ${matching} and x.org_seq <= f.org_seq order by x.org_seq desc limit ${limit}) w)
    select t.total, ${sql.unsafe(walletColumns)}, ${sql.unsafe(ownerColumns)}
    from start t
    left join page w on true
    ${ownerOfEach(sql)}
    order by w.org_seq desc`
  return toPage(rows)
}

async function narrow(sql: Queryable, query: WalletListQuery): Promise<WalletListPage> {
  const { organizationId, limit, offset, status, curve, userIdentityId, email, address } = query
  const rows = await sql<Row[]>`
    with matching as materialized (
      select * from (
        select * from wallets w
        where w.organization_id = ${organizationId}
          ${userIdentityId === undefined ? sql`` : sql`and w.user_identity_id = ${userIdentityId}`}
          ${email === undefined ? sql`` : sql`and w.user_identity_id = any(array(select i.id from identities i where i.organization_id = ${organizationId} and i.email = ${email}))`}
          ${address === undefined ? sql`` : sql`and w.id = any(array(select a.wallet_id from wallet_addresses a where a.organization_id = ${organizationId} and a.address = ${address}))`}
        -- A fence: by curve or status alone the planner would find half of all wallets first.
        offset 0) w
      where true
        ${curve === undefined ? sql`` : sql`and w.curve = ${curve}`}
        ${status === undefined ? sql`` : sql`and w.status = ${status}`}),
    page as (select * from matching order by org_seq desc limit ${limit} offset ${offset})
    select t.total, ${sql.unsafe(walletColumns)}, ${sql.unsafe(ownerColumns)}
    from (select count(*) as total from matching) t
    left join page w on true
    ${ownerOfEach(sql)}
    order by w.org_seq desc`
  return toPage(rows)
}

// Row by row for at most a page: the planner does not know how few rows a limit that is a parameter leaves.
const ownerOfEach = (sql: Queryable) =>
  sql`left join lateral (select * from identities i where i.id = w.user_identity_id offset 0) i on true`

/** The total comes with every row, also with the one row of an empty page, which has no wallet. */
function toPage(rows: Row[]): WalletListPage {
  return {
    total: Number(rows[0]?.total ?? 0),
    items: rows.filter(({ id }) => id !== null).map((row) => ({ wallet: row, owner: row })),
  }
}
