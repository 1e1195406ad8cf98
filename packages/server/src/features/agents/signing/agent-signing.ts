import {
  type ErrorCode,
  type Fail,
  fail as makeError,
  type PolicyDecision,
  type SignRequest,
  type SignResponse,
} from '@symbolon/api'
import { assembleUnsigned, type Chain, NetworkError, networks, preview } from '@symbolon/networks'
import { chainOf, impliedChain, intentOf } from '@symbolon/networks/request'
import type { Refusal } from '@symbolon/policy'
import type { Sql } from '../../../db/pool.ts'
import type { Random } from '../../../ports/random.ts'
import {
  type Budgets,
  dryRunDecision,
  refusedDecision,
  walletArchived,
  walletMismatch,
} from '../../spending/index.ts'
import type { ReadyWallet, SigningWallets } from '../../wallets/index.ts'
import {
  type AgentActor,
  type AgentAttempt,
  type AgentPayload,
  agentPayload,
  knownChain,
  methodOf,
} from './agent-attempt.ts'
import { type AttemptEnds, type AttemptErrors, errorOf } from './attempt-errors.ts'
import type { SigningGate } from './signing-gate.ts'
import { storedOperation } from './stored-operations.store.ts'

/** The errors of a signature. */
export type AgentSignErrors = AttemptErrors | 'invalid_curve'

/** Which wallet the request names, if it does, and the run that asks. */
export type AgentSignOptions = { walletId?: string; runId?: string }

/** Signatures of agents, each judged under its session's policy. */
export function agentSigning({
  sql,
  wallets,
  random,
  gate,
  budgets,
  ends,
}: {
  sql: Sql
  wallets: SigningWallets
  random: Random
  gate: SigningGate
  budgets: Budgets
  ends: AttemptEnds
}) {
  /** The session's wallet, or why it is not to sign. */
  async function walletOf(
    { session }: AgentActor,
    asked: string | undefined,
    isDry: boolean,
  ): Promise<{ wallet: ReadyWallet; refusal: Refusal | undefined }> {
    const wallet = await wallets.load(session.walletId)
    if (wallet === undefined) throw new Error('A session has no wallet.')
    const isOther = asked !== undefined && asked !== wallet.id
    if (isOther) return { wallet, refusal: walletMismatch(wallet.id, asked) }
    // No commit looks at the wallet of a dry run again.
    const isArchived = wallet.status === 'archived' || (isDry && (await wallets.isArchived(wallet.id)))
    return { wallet, refusal: isArchived ? walletArchived : undefined }
  }

  async function payloadOf(
    { organization }: AgentActor,
    wallet: ReadyWallet,
    request: SignRequest,
  ): Promise<AgentPayload> {
    const asked = chainOf(networks, request, wallet.curve)
    checkNetwork(organization.supportedNetworks, asked, request)
    // Typed data and operations without a `chain` say by themselves where they are; a policy may not have the default chain.
    const isLeftOut = request.chain === undefined && asked.network === 'evm'
    const implied = (isLeftOut && impliedChain(request)) || asked
    const intent = intentOf(networks, request, implied, wallet.publicKey, random)
    const stored = await storedOperation(sql, wallet.id, intent)
    const chain = (isLeftOut && stored && networks.chain(stored.chain)) || implied
    const operation = stored === undefined ? undefined : JSON.stringify(stored)
    return agentPayload(wallet, chain, { ...intent, chain: chain.handle }, operation)
  }

  /** The whole evaluation; neither event nor reservation comes of it. */
  async function dryRun(
    attempt: AgentAttempt,
    payload: AgentPayload,
    fail: Fail<AgentSignErrors>,
  ): Promise<PolicyDecision> {
    const judgement = await gate.explain(attempt, payload)
    if (judgement === undefined) throw fail('token_revoked')
    const { digestSha256: digest, spends } = judgement
    const look = await budgets.look({ sessionId: attempt.actor.session.id, digest, spends })
    return dryRunDecision(judgement, look)
  }

  return {
    /** Signs with the session's wallet, within its policy. Throws the route's errors; every attempt but a dry run has its one event. */
    async sign(
      actor: AgentActor,
      request: SignRequest,
      options: AgentSignOptions,
      fail: Fail<AgentSignErrors>,
    ): Promise<SignResponse> {
      const { runId = null, walletId } = options
      const { session } = actor
      const isDry = request.dry_run === true
      const attempt: AgentAttempt = { actor, runId, type: request.type, chain: knownChain(request.chain) }
      if (session.state !== 'active') {
        throw isDry ? overError(session.state, fail) : await ends.ended(attempt, session.state, fail)
      }
      const { wallet, refusal } = await walletOf(actor, walletId, isDry).catch(async (error: unknown) => {
        throw isDry ? errorOf(error, fail) : await ends.thrown(attempt, error, fail)
      })
      attempt.wallet = wallet
      if (refusal !== undefined && !isDry) throw await ends.refused(attempt, refusal, fail)

      const payload = await payloadOf(actor, wallet, request).catch(async (error: unknown) => {
        if (error instanceof NetworkError && error.code === 'invalid_curve')
          throw isDry
            ? fail(error.code, { message: error.message })
            : await ends.failed(attempt, error.code, fail, { message: error.message })
        throw isDry ? errorOf(error, fail) : await ends.thrown(attempt, error, fail)
      })
      attempt.chain = payload.chain.handle
      attempt.isChainAssumed = request.chain === undefined
      if (isDry) {
        const decision =
          refusal === undefined
            ? await dryRun(attempt, payload, fail).catch((error: unknown) => {
                throw errorOf(error, fail)
              })
            : refusedDecision(refusal, methodOf(request.type))
        const { answer, address, from } = shownOr(payload, request, fail)
        const isOwn = request.type === 'transaction' && address !== undefined
        // A message that is refused may be one that its network does not even sign.
        const told = tried(() => assembleUnsigned(payload.parsed()))
        return { ...answer, ...('value' in told && told.value), address: isOwn ? address : from, decision }
      }
      // What is wrong with the bytes is told after what the policy says.
      const view = tried(() => shown(payload, request))
      const beforeSigning = () => {
        if ('error' in view) throw view.error
      }
      const passed = await gate.pass(attempt, payload, fail, { beforeSigning })
      if (typeof passed === 'string') throw new Error('Only a send can lose its lease.')
      return { ...passed.answer, ...('value' in view && view.value.answer) } as SignResponse
    },

    /** A request that does not parse is an attempt too, unless it says that it is none. Throws where the session is over. */
    async malformed(actor: AgentActor, body: unknown, runId: string | null = null): Promise<void> {
      const attempt: AgentAttempt = { actor, runId, type: null, chain: null }
      const { state } = actor.session
      const isDry = typeof body === 'object' && body !== null && 'dry_run' in body && body.dry_run === true
      if (state !== 'active')
        throw isDry ? overError(state, makeError) : await ends.ended(attempt, state, makeError)
      if (!isDry) await ends.failed(attempt, 'invalid_request', makeError)
    },

    /** An attempt of a session that is over, without a type where nobody could read it; answers the error to throw. */
    ended(
      actor: AgentActor,
      state: 'revoked' | 'expired',
      { type, chain }: { type: SignRequest['type'] | null; chain?: string },
      fail: Fail<'token_revoked' | 'token_expired'>,
    ): Promise<Error> {
      return ends.ended({ actor, runId: null, type, chain: knownChain(chain) }, state, fail)
    },

    /** An attempt that failed before there was anything to sign. */
    async failed(
      actor: AgentActor,
      { type, chain, runId = null }: { type: SignRequest['type']; chain: string; runId?: string | null },
      code: ErrorCode,
    ): Promise<void> {
      await ends.failed({ actor, runId, type, chain: knownChain(chain) }, code, makeError)
    },
  }
}

