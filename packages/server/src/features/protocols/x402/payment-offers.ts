import { type Chain, evmChains } from '@symbolon/networks'
import * as z from 'zod'
import type { OutboundAnswer } from '../../../ports/outbound.ts'

/** One way to pay: an exact amount (smallest unit) of an EIP-3009 token. `raw` is the offer as it was made. */
export type PaymentOffer = {
  version: 1 | 2
  chain: Chain & { chainId: number }
  /** As the offer names the chain. */
  network: string
  asset: string
  amount: bigint
  payTo: string
  timeoutSeconds: number
  domain: { name: string; version: string }
  raw: unknown
  /** The resource paid for, in version 2. */
  resource?: unknown
}

const EvmAddress = z.string().regex(/^0x[0-9a-fA-F]{40}$/)
const Amount = z
  .string()
  .regex(/^(0|[1-9]\d{0,77})$/)
  .transform(BigInt)

// A run's journal stores neither U+0000 nor half a surrogate: read back, it would be another payment.
const Name = z.string().regex(/^[^\0\p{Cs}]*$/u)

/** How x402 names signed transfers of tokens, its default. */
const TransferMethod = z
  .string()
  .regex(/^eip-?3009$/i)
  .optional()

const shared = {
  scheme: z.literal('exact'),
  network: z.string().max(128),
  asset: EvmAddress,
  payTo: EvmAddress,
  maxTimeoutSeconds: z.int().min(1).max(86_400),
  extra: z.looseObject({
    name: Name.max(128),
    version: Name.max(32),
    assetTransferMethod: TransferMethod,
  }),
}
const OfferV1 = z.looseObject({ ...shared, maxAmountRequired: Amount })
const OfferV2 = z.looseObject({ ...shared, amount: Amount })
const Required = z.looseObject({ accepts: z.array(z.unknown()).max(32), resource: z.unknown().optional() })

/**
 * The offers of a 402: in x402 2 the header `PAYMENT-REQUIRED` (JSON in base64, chains by CAIP-2), in 1 the body (chains by name). Offers
 * in schemes, chains, tokens or transfer methods that we cannot pay with are left out.
 */
export function paymentOffers({ headers, body }: OutboundAnswer): PaymentOffer[] {
  const header = headers['payment-required']
  if (header !== undefined) {
    const { accepts = [], resource } = Required.safeParse(jsonIn(Buffer.from(header, 'base64'))).data ?? {}
    return accepts.flatMap((raw) => {
      const offer = OfferV2.safeParse(raw).data
      return offer === undefined ? [] : read(2, { ...offer, raw, resource })
    })
  }
  const { accepts = [] } = Required.safeParse(jsonIn(body)).data ?? {}
  return accepts.flatMap((raw) => {
    const offer = OfferV1.safeParse(raw).data
    return offer === undefined ? [] : read(1, { ...offer, amount: offer.maxAmountRequired, raw })
  })
}

type Parsed = Pick<z.output<typeof OfferV2>, keyof typeof shared | 'amount'> & {
  raw: unknown
  resource?: unknown
}

function read(version: 1 | 2, offer: Parsed): PaymentOffer[] {
  const { network, extra, maxTimeoutSeconds, asset, amount, payTo, raw, resource } = offer
  const chain = evmChains.find((each) => (version === 2 ? each.caip2 : each.handle) === network)
  if (typeof chain?.chainId !== 'number') return []
  const { name, version: domainVersion } = extra
  return [
    {
      version,
      chain: { ...chain, chainId: chain.chainId },
      network,
      asset,
      amount,
      payTo,
      timeoutSeconds: maxTimeoutSeconds,
      domain: { name, version: domainVersion },
      raw,
      ...(resource !== undefined && { resource }),
    },
  ]
}

/** What is from outside is shown on: nobody nests an offer or a settlement deeper. */
const levelsMax = 32

/** The JSON value of bytes; undefined where they are not JSON, or nested deeper than 32 levels. */
export function jsonIn(bytes: Uint8Array): unknown {
  try {
    const value = JSON.parse(Buffer.from(bytes).toString('utf8')) as unknown
    return isWithin(value, levelsMax) ? value : undefined
  } catch {
    return undefined
  }
}

function isWithin(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value).every((inner) => isWithin(inner, levels - 1))
}
