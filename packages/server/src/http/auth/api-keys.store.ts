import { limits, type NetworkName } from '@symbolon/api'
import { plainArray, textArray } from '../../db/array-literal.ts'
import type { Queryable } from '../../db/pool.ts'
import { type CountedUnits, type GrantRow, weightsOf } from '../limiter.ts'
import type { ApiKey, Organization } from '../principal.ts'

/** A living key with its organization, and the database's time. */
export type KeyRecord = { key: ApiKey; organization: Organization; nowMs: number }

type KeyRow = {
  hash: string
  key_id: string
  type: 'publishable' | 'secret'
  scope: 'full' | 'read' | null
  ip_allowlist: string[]
  organization_id: string
  signing_mode: 'client' | 'tee'
  supported_networks: NetworkName[]
  auth_mode: 'service' | 'oidc'
  oidc_issuer: string | null
  oidc_audience: string | null
  oidc_trust_email: boolean
  auth_changed_at_ms: number
  allowed_origins: string[]
  user_signs_per_minute: number | null
  receipts: boolean
  now_ms: number
}

/** One look-up of a publishable key together with the token that came with it. */
export type PublishableLookup = { keyHash: string; tokenHash?: string }
/** A living publishable key, and whether the token beside it was logged out. */
export type PublishableRecord = KeyRecord & { isTokenRevoked: boolean }

const keyColumns = `encode(k.hash, 'hex') as hash, k.id as key_id, k.type, k.scope, k.ip_allowlist::text[] as ip_allowlist,
  o.id as organization_id, o.signing_mode, o.supported_networks, o.auth_mode, o.oidc_issuer, o.oidc_audience, o.oidc_trust_email,
  case when o.auth_changed_at = '-infinity' then 0 else extract(epoch from o.auth_changed_at) * 1000 end::double precision
    as auth_changed_at_ms,
  o.allowed_origins, o.user_signs_per_minute, o.receipts, (extract(epoch from clock.now) * 1000)::double precision as now_ms`
const livingKeys = `k.revoked_at is null and (k.expires_at is null or k.expires_at > clock.now)`

/** The statements that find API keys; each serves all requests of one moment. */
export const apiKeysStore = {
  /** Publishable keys by hash, each with whether its caller's token was revoked. Unknown and dead keys are left out. */
  async findPublishable(
    sql: Queryable,
    lookups: PublishableLookup[],
  ): Promise<(PublishableRecord | undefined)[]> {
    const rows = await sql<(KeyRow & { position: number; is_token_revoked: boolean })[]>`
      with clock as materialized (select app_now() as now)
      select a.position::integer as position, ${sql.unsafe(keyColumns)}, r.token_hash is not null as is_token_revoked
      from clock, unnest(${textArray(lookups.map(({ keyHash }) => `\\x${keyHash}`))}::text::bytea[],
        ${textArray(lookups.map(({ tokenHash }) => `\\x${tokenHash ?? ''}`))}::text::bytea[])
        with ordinality as a(hash, token_hash, position)
      -- Each by its index, as in authenticate_keys.
      cross join lateral (select * from api_keys where hash = a.hash and type = 'publishable' offset 0) k
      join organizations o on o.id = k.organization_id
      left join revoked_tokens r on r.organization_id = o.id and r.token_hash = a.token_hash
      where ${sql.unsafe(livingKeys)}`
    const found: (PublishableRecord | undefined)[] = lookups.map(() => undefined)
    for (const row of rows) {
      found[row.position - 1] = { ...keyRecord(row), isTokenRevoked: row.is_token_revoked }
    }
    return found
  },

  /**
   * Counts requests against the rate limits of living secret keys. Unknown and dead keys are left out; `stamp` changes with the key's
   * row and with its organization's.
   */
  async countSecret(
    sql: Queryable,
    asked: CountedUnits[],
  ): Promise<Map<string, GrantRow & { stamp: string }>> {
    const rows = await sql<(GrantRow & { place: string; stamp: string })[]>`
      select * from authenticate_keys(
        hashes => ${textArray(asked.map(({ key }) => `\\x${key}`))}::text::bytea[],
        counts => ${plainArray(asked.map(({ units }) => units))}::text::integer[],
        period => ${limits.s2s.periodMs / 1000}, burst => ${limits.s2s.burst}, weights => ${weightsOf(asked)}::text[])`
    return new Map(rows.map((row) => [asked[Number(row.place) - 1]?.key ?? '', row]))
  },

  /** Living secret keys by hash, with their stamps. */
  async findSecret(sql: Queryable, hashes: string[]): Promise<Map<string, KeyRecord & { stamp: string }>> {
    const rows = await sql<(KeyRow & { stamp: string })[]>`
      with clock as materialized (select app_now() as now)
      select ${sql.unsafe(keyColumns)}, k.version::text || ' ' || o.version::text as stamp
      from clock, api_keys k join organizations o on o.id = k.organization_id
      where k.hash = any(${textArray(hashes.map((hash) => `\\x${hash}`))}::text::bytea[]) and k.type = 'secret'
        and ${sql.unsafe(livingKeys)}`
    return new Map(rows.map((row) => [row.hash, { ...keyRecord(row), stamp: row.stamp }]))
  },

  /** Whether any organization lists the origin. Decides preflights, which name no organization. */
  async isOriginListed(sql: Queryable, origin: string): Promise<boolean> {
    const rows = await sql`select 1 from organizations where allowed_origins @> array[${origin}] limit 1`
    return rows.length > 0
  },
}

function keyRecord(row: KeyRow): KeyRecord {
  return {
    key: { id: row.key_id, type: row.type, scope: row.scope, ipAllowlist: row.ip_allowlist },
    organization: {
      id: row.organization_id,
      signingMode: row.signing_mode,
      supportedNetworks: row.supported_networks,
      authMode: row.auth_mode,
      oidcIssuer: row.oidc_issuer,
      oidcAudience: row.oidc_audience,
      oidcTrustEmail: row.oidc_trust_email,
      authChangedAtMs: row.auth_changed_at_ms,
      allowedOrigins: row.allowed_origins,
      userSignsPerMinute: row.user_signs_per_minute,
      receipts: row.receipts,
    },
    nowMs: row.now_ms,
  }
}