export type AgentSigning = ReturnType<typeof agentSigning>

const overError = (state: 'revoked' | 'expired', fail: Fail<'token_revoked' | 'token_expired'>) =>
  fail(state === 'revoked' ? 'token_revoked' : 'token_expired')

function tried<value>(run: () => value): { value: value } | { error: unknown } {
  try {
    return { value: run() }
  } catch (error) {
    return { error }
  }
}

/** `shown` of what nobody has taken apart: a refusal may have come before. */
function shownOr(payload: AgentPayload, request: SignRequest, fail: Fail<AgentSignErrors>) {
  try {
    return shown(payload, request)
  } catch (error) {
    throw errorOf(error, fail)
  }
}

/** What an answer says of the payload, signed or not. */
function shown({ wallet, chain, parsed }: AgentPayload, request: SignRequest) {
  const { curve, publicKey } = wallet
  const address = wallet.addresses[chain.addressName]
  const decoded = preview(parsed())
  const answer = {
    wallet_id: wallet.id,
    public_key: `0x${Buffer.from(publicKey).toString('hex')}`,
    curve,
    chain: chain.handle,
    type: request.type,
    preview: request.preview ?? decoded,
    decoded_preview: decoded,
  } as const
  return { answer, address, from: decoded.from }
}

/** The organization has to have the chain's network; who named no chain learns what is wrong with the curve. */
function checkNetwork(supported: readonly string[], chain: Chain, request: SignRequest): void {
  if (supported.includes(chain.network)) return
  if (
    request.chain === undefined &&
    !supported.some((name) => networks.byName(name)?.curve === chain.curve)
  ) {
    throw new NetworkError('invalid_curve', `The organization has not enabled ${chain.curve}.`)
  }
  throw new NetworkError('chain_unsupported', `The organization has not enabled ${chain.network}.`)
}
