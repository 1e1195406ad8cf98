import { ApiError, bodyBytesMax, type SignRequest, type SignResponse, WantsReceipt } from '@symbolon/api'
import * as z from 'zod'
import { databaseNowMs } from '../../../db/database-now.ts'
import { type Outbound, type OutboundAnswer, OutboundError } from '../../../ports/outbound.ts'
import { type Failure, failure, isFailure } from '../../../runtime/failure.ts'
import {
  type AgentTool,
  agentSign,
  agentTool,
  isPassing,
  payingChains,
  payingHints,
  type SigningCtx,
  type ToolContext,
  type ToolRefusal,
} from '../../agents/index.ts'
import { type Authorization, authorize, paymentHeader, paymentRequest } from './authorization.ts'
import { isSendable, outboundOf, PaidRequest } from './paid-request.ts'
import { type PaymentOffer, paymentOffers } from './payment-offers.ts'
import { paymentOf, settlementIn, shown, unconfirmed } from './shown-payment.ts'

/** The context for making payments. */
export type PayCtx = { outbound: Outbound; signing: SigningCtx }

const PayInput = z
  .strictObject({
    ...PaidRequest.shape,
    max_amount: z
      .string()
      .regex(/^(0|[1-9]\d{0,77})$/)
      .optional()
      .describe('The maximum to pay, in the smallest unit of the requested token.'),
    receipt: WantsReceipt.optional(),
  })
  .refine(isSendable, { path: ['body'], error: 'needs another method than GET' })
type PayInput = z.output<typeof PayInput>

/** The tool that requests what costs money (x402, versions 1 and 2). */
export const payTool = (ctx: PayCtx): AgentTool =>
  agentTool({
    name: 'pay',
    description:
      'Requests a URL and, if it requires payment (HTTP 402, x402), pays with a token of your wallet, within the policy.',
    skill: {
      name: 'Pay for requests',
      description: 'Requests what costs money (x402) and pays with a token of its wallet, within its policy.',
    },
    hints: payingHints,
    isContinued: true,
    argumentsBytesMax: bodyBytesMax,
    chainsFor: (holder) => payingChains(holder).map(({ handle }) => handle),
    input: PayInput,
    run: (input, context) => pay(ctx, input, context),
  })

/**
 * Makes a request; where the answer is 402, pays by EIP-3009 within the session's policy and makes it again with the payment. The payment is noted
 * before it is signed: a run that continues elsewhere shows the very same one, which its token contract takes once. From then on, every
 * failure names the payment.
 */
async function pay(ctx: PayCtx, input: PayInput, context: ToolContext): Promise<unknown> {
  const { call } = context
  const { max_amount: max } = input
  const noted = call.notes.find(isAuthorization)
  if (noted !== undefined) {
    const again = await signPayment(ctx, noted, context, { isAgain: true, input })
    return 'signature' in again ? redeem(ctx, input, noted, again, context) : again
  }

  const asked = await ask(ctx, input)
  if (isFailure(asked) || asked.status !== 402) return isFailure(asked) ? asked : shown(asked)
  const all = paymentOffers(asked)
  const offers = all.filter(({ amount }) => max === undefined || amount <= BigInt(max))
  const [first] = all
  if (offers.length === 0 && first !== undefined) return tooDear(first, max)
  const chosen = await choose(ctx, offers, context)
  if (isFailure(chosen)) return chosen
  const { authorization, isAllowed } = chosen

  // A refused payment is not noted: a repeated call would report it as one that was made.
  if (isAllowed) await call.note(authorization)
  const signed = await signPayment(ctx, authorization, context, { isAgain: false, input })
  if (!('signature' in signed)) return signed
  // The policy was changed in between.
  if (!isAllowed) await call.note(authorization)
  return redeem(ctx, input, authorization, signed, context)
}

/** The answer to a request without payment. */
async function ask(
  { outbound }: PayCtx,
  input: PayInput,
): Promise<OutboundAnswer | Failure<'invalid_request'>> {
  try {
    return await outbound(outboundOf(input))
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return failure('invalid_request', { message: error.message, cause: error })
  }
}

type Evaluated = { authorization: Authorization; isAllowed: boolean }

/** A seller may make 32 offers, and each costs the enclave an evaluation for one and the same call of the agent. */
const evaluatedMax = 8

/**
 * The first offer of eight that the policy allows; without any, the first that it refuses, so that the refusal says why. Those that cost
 * more than `max_amount` are not among the eight.
 */
async function choose(
  ctx: PayCtx,
  offers: readonly PaymentOffer[],
  context: ToolContext,
): Promise<Evaluated | Failure> {
  let refused: Evaluated | undefined
  let failed: Failure | undefined
  const addresses = new Map<string, string>()
  for (const offer of offers.slice(0, evaluatedMax)) {
    const found = await evaluateOffer(ctx, offer, { ...context, addresses })
    if (isFailure(found)) {
      if (isPassing(found)) return found
      // An offer that cannot be paid says nothing about the others.
      failed ??= found
    } else if (found.isAllowed) return found
    else refused ??= found
  }
  if (refused !== undefined) return refused
  return failed ?? failure('invalid_request', { message: 'This wallet cannot pay any of the offers.' })
}

