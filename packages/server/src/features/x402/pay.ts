import { ApiError, type ErrorCode, type Fail, type SignRequest, type SignResponse } from '@symbolon/api'
import * as z from 'zod'
import { type Outbound, type OutboundAnswer, OutboundError } from '../../ports/outbound.ts'
import type { AgentTool, ToolContext } from '../agent-tools/agent-tool.ts'
import { type Authorization, authorize, paymentHeader, paymentRequest } from './authorization.ts'
import { jsonIn, type PaymentOffer, paymentOffers } from './payment-offers.ts'

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
  nowMs: () => number
}

type Step = { context: ToolContext; fail: Fail<ErrorCode> }

/**
 * The tool that gets what costs money (x402, versions 1 and 2): GET, and where the answer is 402, a payment by EIP-3009 within the
 * session's policy, and GET again with it. What is decided on is written down first: a run that goes on elsewhere shows the very same
 * payment again, which its token contract takes once.
 */
export function payTool({ outbound, sign, nowMs }: PayParts): AgentTool<typeof PayInput> {
  /** `mayRepeat`: a payment is under way, whose answer is asked for until it comes. */
  async function get(
    url: string,
    headers: Record<string, string>,
    fail: Fail<ErrorCode>,
    mayRepeat: boolean,
  ): Promise<OutboundAnswer> {
    try {
      return await outbound({ url, headers: { accept: '*/*', ...headers } })
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error
      const mayPass = error.code === 'unreachable' || error.code === 'timed_out'
      throw fail(mayRepeat && mayPass ? 'unavailable' : 'invalid_request', {
        message: error.message,
        cause: error,
      })
    }
  }

  /** The first offer that the policy allows, decided on; without any, the first one, for the gate to refuse. */
  async function decide(offers: readonly PaymentOffer[], step: Step): Promise<Authorization> {
    let first: Authorization | undefined
    for (const offer of offers) {
      // The answer of a dry run names the wallet's address on the offer's chain.
      const blank = authorize(offer, { from: noAddress, nowMs: nowMs(), key: step.context.attemptKey })
      const { address } = await sign(
        { type: 'message', message: 'x402', chain: offer.chain.handle, dry_run: true },
        step.context,
        step.fail,
      )
      const authorization = { ...blank, message: { ...blank.message, from: address ?? noAddress } }
      first ??= authorization
      const { decision } = await sign(
        { ...paymentRequest(authorization), dry_run: true },
        step.context,
        step.fail,
      )
      if (decision?.outcome === 'allowed') return authorization
    }
    if (first === undefined)
      throw step.fail('invalid_request', { message: 'No offer can be paid with this wallet.' })
    return first
  }

  return {
    name: 'pay',
    description:
      'Gets a URL and, when it costs money (HTTP 402, x402), pays for it with a token of the wallet, within the policy.',
    input: PayInput,
    async run({ url, max_amount: max }, context, fail) {
      let authorization = context.notes.find(isAuthorization)
      if (authorization === undefined) {
        const answer = await get(url, {}, fail, false)
        if (answer.status !== 402) return shown(answer)
        const all = paymentOffers(answer)
        const offers = all.filter(({ amount }) => max === undefined || amount <= BigInt(max))
        if (offers.length === 0 && all.length > 0)
          throw fail('invalid_request', { message: 'It costs more than max_amount.' })
        authorization = await decide(offers, { context, fail })
        await context.note(authorization)
      }
      const { signature } = await sign(paymentRequest(authorization), context, fail)
      if (signature === undefined) throw new ApiError('internal')
      const paid = await get(url, paymentHeader(authorization, signature), fail, true)
      const { message, asset, chain } = authorization
      return {
        ...shown(paid),
        payment: { chain, token: asset, to: message.to, amount: message.value, nonce: message.nonce },
        settlement: settlementIn(paid),
      }
    },
  }
}

const noAddress = `0x${'0'.repeat(40)}`

const isAuthorization = (note: unknown): note is Authorization =>
  typeof note === 'object' && note !== null && 'message' in note && 'network' in note

/** What came, as text where it is any. It is from outside: data. */
function shown({ status, headers, body }: OutboundAnswer) {
  const text = Buffer.from(body).toString('utf8')
  const isText = Buffer.from(text, 'utf8').equals(body)
  return {
    status,
    content_type: headers['content-type'] ?? null,
    ...(isText ? { body: text } : { body_base64: Buffer.from(body).toString('base64') }),
  }
}

/** What the seller says of the settlement: `X-PAYMENT-RESPONSE` in x402 1, `PAYMENT-RESPONSE` in 2. */
function settlementIn({ headers }: OutboundAnswer): unknown {
  const header = headers['payment-response'] ?? headers['x-payment-response']
  return header === undefined ? null : (jsonIn(Buffer.from(header, 'base64')) ?? null)
}
