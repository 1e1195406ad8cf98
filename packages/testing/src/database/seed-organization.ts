import { randomBytes } from 'node:crypto'
import { uuidv7 } from '@symbolon/crypto'
import type { Queryable } from '@symbolon/server/pool'
import type { Organization } from '@symbolon/server/testing/http'

/** Real ids, as main makes them. */
export const testIds = { next: () => uuidv7(Date.now(), randomBytes(10)) }

/** Inserts an organization of its own with its counter row, and answers it as the lanes would load it. */
export async function seedOrganization(
  sql: Queryable,
  options: Partial<Pick<Organization, 'authMode' | 'oidcIssuer' | 'oidcAudience'>> = {},
): Promise<Organization> {
  const organization: Organization = {
    id: testIds.next(),
    signingMode: 'tee',
    supportedNetworks: ['evm', 'solana'],
    authMode: 'service',
    oidcIssuer: null,
    oidcAudience: null,
    oidcTrustEmail: false,
    authChangedAtMs: 0,
    allowedOrigins: [],
    userSignsPerMinute: null,
    receipts: false,
    ...options,
  }
  const { id, signingMode, supportedNetworks, authMode, oidcIssuer, oidcAudience } = organization
  await sql`insert into organizations (id, name, slug, signing_mode, supported_networks, auth_mode, oidc_issuer, oidc_audience)
    values (${id}, 'Test', ${id}, ${signingMode}, ${[...supportedNetworks]}, ${authMode}, ${oidcIssuer}, ${oidcAudience})`
  await sql`insert into organization_counters (organization_id) values (${id})`
  return organization
}

/** Moves the clock of a test's database by replacing `app_now()`, as development does. */
export async function advanceClock(sql: Queryable, advanceMs: number): Promise<void> {
  await sql`create table if not exists test_clock (offset_ms double precision not null)`
  await sql`insert into test_clock values (${advanceMs})`
  await sql.unsafe(`create or replace function app_now() returns timestamptz language sql volatile as
    'select clock_timestamp() + (select sum(offset_ms) from test_clock) * interval ''1 millisecond'''`)
}

/** A log that keeps its lines. */
export function testLog() {
  const lines: string[] = []
  const write = (fields: object, message: string) => {
    const shown = Object.entries(fields).map(
      ([k, v]) => `${k}=${v instanceof Error ? (v.stack ?? v.message) : JSON.stringify(v)}`,
    )
    lines.push(`${message} ${shown.join(' ')}`)
  }
  return { lines, debug: write, info: write, warn: write, error: write }
}