/** An offer's payment, and whether the policy allows it. `addresses` are the wallet's by chain, as far as they are known. */
async function evaluateOffer(
  ctx: PayCtx,
  offer: PaymentOffer,
  context: ToolContext & { readonly addresses: Map<string, string> },
): Promise<Evaluated | Failure> {
  const { actor, call, addresses } = context
  const blank = authorize(offer, {
    from: noAddress,
    nowMs: await databaseNowMs(ctx.signing.sql),
    sessionId: actor.session.id,
    callKey: call.key,
  })
  const from = addresses.get(offer.chain.handle) ?? (await addressOn(ctx, offer.chain.handle, context))
  if (isFailure(from)) return from
  addresses.set(offer.chain.handle, from)
  const authorization = { ...blank, message: { ...blank.message, from } }
  const evaluated = await sign(ctx, { ...paymentRequest(authorization), dry_run: true }, context)
  if (isFailure(evaluated)) return evaluated
  return { authorization, isAllowed: evaluated.decision?.outcome === 'allowed' }
}

/** The wallet's address on a chain, which the answer to a dry run names. */
async function addressOn(ctx: PayCtx, chain: string, context: ToolContext): Promise<string | Failure> {
  const greeted = await sign(ctx, { type: 'message', message: 'x402', chain, dry_run: true }, context)
  return isFailure(greeted) ? greeted : (greeted.address ?? noAddress)
}

/** A payment's signature; `shown` is what is reported of its receipt, where one was asked for: it has the signature in it. */
type SignedPayment = { signature: string; shown: { receipt?: string } }

/** Signs a payment. `isAgain`: it was noted before, so that the seller may hold it; the refusal of another signature names it. */
async function signPayment(
  ctx: PayCtx,
  authorization: Authorization,
  context: ToolContext,
  { isAgain, input }: { isAgain: boolean; input: PayInput },
): Promise<SignedPayment | Failure | ToolRefusal> {
  const isReceipted = input.receipt === true
  const request = { ...paymentRequest(authorization), ...(isReceipted && { receipt: true }) }
  const signed = await sign(ctx, request, context)
  if (!isFailure(signed)) {
    const { signature, receipt } = signed
    if (signature === undefined) throw new ApiError('internal')
    return { signature, shown: isReceipted && receipt !== undefined ? { receipt } : {} }
  }
  const willRepeat = context.call.isRepeated === true && isPassing(signed)
  if (!isAgain || willRepeat) return signed
  const { code, message, details } = new ApiError(signed.code, signed)
  const refusal = { code, message, details }
  return unconfirmed(authorization, 'The payment was not signed again.', { refusal })
}

/** Makes the request with the payment. */
async function redeem(
  { outbound }: PayCtx,
  input: PayInput,
  authorization: Authorization,
  { signature, shown: receipt }: SignedPayment,
  { call }: ToolContext,
): Promise<unknown> {
  let answer: OutboundAnswer
  try {
    const request = outboundOf(input)
    const headers = { ...request.headers, ...paymentHeader(authorization, signature) }
    answer = await outbound({ ...request, headers })
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    const mayPass = error.code === 'unreachable' || error.code === 'timed_out'
    // The same payment is shown until an answer comes.
    if (mayPass && call.isRepeated === true) return failure('unavailable', { cause: error })
    return unconfirmed(authorization, error.message, receipt)
  }
  const [page, settlement] = [shown(answer), settlementIn(answer)]
  if (answer.status >= 200 && answer.status < 300)
    return { ...page, payment: paymentOf(authorization), settlement, ...receipt }
  return unconfirmed(authorization, `The seller answered ${answer.status}.`, {
    answer: page,
    settlement,
    ...receipt,
  })
}

/** Signs within the policy. An error of the database is a failure like any other: a noted payment's refusal names the payment. */
async function sign(
  { signing }: PayCtx,
  body: SignRequest,
  { actor, runId }: ToolContext,
): Promise<SignResponse | Failure> {
  try {
    return await agentSign(signing, { actor, body, runId })
  } catch (error) {
    if (!(error instanceof ApiError) || error.status === 500) throw error
    const { code, message, details } = error
    return failure(code, { message, details, cause: error })
  }
}

const noAddress = `0x${'0'.repeat(40)}`

/** The first offer is shown: those of a seller are the same price in several assets. */
const tooDear = ({ amount, asset, chain }: PaymentOffer, max: string | undefined) =>
  failure('invalid_request', {
    message: `The price is ${amount} of the token ${asset} on ${chain.handle}, above max_amount ${max}.`,
    details: { limit: max, actual: amount.toString() },
  })

const isAuthorization = (note: unknown): note is Authorization =>
  typeof note === 'object' && note !== null && 'message' in note && 'network' in note
