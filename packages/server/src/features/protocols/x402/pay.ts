import { ApiError, type ErrorCode, type Fail, type SignRequest, type SignResponse } from '@symbolon/api'
import * as z from 'zod'
import { type Outbound, type OutboundAnswer, OutboundError } from '../../../ports/outbound.ts'
import type { AgentTool, ToolContext } from '../../agents/index.ts'
import { type Authorization, authorize, paymentHeader, paymentRequest } from './authorization.ts'
import { type PaymentOffer, paymentOffers } from './payment-offers.ts'
import { paymentOf, settlementIn, shown, unconfirmed } from './shown-payment.ts'

const PayInput = z.strictObject({
  url: z.url().max(2048).describe('What to get; https.'),
  max_amount: z
    .string()
    .regex(/^(0|[1-9]\d{0,77})$/)
    .optional()
    .describe('The most to pay, in the smallest unit of the token that is asked for.'),
})

/** What `pay` needs. `sign` is the gate: the session's token caps price the payment. */
export type PayParts = {
  outbound: Outbound
  sign(request: SignRequest, context: ToolContext, fail: Fail<ErrorCode>): Promise<SignResponse>
  /** The database's time. */
  nowMs(): Promise<number>
  /** Whether an error may pass when the call is made again. */
  isPassing(error: unknown): boolean
  /** The tool's refusal under a code of its own. */
  refuse(refusal: { code: string; message: string; details: unknown }): Error
}

// Declared here: features take no values of each other.
const hints = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true }

type Step = { context: ToolContext; fail: Fail<ErrorCode> }
type Judged = { authorization: Authorization; isAllowed: boolean }

/**
 * The tool that gets what costs money (x402, versions 1 and 2): GET, and where the answer is 402, a payment by EIP-3009 within the
 * session's policy, and GET again with it. What is decided on is written down first: a run that goes on elsewhere shows the very same
 * payment again, which its token contract takes once. From then on every failure names the payment.
 */
export function payTool({ outbound, sign, nowMs, isPassing, refuse }: PayParts): AgentTool<typeof PayInput> {
  const get = (url: string, headers: Record<string, string> = {}): Promise<OutboundAnswer> =>
    outbound({ url, headers: { accept: '*/*', ...headers } })

  /** What it answers to who shows no payment. */
  async function asked(url: string, fail: Fail<ErrorCode>): Promise<OutboundAnswer> {
    try {
      return await get(url)
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error
      throw fail('invalid_request', { message: error.message, cause: error })
    }
  }

  /** The payment of an offer and whether the policy allows it; the answer of a dry run names the wallet's address on the offer's chain. */
  async function judged(offer: PaymentOffer, { context, fail }: Step): Promise<Judged> {
    const { session, attemptKey } = context
    const call = { from: noAddress, nowMs: await nowMs(), sessionId: session.id, attemptKey }
    const blank = authorize(offer, call)
    const hello = { type: 'message', message: 'x402', chain: offer.chain.handle, dry_run: true } as const
    const { address } = await sign(hello, context, fail)
    const authorization = { ...blank, message: { ...blank.message, from: address ?? noAddress } }
    const { decision } = await sign({ ...paymentRequest(authorization), dry_run: true }, context, fail)
    return { authorization, isAllowed: decision?.outcome === 'allowed' }
  }

  /** The first offer that the policy allows, decided on; without any, the first that it refuses, for the gate to say why. */
  async function decide(offers: readonly PaymentOffer[], step: Step): Promise<Judged> {
    let refused: Judged | undefined
    let failure: ApiError | undefined
    for (const offer of offers) {
      try {
        const found = await judged(offer, step)
        if (found.isAllowed) return found
        refused ??= found
      } catch (error) {
        // An offer that is no payment says nothing of the others.
        if (!(error instanceof ApiError) || error.status === 500 || isPassing(error)) throw error
        failure ??= error
      }
    }
    if (refused !== undefined) return refused
    throw failure ?? step.fail('invalid_request', { message: 'No offer can be paid with this wallet.' })
  }

  /** The signature; `isAgain`: of a payment that was decided on before, and may have been shown to the seller by then. */
  async function signed(authorization: Authorization, { context, fail }: Step, isAgain: boolean) {
    try {
      const { signature } = await sign(paymentRequest(authorization), context, fail)
      if (signature === undefined) throw new ApiError('internal')
      return signature
    } catch (error) {
      const willRepeat = context.isRepeated === true && isPassing(error)
      if (!isAgain || willRepeat || !(error instanceof ApiError) || error.status === 500) throw error
      const { code, message, details } = error
      const refusal = { code, message, details }
      throw refuse(unconfirmed(authorization, 'It was not signed again.', { refusal }))
    }
  }

  /** What a payment was good for. */
  async function redeemed(url: string, authorization: Authorization, signature: string, { context }: Step) {
    let answer: OutboundAnswer
    try {
      answer = await get(url, paymentHeader(authorization, signature))
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error
      const mayPass = error.code === 'unreachable' || error.code === 'timed_out'
      // The same payment is shown until an answer comes.
      if (mayPass && context.isRepeated === true) throw new ApiError('unavailable', { cause: error })
      throw refuse(unconfirmed(authorization, error.message))
    }
    const [page, settlement] = [shown(answer), settlementIn(answer)]
    if (answer.status >= 200 && answer.status < 300)
      return { ...page, payment: paymentOf(authorization), settlement }
    const what = `The seller answered ${answer.status}.`
    throw refuse(unconfirmed(authorization, what, { answer: page, settlement }))
  }

  return {
    name: 'pay',
    description:
      'Gets a URL and, when it costs money (HTTP 402, x402), pays for it with a token of the wallet, within the policy.',
    hints,
    input: PayInput,
    async run({ url, max_amount: max }, context, fail) {
      const step = { context, fail }
      const noted = context.notes.find(isAuthorization)
      if (noted !== undefined) return redeemed(url, noted, await signed(noted, step, true), step)
      const answer = await asked(url, fail)
      if (answer.status !== 402) return shown(answer)
      const all = paymentOffers(answer)
      const offers = all.filter(({ amount }) => max === undefined || amount <= BigInt(max))
      if (offers.length === 0 && all.length > 0)
        throw fail('invalid_request', { message: 'It costs more than max_amount.' })
      const { authorization, isAllowed } = await decide(offers, step)
      // What is refused is no payment: noted, the same call again would tell of it as one.
      if (isAllowed) await context.note(authorization)
      const signature = await signed(authorization, step, false)
      // The policy was changed in between.
      if (!isAllowed) await context.note(authorization)
      return redeemed(url, authorization, signature, step)
    },
  }
}

const noAddress = `0x${'0'.repeat(40)}`

const isAuthorization = (note: unknown): note is Authorization =>
  typeof note === 'object' && note !== null && 'message' in note && 'network' in note
