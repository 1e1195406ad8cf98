import type { Fail } from '@symbolon/api'
import { assembleAnswer, type NonEmpty, type RawSignature, type SignAnswer } from '@symbolon/networks'
import type { Decision as Judgement, Refusal } from '@symbolon/policy'
import { type Enclave, EnclaveError } from '../../../ports/enclave.ts'
import { type Budgets, walletArchived } from '../../spending/index.ts'
import type { SigningWallets } from '../../wallets/index.ts'
import { type AgentAttempt, type AgentPayload, decisionOn, factsOf } from './agent-attempt.ts'
import type { BrokenDecision, SignedSend } from './agent-decision.ts'
import type { AttemptEnds, AttemptErrors } from './attempt-errors.ts'
import type { Decisions } from './decisions.ts'
import { type EnclaveQuestion, enclaveQuestion } from './enclave-question.ts'
import type { SigningSession } from './signing-sessions.store.ts'
import type { SigningSessions } from './signing-sessions.ts'

/** What came through the gate: signatures that may leave, and what was judged of them. */
export type Passed = { judgement: Judgement; answer: SignAnswer }

/**
 * `beforeSigning` may still throw a decoder's error: nothing is reserved yet. `makeSend` makes the transaction that is to become
 * durable with its signature.
 */
export type PassOptions = { beforeSigning?: () => void; makeSend?: (answer: SignAnswer) => SignedSend }

/** The send's own reasons for which nothing was committed. */
export type BrokenSend = Extract<BrokenDecision, 'lease_lost' | 'attempt_taken'>

// Rules that change more often than this while one signature is made do not let it through.
const roundsMax = 8

/** The one way to a signature of an agent: the enclave judges, the budget is reserved, the enclave signs, the decision is committed. */
export type SigningGate = ReturnType<typeof signingGate>

