import type { AgentSession, AuditEventType, MintAgentSession, MintWarning } from '@symbolon/api'
import { mintToken } from '@symbolon/crypto'
import { agentTokenKey } from '@symbolon/crypto/node'
import { lockOrganization } from '../../../db/organization-lock.ts'
import type { Sql, Transaction } from '../../../db/pool.ts'
import type { AgentSessionPrincipal, ApiKey, Organization } from '../../../http/principal.ts'
import type { Ids } from '../../../ports/clock.ts'
import type { Random } from '../../../ports/random.ts'
import { type Failure, failure, isFailure } from '../../../runtime/failure.ts'
import type { Audit, BrokenGuard, Guard } from '../../audit/index.ts'
import { tellEnclaveNow } from '../../custody/index.ts'
import { checkPolicy } from '../../spending/index.ts'
import { agentRunsStore } from '../runs/agent-runs.store.ts'
import { agentSessionToWire } from './agent-session.ts'
import { type SessionViewCtx, showSessions } from './agent-session-views.ts'
import { type AgentSessionQuery, agentSessionsStore } from './agent-sessions.store.ts'
import { mintWarnings } from './mint-warnings.ts'
import { type GrantSigner, type MadeGrant, makeGrant } from './session-grants.ts'
import { type Surroundings, sessionLayersStore } from './session-layers.store.ts'

/** The context for managing agent sessions. */
export type AgentSessionsCtx = {
  sql: Sql
  ids: Ids
  audit: Audit
  tokens: { random: Random; hash: (token: string) => Uint8Array }
  signer: GrantSigner
}

/** The actor of a revocation, as the audit log names it; an API key must be valid when it takes effect. */
export type Revoker = { type: 'api_key' | 'portal_user'; id: string }

/** A backend that mints. */
type Minter = { organization: Organization; key: ApiKey }
type Minted = AgentSession & { token: string; warnings: MintWarning[] }
type WalletFailure = Failure<'wallet_not_found' | 'wallet_not_tee_mode' | 'wallet_archived'>
type MintFailure =
  | WalletFailure
  | Failure<
      | 'invalid_request'
      | 'chain_unsupported'
      | 'not_found'
      | 'agent_archived'
      | 'unauthorized'
      | 'unavailable'
    >

// Each further try takes a change of the rules or of the agent while a grant is sealed.
const triesMax = 50

/** Mints a session of a TEE wallet; what the other layers do not allow is clipped. Its token is known this once. */
export async function mintAgentSession(
  ctx: AgentSessionsCtx,
  minter: Minter,
  request: MintAgentSession,
): Promise<Minted | MintFailure> {
  const invalid = checkPolicy(request)
  if (invalid !== undefined) return invalid
  for (let tries = 0; tries < triesMax; tries++) {
    const minted = await mintOnce(ctx, minter, request)
    if (minted !== 'changed') return minted
  }
  return failure('unavailable')
}

/** Mints a session, unless the layers around it change while its grant is sealed. */
async function mintOnce(
  ctx: AgentSessionsCtx,
  minter: Minter,
  { wallet_id: walletId, agent_id, name, ...asked }: MintAgentSession,
): Promise<Minted | MintFailure | 'changed'> {
  const { id: organizationId } = minter.organization
  const around = { walletId, agentId: agent_id ?? null }
  const surroundings = await sessionLayersStore.read(ctx.sql, organizationId, around)
  const refused = checkSurroundings(surroundings, around)
  if (refused !== undefined) return refused
  if (Date.parse(asked.expires_at) <= surroundings.nowMs) return invalidField('expires_at', 'is in the past')
  const { expiresAt, isClipped } = clipExpiry(asked.expires_at, surroundings)
  const policy = { ...asked, expires_at: expiresAt }

  const id = ctx.ids.next()
  const token = mintToken('as_live_', ctx.tokens.random(32))
  const grant = { organizationId, walletId, sessionId: id, policyVersion: 1, policy, surroundings }
  const made = await makeGrant(ctx.signer, { ...grant, tokenKey: agentTokenKey(token) })
  if (isFailure(made)) return made
  const clipped = isClipped ? [...new Set([...made.clipped, 'expires_at'])] : made.clipped
  const session = { id, ...around, name, policy, expiresAt, token, made: { ...made, clipped } }
  const stored = await storeSession(ctx, minter, session, surroundings)
  if (stored === 'changed' || isFailure(stored)) return stored
  return {
    ...agentSessionToWire(stored, made.effective, []),
    token,
    warnings: mintWarnings(made.effective),
  }
}

type NewSession = {
  id: string
  walletId: string
  agentId: string | null
  name: string
  policy: Parameters<typeof agentSessionsStore.insert>[1]['policy']
  expiresAt: string
  token: string
  made: MadeGrant
}

