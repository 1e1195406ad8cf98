import type { AgentSession, AuditEventType, Fail, MintAgentSession } from '@symbolon/api'
import { mintToken } from '@symbolon/crypto'
import { agentTokenKey } from '@symbolon/crypto/node'
import type { Sql, Transaction } from '../../../db/pool.ts'
import type { AgentSessionPrincipal, ApiKey, Organization } from '../../../http/principal.ts'
import type { Ids } from '../../../ports/clock.ts'
import type { Random } from '../../../ports/random.ts'
import type { Audit, BrokenGuard, Guard } from '../../audit/index.ts'
import { checkPolicy } from '../../spending/index.ts'
import { agentSessionToWire } from './agent-session.ts'
import type { AgentSessionViews } from './agent-session-views.ts'
import { type AgentSessionQuery, agentSessionsStore } from './agent-sessions.store.ts'
import type { SessionGrants } from './session-grants.ts'
import { type Surroundings, sessionLayersStore } from './session-layers.store.ts'

/** The errors of a mint. */
type MintErrors =
  | 'invalid_request'
  | 'chain_unsupported'
  | 'not_found'
  | 'wallet_not_found'
  | 'wallet_not_tee_mode'
  | 'wallet_archived'
  | 'agent_archived'
  | 'unauthorized'
  | 'unavailable'

/** Who revokes, as the audit log names them; `apiKeyId` has to be alive when it takes effect. */
export type Revoker = { type: 'api_key' | 'portal_user'; id: string }

// Each further one takes a change of the rules or of the agent while a grant is sealed.
const triesMax = 50

/** Tokens under limits: minted, shown and ended. */
export function agentSessions({
  sql,
  ids,
  random,
  hashToken,
  audit,
  grants,
  views,
  cancelRuns,
}: {
  sql: Sql
  ids: Ids
  random: Random
  hashToken: (token: string) => Uint8Array
  audit: Audit
  grants: SessionGrants
  views: AgentSessionViews
  /** Ends the runs that were started with a session, in the transaction that ends it. */
  cancelRuns: (tx: Transaction, ended: { sessionId: string }) => Promise<void>
}) {
  type Fails = Fail<MintErrors>

  /** Stores a session, unless what it was sealed under has changed meanwhile. */
  async function mintOnce(
    { organization, key }: { organization: Organization; key: ApiKey },
    { wallet_id: walletId, agent_id, name, ...asked }: MintAgentSession,
    fail: Fails,
  ): Promise<(AgentSession & { token: string }) | 'changed'> {
    const { id: organizationId } = organization
    const agentId = agent_id ?? null
    const around = { walletId, agentId }
    const surroundings = await sessionLayersStore.read(sql, organizationId, around)
    checkSurroundings(surroundings, around, fail)
    if (Date.parse(asked.expires_at) <= surroundings.nowMs) throw refused('expires_at', 'is past', fail)
    const { expiresAt, isClipped } = clipExpiry(asked.expires_at, surroundings)
    const policy = { ...asked, expires_at: expiresAt }

    const id = ids.next()
    const token = mintToken('as_live_', random(32))
    const made = await grants.make(
      {
        organizationId,
        walletId,
        sessionId: id,
        policyVersion: 1,
        tokenKey: agentTokenKey(token),
        policy,
        surroundings,
      },
      fail,
    )
    const clipped = isClipped ? [...new Set([...made.clipped, 'expires_at'])] : made.clipped
    const stored = await sql.begin(async (tx) => {
      await sessionLayersStore.lock(tx, organizationId)
      if (
        !sessionLayersStore.isUnchanged(
          surroundings,
          await sessionLayersStore.read(tx, organizationId, around),
        )
      )
        return undefined
      await agentSessionsStore.insert(tx, {
        ...made,
        id,
        organizationId,
        agentId,
        walletId,
        name,
        policy,
        clipped,
        token: { hash: hashToken(token), hint: token.slice(-4) },
        expiresAt,
      })
      const actor = { type: 'api_key', id: key.id } as const
      const broken = await record(tx, 'agent_session.created', actor, {
        organizationId,
        walletId,
        payload: { session_id: id, ...(agentId !== null && { agent_id: agentId }), clipped },
        guard: { walletId, apiKeyId: key.id },
      })
      if (broken !== undefined) throw fail(broken as MintErrors)
      return agentSessionsStore.get(tx, organizationId, id)
    })
    return stored === undefined ? 'changed' : { ...agentSessionToWire(stored, made.effective, []), token }
  }

  async function record(
    tx: Transaction,
    type: Extract<AuditEventType, 'agent_session.created' | 'agent_session.revoked'>,
    actor: Revoker,
    {
      guard,
      ...what
    }: {
      organizationId: string
      walletId?: string
      payload: Record<string, unknown>
      guard: Guard
    },
  ): Promise<BrokenGuard | undefined> {
    return audit.appendIf(
      tx,
      { ...what, type, actorType: actor.type, actorId: actor.id, success: true },
      guard,
    )
  }

  async function show(organizationId: string, id: string, fail: Fail<'unavailable'>) {
    const row = await agentSessionsStore.get(sql, organizationId, id)
    return row && (await views([row], fail))[0]
  }

  return {
    /** Mints a session of a TEE wallet: what other layers allow less of is clipped. The token is known this once. */
    async mint(
      principal: { organization: Organization; key: ApiKey },
      request: MintAgentSession,
      fail: Fails,
    ): Promise<AgentSession & { token: string }> {
      checkPolicy(request, fail)
      for (let tries = 0; tries < triesMax; tries++) {
        const minted = await mintOnce(principal, request, fail)
        if (minted !== 'changed') return minted
      }
      throw fail('unavailable')
    },

    /** One session; not that of another organization. */
    async get(
      organizationId: string,
      id: string,
      fail: Fail<'not_found' | 'unavailable'>,
    ): Promise<AgentSession> {
      const session = await show(organizationId, id, fail)
      if (session === undefined) throw fail('not_found', { message: noSession })
      return session
    },

    /** A page of an organization's sessions. */
    async list(
      query: AgentSessionQuery,
      fail: Fail<'unavailable'>,
    ): Promise<{ items: AgentSession[]; total: number }> {
      const { items, total } = await agentSessionsStore.list(sql, query)
      return { items: await views(items, fail), total }
    },

    /** The caller's own session. */
    async mine(
      { organization, session }: { organization: Organization; session: AgentSessionPrincipal },
      fail: Fail<'unauthorized' | 'unavailable'>,
    ): Promise<AgentSession> {
      const mine = await show(organization.id, session.id, fail)
      if (mine === undefined) throw fail('unauthorized')
      return mine
    },

    /** Ends a session: whatever it asked for and has not left by then never leaves. Ended ones stay so. */
    async revoke(
      organizationId: string,
      id: string,
      actor: Revoker,
      fail: Fail<'not_found' | 'unauthorized' | 'unavailable'>,
    ): Promise<AgentSession> {
      await sql.begin(async (tx) => {
        await sessionLayersStore.lock(tx, organizationId)
        const outcome = await agentSessionsStore.revoke(tx, organizationId, id)
        if (outcome === undefined) throw fail('not_found', { message: noSession })
        if (outcome === 'already') return
        await cancelRuns(tx, { sessionId: id })
        const guard = actor.type === 'api_key' ? { apiKeyId: actor.id } : {}
        const payload = { session_id: id }
        const broken = await record(tx, 'agent_session.revoked', actor, { organizationId, payload, guard })
        if (broken !== undefined) throw fail('unauthorized')
      })
      const session = await show(organizationId, id, fail)
      if (session === undefined) throw fail('not_found', { message: noSession })
      return session
    },
  }
}

