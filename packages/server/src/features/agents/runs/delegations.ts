import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import * as z from 'zod'
import type { DelegatePrincipal, Organization } from '../../../http/principal.ts'
import type { Ids } from '../../../ports/clock.ts'
import { type Failure, failure } from '../../../runtime/failure.ts'
import type { PlatformKey } from '../../jwks/index.ts'
import { type ActorsCtx, findActor } from '../registry/agent-actors.ts'

/** The context for minting and verifying delegations; `issuer` is the platform's own address. */
export type DelegationsCtx = ActorsCtx & { ids: Ids; issuer: string; key: DelegationKey }

/** The platform's key as delegations use it: the one header that they have, and how it signs and verifies. */
export type DelegationKey = { header: string; sign: PlatformKey['sign']; publicKey: KeyObject }

/** A run that delegates. */
export type DelegatingRun = { organizationId: string; agentId: string; runId: string; depth: number }

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
type Claims = z.output<typeof Claims>

/** The platform's key for delegations: JWS (RFC 7515) by Ed25519 (RFC 8037), the key in the JWKS. */
export const delegationKey = ({ jwk, sign }: PlatformKey): DelegationKey => ({
  header: encode({ alg: 'EdDSA', kid: jwk.kid, typ: type }),
  sign,
  publicKey: createPublicKey({ key: { ...jwk }, format: 'jwk' }),
})

/** Mints a token by which a run calls another agent once, within 120 s: `ac_live_` and a compact JWS. */
export async function mintDelegation(
  { sql, ids, issuer, key }: DelegationsCtx,
  { organizationId, agentId, runId, depth }: DelegatingRun,
  target: string,
): Promise<string> {
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
  const signed = `${key.header}.${payload}`
  return `${prefix}${signed}.${Buffer.from(key.sign(Buffer.from(signed, 'ascii'))).toString('base64url')}`
}

/** Verifies a token for the one agent that it may call. It is good once, in any process. */
export async function verifyDelegation(
  ctx: DelegationsCtx,
  token: string,
  agentId: string,
): Promise<
  { organization: Organization; delegate: DelegatePrincipal } | Failure<'unauthorized' | 'token_expired'>
> {
  const claims = readClaims(ctx.key, token)
  if (claims === undefined || claims.iss !== ctx.issuer || claims.aud !== agentId)
    return failure('unauthorized')
  const { iat, exp, org, sub, run, depth, jti } = claims
  const organization = (await findActor(ctx, agentId))?.organization
  if (organization?.id !== org || exp - iat > lifetimeSeconds) return failure('unauthorized')
  const { isPast, isUsed, isAlive } = await useOnce(ctx, claims)
  if (isPast) return failure('token_expired')
  if (!isUsed || !isAlive) return failure('unauthorized')
  return { organization, delegate: { agentId, parentRunId: run, parentAgentId: sub, depth, jti } }
}

/** Only a token that this key signed in this form: the header is compared, never interpreted. */
function readClaims({ header, publicKey }: DelegationKey, token: string): Claims | undefined {
  if (!token.startsWith(prefix) || token.length > lengthMax) return undefined
  const [given, payload, signature, rest] = token.slice(prefix.length).split('.')
  if (given !== header || payload === undefined || signature === undefined || rest !== undefined)
    return undefined
  const bytes = Buffer.from(signature, 'base64url')
  if (bytes.length !== 64 || bytes.toString('base64url') !== signature) return undefined
  if (!verify(null, Buffer.from(`${header}.${payload}`, 'ascii'), publicKey, bytes)) return undefined
  return Claims.safeParse(JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))).data
}

/** Uses up the token's id, unless it has expired or the run that delegates has ended. */
async function useOnce(
  { sql }: DelegationsCtx,
  { jti, exp, org, sub, run, depth }: Claims,
): Promise<{ isPast: boolean; isUsed: boolean; isAlive: boolean }> {
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
  return rows[0] ?? { isPast: true, isUsed: false, isAlive: false }
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value), 'utf8').toString('base64url')
