import type { OutboundAnswer } from '../../../ports/outbound.ts'
import type { ToolRefusal } from '../../agents/index.ts'
import type { Authorization } from './authorization.ts'
import { jsonIn } from './payment-offers.ts'

/** A payment as it is reported: all that was signed, without the signature. */
export function paymentOf({ chain, network, asset, message }: Authorization) {
  const { from, to, value, validAfter, validBefore, nonce } = message
  return {
    chain,
    network,
    token: asset,
    from,
    to,
    amount: value,
    valid_after: validAfter,
    valid_before: validBefore,
    nonce,
    signed: 'TransferWithAuthorization',
  }
}

/**
 * The refusal where a seller may hold a payment of unknown outcome. It names the payment, so that nobody pays again blindly; `problem` and
 * `more` say what went wrong.
 */
export function unconfirmed(authorization: Authorization, problem: string, more: object = {}): ToolRefusal {
  const payment = paymentOf(authorization)
  const { amount, token, chain, network, to, nonce, valid_before: end } = payment
  const until = new Date(Number(end) * 1_000).toISOString()
  return {
    kind: 'refused',
    code: 'payment_unconfirmed',
    message: `${problem} The seller may hold this payment and take it until ${until}: ${amount} (smallest unit) of token ${token} on ${chain} (${network}) to ${to}, EIP-3009 authorization with nonce ${nonce}. Do not pay again before its outcome is known.`,
    details: { payment, ...more },
  }
}

/** An answer, as text where it is text. It is from outside: data. */
export function shown({ status, headers, body }: OutboundAnswer) {
  const text = Buffer.from(body).toString('utf8')
  const isText = Buffer.from(text, 'utf8').equals(body)
  return {
    status,
    content_type: headers['content-type'] ?? null,
    ...(isText ? { body: text } : { body_base64: Buffer.from(body).toString('base64') }),
  }
}

/** The settlement as the seller reports it: `X-PAYMENT-RESPONSE` in x402 1, `PAYMENT-RESPONSE` in 2. */
export function settlementIn({ headers }: OutboundAnswer): unknown {
  const header = headers['payment-response'] ?? headers['x-payment-response']
  return header === undefined ? null : (jsonIn(Buffer.from(header, 'base64')) ?? null)
}
