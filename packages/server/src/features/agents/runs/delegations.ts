import { createPublicKey, verify as verifySignature } from 'node:crypto'
import { ApiError } from '@symbolon/api'
import * as z from 'zod'
import type { Sql } from '../../../db/pool.ts'
import type { DelegatePrincipal, Organization } from '../../../http/principal.ts'
import type { Ids } from '../../../ports/clock.ts'
import type { PlatformKey } from '../../jwks/index.ts'

/** What a run gives another agent of the platform, so that it works for it. */
export type Delegations = {
  /** `ac_live_` and a compact JWS: for one call of the agent, within 120 s. */
  mint(
    parent: { organizationId: string; agentId: string; runId: string; depth: number },
    target: string,
  ): Promise<string>
  /** Whom it names, this once. Throws `unauthorized` or `token_expired`. */
  verify(token: string, agentId: string): Promise<{ organization: Organization; delegate: DelegatePrincipal }>
}

const prefix = 'ac_live_'
const lifetimeSeconds = 120
const type = 'agent-delegation+jwt'
const lengthMax = 2_048

const Claims = z.strictObject({
  iss: z.string(),
  aud: z.uuid(),
  sub: z.uuid(),
  org: z.uuid(),
  run: z.uuid(),
  depth: z.int().min(0).max(3),
  jti: z.uuid(),
  iat: z.int(),
  exp: z.int(),
})

/**
 * Delegations as JWS (RFC 7515, Ed25519 of RFC 8037, the key in the JWKS): the algorithm is pinned, the audience is the one agent that
 * may be called, and a `jti` is good once over all processes. `organizationOf`: of a living agent.
 */
export function delegations({
  sql,
  ids,
  key,
  issuer,
  organizationOf,
}: {
  sql: Sql
  ids: Ids
  key: PlatformKey
  issuer: string
  organizationOf: (agentId: string) => Promise<Organization | undefined>
}): Delegations {
  const publicKey = createPublicKey({ key: { ...key.jwk }, format: 'jwk' })
  const header = encode({ alg: 'EdDSA', kid: key.jwk.kid, typ: type })

  /** Only what this very key has signed in this very form: the header is compared, never interpreted. */
  function read(token: string): z.output<typeof Claims> | undefined {
    if (!token.startsWith(prefix) || token.length > lengthMax) return undefined
    const [given, payload, signature, rest] = token.slice(prefix.length).split('.')
    if (given !== header || payload === undefined || signature === undefined || rest !== undefined)
      return undefined
    const bytes = Buffer.from(signature, 'base64url')
    if (bytes.length !== 64 || bytes.toString('base64url') !== signature) return undefined
    if (!verifySignature(null, Buffer.from(`${header}.${payload}`, 'ascii'), publicKey, bytes))
      return undefined
    return Claims.safeParse(JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))).data
  }

  return {
    async mint({ organizationId, agentId, runId, depth }, target) {
      const rows = await sql<{ now: number }[]>`select floor(extract(epoch from app_now()))::integer as now`
      const iat = rows[0]?.now ?? 0
      const payload = encode({
        iss: issuer,
        aud: target,
        sub: agentId,
        org: organizationId,
        run: runId,
        depth,
        jti: ids.next(),
        iat,
        exp: iat + lifetimeSeconds,
      } satisfies z.input<typeof Claims>)
      const signed = `${header}.${payload}`
      return `${prefix}${signed}.${Buffer.from(key.sign(Buffer.from(signed, 'ascii'))).toString('base64url')}`
    },

    async verify(token, agentId) {
      const claims = read(token)
      if (claims === undefined || claims.iss !== issuer || claims.aud !== agentId)
        throw new ApiError('unauthorized')
      const { jti, iat, exp, org, sub, run, depth } = claims
      const organization = await organizationOf(agentId)
      if (organization?.id !== org || exp - iat > lifetimeSeconds) throw new ApiError('unauthorized')
      const rows = await sql<{ isPast: boolean; isUsed: boolean; isAlive: boolean }[]>`
        with clock as materialized (select app_now() as now),
        own as materialized (
          select r.id from agent_runs r where r.id = ${run} and r.organization_id = ${org} and r.agent_id = ${sub}
            and r.depth = ${depth} and r.ended_at is null),
        used as (
          insert into delegation_jtis (jti, expires_at) select ${jti}::uuid, to_timestamp(${exp}) from clock, own
          where to_timestamp(${exp}) > now on conflict do nothing returning 1)
        select to_timestamp(${exp}) <= now as "isPast", exists (select from used) as "isUsed", exists (select from own) as "isAlive"
        from clock`
      const { isPast = true, isUsed = false, isAlive = false } = rows[0] ?? {}
      if (isPast) throw new ApiError('token_expired')
      if (!isUsed || !isAlive) throw new ApiError('unauthorized')
      return { organization, delegate: { agentId, parentRunId: run, parentAgentId: sub, depth, jti } }
    },
  }
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value), 'utf8').toString('base64url')
