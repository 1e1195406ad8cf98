import { ApiError } from '@symbolon/api'
import { assembleAnswer, type SignAnswer } from '@symbolon/networks'
import type { Hex } from '@symbolon/networks/evm'
import type { Decision } from '@symbolon/policy'
import { storedReceipt } from '../../receipts/index.ts'
import { type SignedFacts, signedFacts } from '../../signing/index.ts'
import { walletArchived } from '../../spending/index.ts'
import { type AgentTransaction, sendLeaseMs } from '../../transactions/index.ts'
import { type BrokenDecision, decisionRecord, factsOf, type SignedSend } from './decision-record.ts'
import type { SigningCtx } from './signing-ctx.ts'
import type { SigningPayload, SigningRequest } from './signing-request.ts'
import type { Committed, Made, Prepared, Signed, Stop } from './signing-steps.ts'

/** Commits the decision that lets signatures leave; a transaction becomes durable with it. */
export async function commit(
  ctx: SigningCtx,
  request: SigningRequest,
  { payload, planned }: Prepared,
  { decision, session, made }: Signed,
): Promise<Committed | Stop> {
  const facts = factsOf(decision)
  const assembled = assemble(ctx.ids.next(), payload, planned, made)
  if ('error' in assembled) return { kind: 'thrown', error: assembled.error, facts }
  const { answer, transaction, signed } = assembled
  const broken = await ctx.ledger.decisions.commit(
    decisionRecord(request, {
      outcome: 'allowed',
      reason: null,
      layer: null,
      facts,
      signed: payload.operation === undefined ? signed : { ...signed, ...movedBy(decision) },
      txHash: answer.transaction_hash ?? null,
      receipt: storedReceipt(made.receipt, payload.wallet.id),
      guard: {
        policyVersion: session.policyVersion,
        rulesVersion: session.rulesVersion,
        agentVersion: session.agentVersion,
        digest: decision.spends.length > 0 ? decision.digestSha256 : null,
      },
      ...(planned && transaction && { send: sendOf(planned, transaction, made) }),
    }),
  )
  if (broken === undefined)
    return { kind: 'committed', answer, receipt: made.receipt?.jws, ...(transaction && { transaction }) }
  if (broken === 'wallet_archived') ctx.signer.wallets.forget(payload.wallet.id)
  // What is held for the signature stays held: it was made, and whoever has this process's memory has it.
  return stopOf(broken, facts, made)
}

function stopOf(broken: BrokenDecision, facts: ReturnType<typeof factsOf>, made: Made): Stop {
  switch (broken) {
    case 'stale':
    case 'unreserved':
      return { kind: 'stale', made }
    case 'lease_lost':
    case 'key_taken':
      return { kind: 'nonce_lost' }
    case 'attempt_lost':
    case 'receipt_known':
      return { kind: 'thrown', error: new ApiError('unavailable'), facts }
    case 'revoked':
    case 'expired':
      return { kind: 'session_over', state: broken, facts }
    case 'run_ended':
      return { kind: 'run_over', facts }
    case 'wallet_archived':
      return { kind: 'refused', refusal: walletArchived, facts }
  }
}

/** What a stored operation moves: its hash does not show it. */
const movedBy = ({ target, value, asset }: Decision) => ({ target, value: value.toString(), asset })

type Assembled = { answer: SignAnswer; transaction: AgentTransaction | undefined; signed: SignedFacts }

function assemble(
  id: string,
  payload: SigningPayload,
  planned: Planned | undefined,
  { signatures, receipt }: Made,
): Assembled | { error: unknown } {
  try {
    const answer = assembleAnswer(payload.parsed(), signatures)
    const signed = signedFacts(payload.parsed(), payload.preview(), answer)
    return { answer, signed, transaction: planned && signedTransaction(id, planned, answer, receipt?.jws) }
  } catch (error) {
    return { error }
  }
}

type Planned = NonNullable<Prepared['planned']>

function signedTransaction(
  id: string,
  { ready, held }: Planned,
  answer: SignAnswer,
  receipt: string | undefined,
): AgentTransaction {
  const { request, wallet, chain, call } = ready
  const { signed_transaction: raw, transaction_hash: txHash } = answer
  if (typeof raw !== 'string' || txHash === undefined) throw new Error('A signed transaction has no bytes.')
  return {
    id,
    organizationId: request.actor.organization.id,
    sessionId: request.actor.session.id,
    walletId: wallet.id,
    userIdentityId: wallet.userIdentityId,
    chain: chain.chain.handle,
    sender: call.from,
    nonce: held.nonce,
    txHash: txHash as Hex,
    rawTx: Buffer.from(raw.slice(2), 'hex'),
    state: 'sending',
    attempts: 0,
    receipt,
  }
}

function sendOf(
  { ready, held }: Planned,
  { id, userIdentityId, sender, nonce, rawTx }: AgentTransaction,
  { receipt }: Made,
): SignedSend {
  const { holder } = held
  return {
    receiptId: receipt?.receiptId,
    id,
    userIdentityId,
    sender,
    holder,
    nonce,
    requestKey: ready.key,
    rawTx,
    holdMs: sendLeaseMs,
  }
}