/** Stores a session where the layers around it are still those it was sealed under. */
const storeSession = (
  ctx: AgentSessionsCtx,
  { organization: { id: organizationId }, key }: Minter,
  { token, made, ...session }: NewSession,
  surroundings: Surroundings,
) =>
  ctx.sql.begin(async (tx) => {
    await lockOrganization(tx, organizationId)
    const { id, agentId, walletId } = session
    const now = await sessionLayersStore.read(tx, organizationId, session)
    if (!sessionLayersStore.isUnchanged(surroundings, now)) return 'changed'
    await agentSessionsStore.insert(tx, {
      ...made,
      ...session,
      organizationId,
      token: { hash: ctx.tokens.hash(token), hint: token.slice(-4) },
    })
    const revoker = { type: 'api_key', id: key.id } as const
    const broken = await record(ctx, tx, 'agent_session.created', revoker, {
      organizationId,
      walletId,
      payload: { session_id: id, ...(agentId !== null && { agent_id: agentId }), clipped: made.clipped },
      guard: { walletId, apiKeyId: key.id },
    })
    // The guard has no token, so that no token can be the reason.
    if (broken !== undefined) return failure(broken as Exclude<BrokenGuard, `token_${string}`>)
    return (await agentSessionsStore.get(tx, organizationId, id)) ?? 'changed'
  })

/** A session of the organization. */
export async function getAgentSession(
  ctx: SessionViewCtx,
  organizationId: string,
  id: string,
): Promise<AgentSession | Failure<'not_found' | 'unavailable'>> {
  return (await show(ctx, organizationId, id)) ?? failure('not_found', { message: noSession })
}

/** The caller's own session. */
export async function getOwnAgentSession(
  ctx: SessionViewCtx,
  { organization, session }: { organization: Organization; session: AgentSessionPrincipal },
): Promise<AgentSession | Failure<'unauthorized' | 'unavailable'>> {
  return (await show(ctx, organization.id, session.id)) ?? failure('unauthorized')
}

/** A page of an organization's sessions. */
export async function listAgentSessions(
  ctx: SessionViewCtx,
  query: AgentSessionQuery,
): Promise<{ items: AgentSession[]; total: number } | Failure<'unavailable'>> {
  const { items: rows, total } = await agentSessionsStore.list(ctx.sql, query)
  const items = await showSessions(ctx, rows)
  return isFailure(items) ? items : { items, total }
}

/** Ends a session with its runs: what has not left by then never leaves. A session that has ended stays so. */
export async function revokeAgentSession(
  ctx: AgentSessionsCtx,
  organizationId: string,
  id: string,
  revoker: Revoker,
): Promise<AgentSession | Failure<'not_found' | 'unauthorized' | 'unavailable'>> {
  const refused = await ctx.sql.begin(async (tx) => {
    await lockOrganization(tx, organizationId)
    const outcome = await agentSessionsStore.revoke(tx, organizationId, id)
    if (outcome === undefined) return failure('not_found', { message: noSession })
    if (outcome === 'already') return undefined
    await agentRunsStore.cancelOfSession(tx, id)
    const guard = revoker.type === 'api_key' ? { apiKeyId: revoker.id } : {}
    const payload = { session_id: id }
    const broken = await record(ctx, tx, 'agent_session.revoked', revoker, { organizationId, payload, guard })
    return broken === undefined ? undefined : failure('unauthorized')
  })
  if (refused !== undefined) return refused
  await tellEnclaveNow({ sql: ctx.sql, enclave: ctx.signer.enclave })
  return getAgentSession(ctx, organizationId, id)
}

/** Why an agent cannot sign with the wallet; undefined where it can. */
export function checkWallet(wallet: Surroundings['wallet']): WalletFailure | undefined {
  if (wallet === null) return failure('wallet_not_found')
  if (wallet.signingMode !== 'tee') return failure('wallet_not_tee_mode')
  return wallet.status === 'archived' ? failure('wallet_archived') : undefined
}

function checkSurroundings(
  { wallet, agent }: Surroundings,
  asked: { walletId: string; agentId: string | null },
): WalletFailure | Failure<'not_found' | 'agent_archived' | 'invalid_request'> | undefined {
  const refused = checkWallet(wallet)
  if (refused !== undefined || asked.agentId === null) return refused
  if (agent === null) return failure('not_found', { message: 'Agent not found.' })
  if (agent.status === 'archived') return failure('agent_archived')
  return agent.walletId === asked.walletId ? undefined : invalidField('agent_id', 'belongs to another wallet')
}

async function show(ctx: SessionViewCtx, organizationId: string, id: string) {
  const row = await agentSessionsStore.get(ctx.sql, organizationId, id)
  if (row === undefined) return undefined
  const shown = await showSessions(ctx, [row])
  return isFailure(shown) ? shown : shown[0]
}

const record = (
  { audit }: AgentSessionsCtx,
  tx: Transaction,
  type: Extract<AuditEventType, 'agent_session.created' | 'agent_session.revoked'>,
  actor: Revoker,
  {
    guard,
    ...event
  }: { organizationId: string; walletId?: string; payload: Record<string, unknown>; guard: Guard },
): Promise<BrokenGuard | undefined> =>
  audit.appendIf(tx, { ...event, type, actorType: actor.type, actorId: actor.id, success: true }, guard)

/** The organization's rules may limit how long a token lives. */
function clipExpiry(asked: string, { rules, nowMs }: Surroundings) {
  const seconds = rules?.max_session_ttl_seconds
  const lastMs = seconds === undefined ? Number.POSITIVE_INFINITY : Math.floor(nowMs) + seconds * 1_000
  const isClipped = lastMs < Date.parse(asked)
  return { expiresAt: isClipped ? new Date(lastMs).toISOString() : asked, isClipped }
}

const noSession = 'Session not found.'

const invalidField = (field: string, message: string) =>
  failure('invalid_request', { details: { issues: [{ path: [field], message }] } })
