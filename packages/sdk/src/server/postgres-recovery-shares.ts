import type { RecoveryShareStore, StoredRecoveryShare } from './recovery-share-store.ts'

/** Runs one statement with its values ($1, $2, …), each in its own transaction, and returns its rows. */
export type PostgresQuery = (
  text: string,
  values: (string | number | null)[],
) => Promise<readonly Readonly<Record<string, unknown>>[]>

/** The tables of `postgresRecoveryShares`, for one of your migrations. You can run it more than once. */
export const recoveryShareTables = `
create table if not exists symbolon_recovery_shares (
  wallet_id uuid not null,
  polynomial_version integer not null,
  organization_id uuid not null,
  user_identity_id uuid not null,
  curve text not null,
  share_index integer not null,
  share text,
  stored_at timestamptz not null default now(),
  primary key (wallet_id, polynomial_version)
);
create table if not exists symbolon_recovery_calls (
  call text primary key,
  until timestamptz not null
);
create index if not exists symbolon_recovery_calls_until on symbolon_recovery_calls (until);
`

const columns = 'wallet_id, polynomial_version, organization_id, user_identity_id, curve, share_index, share'

/** Keeps recovery shares in PostgreSQL, with any client: all it needs is `query`. Each method runs one statement. */
export function postgresRecoveryShares(query: PostgresQuery): RecoveryShareStore {
  if (typeof query !== 'function')
    throw new TypeError('postgresRecoveryShares needs a function that runs a query')
  return {
    async put(given) {
      const { walletId, polynomialVersion, organizationId, userIdentityId, curve, shareIndex, share } = given
      // The conflict's own row answers, locked: with "do nothing" a row that commits just now would be seen by neither half.
      const [row] = await query(
        `insert into symbolon_recovery_shares as kept (${columns}) values ($1, $2, $3, $4, $5, $6, $7)
         on conflict (wallet_id, polynomial_version) do update set wallet_id = kept.wallet_id returning ${columns}`,
        [
          walletId,
          polynomialVersion,
          organizationId,
          userIdentityId,
          curve,
          shareIndex,
          share === null ? null : JSON.stringify(share),
        ],
      )
      if (row === undefined) throw new Error('The database returned no row.')
      return readRow(row)
    },
    async get(walletId, polynomialVersion) {
      const [row] = await query(
        `select ${columns} from symbolon_recovery_shares where wallet_id = $1 and polynomial_version = $2`,
        [walletId, polynomialVersion],
      )
      return row === undefined ? undefined : readRow(row)
    },
    async emptyOlder(walletId, polynomialVersion) {
      const [row] = await query(
        `with named as materialized (
           select 1 from symbolon_recovery_shares
           where wallet_id = $1 and polynomial_version = $2 and share is not null for share
         ), emptied as (
           update symbolon_recovery_shares set share = null
           where wallet_id = $1 and polynomial_version < $2 and share is not null and exists (select 1 from named)
         )
         select count(*)::int as named from named`,
        [walletId, polynomialVersion],
      )
      return row?.['named'] === 1
    },
    async claim(call, untilMs) {
      await query('delete from symbolon_recovery_calls where until < now()', [])
      const rows = await query(
        `insert into symbolon_recovery_calls (call, until) values ($1, to_timestamp($2 / 1000.0))
         on conflict do nothing returning call`,
        [call, untilMs],
      )
      return rows.length === 1
    },
  }
}

function readRow(row: Readonly<Record<string, unknown>>): StoredRecoveryShare {
  const share = row['share']
  return {
    walletId: String(row['wallet_id']),
    polynomialVersion: Number(row['polynomial_version']),
    organizationId: String(row['organization_id']),
    userIdentityId: String(row['user_identity_id']),
    curve: String(row['curve']),
    shareIndex: Number(row['share_index']),
    share:
      typeof share === 'string' ? (JSON.parse(share) as NonNullable<StoredRecoveryShare['share']>) : null,
  }
}
