import { type Attempt, retry } from '../../../runtime/retry.ts'
import { type HeldReceipts, holdReceipts } from '../../receipts/index.ts'
import { walletArchived } from '../../spending/index.ts'
import type { NonceTurn } from '../../transactions/index.ts'
import { broadcast, type Sent } from './broadcast.ts'
import { commit } from './commit.ts'
import { attemptsMax, evaluate, isOutdated } from './evaluate.ts'
import { prepare } from './prepare.ts'
import type { ReadySignature } from './ready-signature.ts'
import type { ReadyTransaction } from './ready-transaction.ts'
import { type RequestError, recordEnd, recordFinal } from './request-end.ts'
import { reserve } from './reserve.ts'
import { sign } from './sign.ts'
import type { SigningCtx } from './signing-ctx.ts'
import type { Committed, Kept, Stop } from './signing-steps.ts'
import type { NeedsCode } from './transaction-needs.ts'

const first: Kept = { isFresh: false, noncesLost: 0 }
// A process that loses the lease to a slow database tries again.
const noncesLostMax = 3

/**
 * The one way to a signature of an agent: prepare, evaluate, reserve, sign, commit, broadcast. A signature leaves once its decision is
 * committed under the rules it was evaluated under; where those have changed meanwhile, it is evaluated again. Every end has its one event.
 */
export function authorize(ctx: SigningCtx, ready: ReadySignature): Promise<Committed | RequestError>
export function authorize(
  ctx: SigningCtx,
  ready: ReadyTransaction,
): Promise<Sent | RequestError<NeedsCode | 'broadcast_failed'>>
export async function authorize(
  ctx: SigningCtx,
  ready: ReadySignature | ReadyTransaction,
): Promise<Committed | Sent | RequestError<NeedsCode | 'broadcast_failed'>> {
  const turn = ready.kind === 'transaction' ? await ctx.evm.nonces.turn(ready.nonceOf) : undefined
  const { id: organizationId } = ready.request.actor.organization
  const outcome = await holdReceipts(ctx.ledger.receipts, organizationId, (held) =>
    retry({ attemptsMax }, first, (kept) => tryOnce(ctx, ready, { turn, held }, kept)),
  ).finally(() => turn?.end())
  if (outcome === undefined)
    return recordFinal(ctx.ledger.decisions, ready.request, { kind: 'failed', code: 'unavailable' })
  if (outcome.kind === 'error' || ready.kind === 'signature' || outcome.transaction === undefined)
    return outcome
  return broadcast(ctx, outcome.transaction, ready.chain)
}

type Outcome = Committed | RequestError<NeedsCode>

async function tryOnce(
  ctx: SigningCtx,
  ready: ReadySignature | ReadyTransaction,
  { turn, held: receipts }: { turn: NonceTurn | undefined; held: HeldReceipts },
  kept: Kept,
): Promise<Attempt<Outcome, Kept>> {
  const { request } = ready
  const prepared = kept.prepared ?? (await prepare(ctx, ready, turn))
  if (prepared.kind !== 'prepared') return settle(ctx, ready, prepared, kept)
  const held = { ...kept, prepared }

  const evaluated = await caught(kept, evaluate(ctx, request, prepared.payload, kept))
  if (evaluated.kind !== 'evaluated') return settle(ctx, ready, evaluated, held)

  const reserved = await caught(kept, reserve(ctx, request, prepared, evaluated, kept))
  if (reserved.kind !== 'reserved') return settle(ctx, ready, reserved, held)

  const wish = { isWanted: ready.isReceipted, held: receipts }
  const signed = await caught(kept, sign(ctx, prepared, reserved, kept, wish))
  if (signed.kind !== 'signed') return settle(ctx, ready, signed, held)

  const committed = await commit(ctx, request, prepared, signed)
  const { receipt } = signed.made
  if (committed.kind === 'committed' && receipt !== undefined) receipts.release(receipt)
  return settle(ctx, ready, committed, held)
}

/** A step's outcome; an exception of a decoder, the enclave or the database is an end too. */
const caught = <step>(kept: Kept, step: Promise<step>): Promise<step | Stop> =>
  step.catch(
    (error: unknown): Stop =>
      isOutdated(error, kept.isFresh) ? { kind: 'outdated' } : { kind: 'thrown', error },
  )

/** Ends the request, its event recorded, or returns what the next try starts from. */
async function settle(
  ctx: SigningCtx,
  { request, wallet }: ReadySignature | ReadyTransaction,
  stop: Committed | RequestError<NeedsCode> | Stop,
  kept: Kept,
): Promise<Attempt<Outcome, Kept>> {
  const { decisions } = ctx.ledger
  switch (stop.kind) {
    case 'committed':
    case 'error':
      return { done: stop }
    case 'outdated': {
      const { wallets } = ctx.signer
      if (!(await wallets.isArchived(wallet.id))) return { again: { ...kept, isFresh: true } }
      wallets.forget(wallet.id)
      return { done: await recordFinal(decisions, request, { kind: 'refused', refusal: walletArchived }) }
    }
    case 'stale':
      return { again: { ...kept, isFresh: true, made: stop.made } }
    case 'nonce_lost': {
      const noncesLost = kept.noncesLost + 1
      if (noncesLost < noncesLostMax) return { again: { isFresh: false, noncesLost } }
      return { done: await recordFinal(decisions, request, { kind: 'failed', code: 'unavailable' }) }
    }
    default: {
      const recorded = await recordEnd(decisions, request, stop)
      return recorded === 'stale' ? { again: { ...kept, isFresh: true } } : { done: recorded }
    }
  }
}