/** Makes the gate. */
export function signingGate({
  enclave,
  wallets,
  sessions,
  budgets,
  decisions,
  ends,
  isRunOver,
}: {
  enclave: Enclave
  wallets: SigningWallets
  sessions: SigningSessions
  budgets: Budgets
  decisions: Decisions
  ends: AttemptEnds
  isRunOver: (runId: string) => Promise<boolean>
}) {
  /** Undefined: the session has no grant any more, it was revoked since its admission. */
  async function judge(
    attempt: AgentAttempt,
    payload: AgentPayload,
    session: SigningSession,
    explain?: true,
  ) {
    if (session.grant === null) return undefined
    const asked = enclaveQuestion(attempt, payload, session, session.grant)
    const judgement = await enclave.judge({ ...asked, ...(explain && { explain }) })
    return { kind: 'judged', asked, judgement } as const
  }

  /** The judgement with the refusal of its totals, as they stand, if it has no other. */
  async function totalled<judged extends { judgement: Judgement }>(
    judged: judged,
    { id }: SigningSession,
  ): Promise<judged> {
    const { judgement } = judged
    const { digestSha256: digest, spends } = judgement
    if (judgement.refusal !== null) return judged
    const { refusal = null } = await budgets.look({ sessionId: id, digest, spends })
    return { ...judged, judgement: { ...judgement, refusal } }
  }

  async function load({ actor }: AgentAttempt, isFresh: boolean): Promise<SigningSession> {
    const { id } = actor.session
    const session = await (isFresh ? sessions.loadFresh(id) : sessions.load(id))
    if (session === undefined) throw new Error('An admitted session is not there.')
    return session
  }

  /** Judges, reserves and signs; a signature that was made before is kept, and what it costs is looked at again. */
  async function take(
    attempt: AgentAttempt,
    payload: AgentPayload,
    session: SigningSession,
    signed: NonEmpty<RawSignature> | undefined,
    beforeSigning: () => void,
  ): Promise<Step> {
    const judged = await judge(attempt, payload, session)
    if (judged === undefined) return { kind: 'revoked' }
    const { asked, judgement } = judged
    const { spends, digestSha256: digest } = judgement
    if (judgement.refusal !== null) return { kind: 'refused', judgement, refusal: judgement.refusal }
    const isAgain = signed !== undefined
    if (!isAgain) {
      beforeSigning()
      // Asked again at the commit; here nothing is held yet.
      const { runId } = attempt
      if (runId !== null && (await isRunOver(runId))) return { kind: 'run_ended', judgement }
    }
    const over = await budgets.reserve({ sessionId: session.id, digest, spends, isAgain, under: session })
    if (over === 'stale') return { kind: over }
    if (over !== undefined) return { kind: 'refused', judgement, refusal: over }
    if (signed !== undefined) return { kind: 'signed', judgement, signatures: signed }
    const made = await sign(payload, asked, judgement)
    if (made.refusal !== null) return { kind: 'refused', judgement, refusal: made.refusal }
    return { kind: 'signed', judgement, signatures: made.signatures }
  }

  /** Signs; a refusal, or an error after which there certainly is no signature, gives the reservation back. */
  async function sign(
    { wallet: { shareA, shareB } }: AgentPayload,
    asked: EnclaveQuestion,
    { spends, digestSha256 }: Judgement,
  ) {
    const release = async () => {
      if (spends.length > 0) await budgets.release(asked.sessionId, digestSha256)
    }
    try {
      const made = await enclave.agentSign({ ...asked, shareA, shareB })
      if (made.refusal !== null) await release()
      return made
    } catch (error) {
      // An enclave that died may have signed: what was held for it stays held.
      if (error instanceof EnclaveError && error.code !== 'unavailable') await release()
      throw error
    }
  }

  return {
    /** The judgement under the newest rules, with all checks; nothing is signed, held or written. Undefined: revoked. */
    async explain(attempt: AgentAttempt, payload: AgentPayload): Promise<Judgement | undefined> {
      const judged = await judge(attempt, payload, await load(attempt, true), true)
      return judged?.judgement
    },

    /**
     * Ends an attempt early whose judgement is a refusal already, with `withTotals` one by its totals too; nothing else is held or
     * written.
     */
    async precheck(
      attempt: AgentAttempt,
      payload: AgentPayload,
      fail: Fail<AttemptErrors>,
      { withTotals = false }: { withTotals?: boolean } = {},
    ): Promise<Judgement> {
      for (let round = 0; round < roundsMax; round++) {
        const session = await load(attempt, round > 0)
        const judged = await judge(attempt, payload, session)
          .then((one) => (withTotals && one !== undefined ? totalled(one, session) : one))
          .catch(staleUnless(round > 0))
          .catch(async (error: unknown) => {
            throw await ends.thrown(attempt, error, fail)
          })
        if (judged?.kind === 'stale') continue
        if (judged === undefined) throw await ends.ended(attempt, 'revoked', fail)
        const { judgement } = judged
        if (judgement.refusal === null) return judgement
        const facts = factsOf(judgement)
        const refused = await ends.refused(attempt, judgement.refusal, fail, { facts, under: session })
        if (refused !== 'stale') throw refused
      }
      throw await ends.failed(attempt, 'unavailable', fail)
    },

    /**
     * Lets an attempt through, or throws why not, its event written. What the rules were when it was judged they still are at its
     * commit: otherwise it is judged again, its signature kept back. A send that lost its lease, or whose key is taken, is told.
     */
    async pass(
      attempt: AgentAttempt,
      payload: AgentPayload,
      fail: Fail<AttemptErrors>,
      { beforeSigning = () => {}, makeSend }: PassOptions = {},
    ): Promise<Passed | BrokenSend> {
      const { wallet } = payload
      const assembled = async (signatures: NonEmpty<RawSignature>) => {
        const answer = assembleAnswer(payload.parsed(), signatures)
        return { answer, send: makeSend?.(answer) }
      }
      let signed: NonEmpty<RawSignature> | undefined
      for (let round = 0; round < roundsMax; round++) {
        const { session, step } = await loadAndTake(attempt, payload, round > 0, signed, beforeSigning).catch(
          async (error: unknown) => {
            throw await ends.thrown(attempt, error, fail)
          },
        )
        if (step.kind === 'stale') {
          if (!(await wallets.isArchived(wallet.id))) continue
          wallets.forget(wallet.id)
          throw await ends.refused(attempt, walletArchived, fail)
        }
        if (step.kind === 'revoked') throw await ends.ended(attempt, 'revoked', fail)
        if (step.kind === 'run_ended') throw await ends.runEnded(attempt, fail, factsOf(step.judgement))
        const { judgement } = step
        const facts = factsOf(judgement)
        if (step.kind === 'refused') {
          const refused = await ends.refused(attempt, step.refusal, fail, { facts, under: session })
          if (refused === 'stale') continue
          throw refused
        }
        signed = step.signatures
        const { answer, send } = await assembled(signed).catch(async (error: unknown) => {
          throw await ends.thrown(attempt, error, fail, facts)
        })
        const broken = await decisions.commit(
          decisionOn(attempt, {
            outcome: 'allowed',
            reason: null,
            layer: null,
            facts,
            txHash: answer.transaction_hash ?? null,
            guard: {
              policyVersion: session.policyVersion,
              rulesVersion: session.rulesVersion,
              agentVersion: session.agentVersion,
              digest: judgement.spends.length > 0 ? judgement.digestSha256 : null,
            },
            ...(send && { send }),
          }),
        )
        if (broken === undefined) return { judgement, answer }
        if (broken === 'lease_lost' || broken === 'attempt_taken') return broken
        if (broken === 'revoked' || broken === 'expired') throw await ends.ended(attempt, broken, fail, facts)
        if (broken === 'run_ended') throw await ends.runEnded(attempt, fail, facts)
        if (broken === 'wallet_archived') {
          wallets.forget(wallet.id)
          throw await ends.refused(attempt, walletArchived, fail, { facts })
        }
      }
      throw await ends.failed(attempt, 'unavailable', fail)
    },
  }

  async function loadAndTake(
    attempt: AgentAttempt,
    payload: AgentPayload,
    isFresh: boolean,
    signed: NonEmpty<RawSignature> | undefined,
    beforeSigning: () => void,
  ) {
    const session = await load(attempt, isFresh)
    const step = await take(attempt, payload, session, signed, beforeSigning).catch(staleUnless(isFresh))
    return { session, step }
  }
}

const stale = { kind: 'stale' } as const

/** What is remembered of a session may be past where its policy was given more time since: then it is looked up again. */
const staleUnless = (isFresh: boolean) => (error: unknown) => {
  if (isFresh || !(error instanceof EnclaveError) || error.code !== 'expired') throw error
  return stale
}

type Step =
  | { kind: 'revoked' }
  | { kind: 'stale' }
  | { kind: 'run_ended'; judgement: Judgement }
  | { kind: 'refused'; judgement: Judgement; refusal: Refusal }
  | { kind: 'signed'; judgement: Judgement; signatures: NonEmpty<RawSignature> }
