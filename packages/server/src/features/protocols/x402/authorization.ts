import { createHash } from 'node:crypto'
import type { SignRequest } from '@symbolon/api'
import type { PaymentOffer } from './payment-offers.ts'

/** A payment, as plain JSON: it is noted before it is signed, and never made a second time. */
export type Authorization = {
  version: 1 | 2
  chain: string
  chainId: number
  network: string
  asset: string
  domain: { name: string; version: string }
  /** `TransferWithAuthorization` of EIP-3009; numbers are decimal, times in seconds. */
  message: { from: string; to: string; value: string; validAfter: string; validBefore: string; nonce: string }
  raw: unknown
  resource?: unknown
}

// Clocks of others run late by minutes.
const earlySeconds = 600
const validSecondsMax = 3_600

/**
 * The payment of an offer by a call of a session. The token contract takes a nonce once. A call with the key of another one, by another
 * session or after the key's day, gets a nonce of its own, since it is valid until another time.
 */
export function authorize(
  offer: PaymentOffer,
  call: { from: string; nowMs: number; sessionId: string; callKey: string },
): Authorization {
  const { version, chain, network, asset, domain, payTo, amount, timeoutSeconds, raw, resource } = offer
  const { from, nowMs, sessionId, callKey } = call
  const now = Math.floor(nowMs / 1000)
  const validBefore = String(now + Math.min(timeoutSeconds, validSecondsMax))
  const named = `symbolon x402 v2\n${JSON.stringify([sessionId, callKey, validBefore])}`
  return {
    version,
    chain: chain.handle,
    chainId: chain.chainId,
    network,
    asset,
    domain,
    message: {
      from,
      to: payTo,
      value: amount.toString(),
      validAfter: String(now - earlySeconds),
      validBefore,
      nonce: `0x${createHash('sha256').update(named).digest('hex')}`,
    },
    raw,
    ...(resource !== undefined && { resource }),
  }
}

/** The typed data (EIP-712) that pays. */
export const paymentRequest = ({ chain, chainId, asset, domain, message }: Authorization): SignRequest => ({
  type: 'typed_data',
  chain,
  typed_data: {
    domain: { ...domain, chainId, verifyingContract: asset },
    types: {
      TransferWithAuthorization: [
        { name: 'from', type: 'address' },
        { name: 'to', type: 'address' },
        { name: 'value', type: 'uint256' },
        { name: 'validAfter', type: 'uint256' },
        { name: 'validBefore', type: 'uint256' },
        { name: 'nonce', type: 'bytes32' },
      ],
    },
    primaryType: 'TransferWithAuthorization',
    message,
  },
})

/** The header that shows the payment: `X-PAYMENT` in x402 1, `PAYMENT-SIGNATURE` in 2. */
export function paymentHeader(
  { version, network, message, raw, resource }: Authorization,
  signature: string,
): Record<string, string> {
  const payload = { signature, authorization: message }
  if (version === 1) return { 'x-payment': encode({ x402Version: 1, scheme: 'exact', network, payload }) }
  return { 'payment-signature': encode({ x402Version: 2, resource, accepted: raw, payload }) }
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value), 'utf8').toString('base64')
