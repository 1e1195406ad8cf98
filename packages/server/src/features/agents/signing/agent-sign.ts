import type { SignRequest, SignResponse } from '@symbolon/api'
import { assembleUnsigned } from '@symbolon/networks'
import { checkBudget, dryRunDecision, refusedDecision } from '../../spending/index.ts'
import { authorize } from './authorize.ts'
import { evaluate } from './evaluate.ts'
import {
  type ReadySignature,
  readySignature,
  type SignParams,
  type Stopped,
  type View,
} from './ready-signature.ts'
import { overCodes, type RequestEnd, type RequestError, recordFinal, requestErrorOf } from './request-end.ts'
import type { SigningCtx } from './signing-ctx.ts'
import { methodOf, type SigningPayload } from './signing-request.ts'

/** A request's answer as the wire has it, or its failure. */
export type SignOutcome = SignResponse | RequestError<'invalid_curve'>

/** Signs with the session's wallet, within its policy. Every request but a dry run has its one event. */
export async function agentSign(ctx: SigningCtx, params: SignParams): Promise<SignOutcome> {
  const ready = await readySignature(ctx, params)
  if (params.body.dry_run === true) return dryRun(ctx, params.body, ready)
  if (ready.kind === 'stopped') return recordFinal(ctx.ledger.decisions, ready.request, ready.end)
  const signed = await authorize(ctx, ready)
  if (signed.kind === 'error') return signed
  const shown = 'value' in ready.view ? answerOf(ready.payload, params.body, ready.view.value) : {}
  const receipt = signed.receipt === undefined ? {} : { receipt: signed.receipt }
  return { ...signed.answer, ...shown, ...receipt } as SignResponse
}

/** The whole evaluation, without event or reservation. */
async function dryRun(
  ctx: SigningCtx,
  body: SignRequest,
  ready: ReadySignature | Stopped<RequestEnd<'invalid_curve'>>,
): Promise<SignOutcome> {
  if (ready.kind === 'stopped') return dryEnd(ready.end)
  const { payload, view } = ready
  const decision = await explain(ctx, ready).catch(passingError)
  if ('kind' in decision) return decision
  if ('error' in view) return passingError(view.error)
  const { decoded, address } = view.value
  const isOwn = body.type === 'transaction' && address !== undefined
  return {
    ...answerOf(payload, body, view.value),
    ...unsignedPayload(payload),
    address: isOwn ? address : decoded.from,
    decision,
  } as SignResponse
}

async function explain(ctx: SigningCtx, { request, payload, refusal }: ReadySignature) {
  if (refusal !== undefined) return refusedDecision(refusal, methodOf(request.type ?? 'message'))
  const evaluated = await evaluate(ctx, request, payload, { isFresh: true, explain: true })
  if (evaluated.kind === 'refused')
    return refusedDecision(evaluated.refusal, methodOf(request.type ?? 'message'))
  if (evaluated.kind !== 'evaluated') return dryEnd(evaluated)
  const { session, decision } = evaluated
  const { digestSha256: digest, spends } = decision
  const budget = await checkBudget(ctx.sql, { sessionId: session.id, digest, spends })
  return dryRunDecision(decision, budget)
}

/** The error of an end that is not recorded. */
function dryEnd(end: RequestEnd<'invalid_curve'>): RequestError<'invalid_curve'> {
  switch (end.kind) {
    case 'session_over':
      return { kind: 'error', code: overCodes[end.state] }
    case 'failed': {
      const { facts: _, ...error } = end
      return { ...error, kind: 'error' }
    }
    case 'thrown':
      return passingError(end.error)
    default:
      throw new Error('A dry run must end with its decision.')
  }
}

/** The error of a known exception; any other is thrown. */
function passingError(error: unknown): RequestError {
  const known = requestErrorOf(error)
  if (known === undefined) throw error
  return known
}

/** The bytes to sign; a refused payload may be one that its network cannot sign at all. */
function unsignedPayload(payload: SigningPayload) {
  try {
    return assembleUnsigned(payload.parsed())
  } catch {
    return {}
  }
}

/** The fields of an answer that describe a payload, signed or not. */
const answerOf = ({ wallet, chain }: SigningPayload, body: SignRequest, { decoded }: View) =>
  ({
    wallet_id: wallet.id,
    public_key: `0x${Buffer.from(wallet.publicKey).toString('hex')}`,
    curve: wallet.curve,
    chain: chain.handle,
    type: body.type,
    preview: body.preview ?? decoded,
    decoded_preview: decoded,
  }) as const