const noSession = 'There is no such session.'

/** Agent sessions. */
export type AgentSessions = ReturnType<typeof agentSessions>

function checkSurroundings(
  { wallet, agent }: Surroundings,
  asked: { walletId: string; agentId: string | null },
  fail: Fail<MintErrors>,
): void {
  checkWallet(wallet, fail)
  if (asked.agentId === null) return
  if (agent === null) throw fail('not_found', { message: 'There is no such agent.' })
  if (agent.status === 'archived') throw fail('agent_archived')
  if (agent.walletId !== asked.walletId) throw refused('agent_id', 'has another wallet', fail)
}

/** Fails unless an agent may sign with the wallet. */
export function checkWallet(
  wallet: Surroundings['wallet'],
  fail: Fail<'wallet_not_found' | 'wallet_not_tee_mode' | 'wallet_archived'>,
): void {
  if (wallet === null) throw fail('wallet_not_found')
  if (wallet.signingMode !== 'tee') throw fail('wallet_not_tee_mode')
  if (wallet.status === 'archived') throw fail('wallet_archived')
}

/** The organization may let tokens live for so long only. */
function clipExpiry(asked: string, { rules, nowMs }: Surroundings) {
  const seconds = rules?.max_session_ttl_seconds
  const lastMs = seconds === undefined ? Number.POSITIVE_INFINITY : Math.floor(nowMs) + seconds * 1_000
  const isClipped = lastMs < Date.parse(asked)
  return { expiresAt: isClipped ? new Date(lastMs).toISOString() : asked, isClipped }
}

const refused = (field: string, message: string, fail: Fail<'invalid_request'>) =>
  fail('invalid_request', { details: { issues: [{ path: [field], message }] } })
