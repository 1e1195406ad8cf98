import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { x402Facilitator } from '@x402/core/facilitator'
import {
  type HTTPRequestContext,
  type HTTPResponseInstructions,
  x402HTTPResourceServer,
  x402ResourceServer,
} from '@x402/core/server'
import type { SupportedResponse } from '@x402/core/types'
import { toFacilitatorEvmSigner } from '@x402/evm'
import { ExactEvmScheme as FacilitatorScheme } from '@x402/evm/exact/facilitator'
import { ExactEvmScheme as MerchantScheme } from '@x402/evm/exact/server'
import type { VerifyTypedDataParameters } from 'viem'
import type { Eip3009Token } from './eip3009-token.ts'

const network = 'eip155:31337'
const maxBodyBytes = 65_536

/** An order that was paid for. */
export type FilledOrder = { body: string; payer: string }

/** A shop on node:http that takes orders by POST: any JSON of at most 64 KiB. */
export type Merchant = {
  url: string
  /** Bodies and the header `x-order` of the orders that it filled, in order. */
  filled: { body: string; order: string | undefined }[]
  /** Orders for which it was not paid. */
  asked: number
  /** Takes no further order; resolves when those it has taken are answered. */
  close(): Promise<void>
}

/**
 * Starts a merchant on the loopback interface, built from the official packages alone, whose facilitator, official too, settles on the local
 * chain. The price is in the token's smallest unit.
 */
export async function startMerchant(
  token: Eip3009Token,
  price: bigint,
  onFilled: (order: FilledOrder) => void = () => {},
): Promise<Merchant> {
  const facilitator = facilitatorOf(token)
  const shop = new x402HTTPResourceServer(
    new x402ResourceServer({
      verify: (payload, requirements) => facilitator.verify(payload, requirements),
      settle: (payload, requirements) => facilitator.settle(payload, requirements),
      // Its own type names chains less strictly than a merchant's.
      getSupported: async () => facilitator.getSupported() as SupportedResponse,
    }).register(network, new MerchantScheme()),
    {
      'POST /orders': {
        accepts: {
          scheme: 'exact',
          network,
          payTo: token.seller.address,
          price: { asset: token.address, amount: price.toString(), extra: token.domain },
        },
        description: 'An order',
        mimeType: 'application/json',
      },
    },
  )
  await shop.initialize()
  const listener = createServer((request, response) => {
    serve({ shop, merchant, onFilled }, request, response).catch((error: unknown) =>
      response.writeHead(500).end(String(error)),
    )
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const merchant: Merchant = {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}/orders`,
    filled: [],
    asked: 0,
    close: () => new Promise((resolve) => listener.close(() => resolve())),
  }
  return merchant
}

/** A facilitator whose signer is the seller's account. */
function facilitatorOf({ seller, reads, writes }: Eip3009Token): x402Facilitator {
  const signer = toFacilitatorEvmSigner({
    address: seller.address,
    readContract: (args) => reads.readContract(args),
    verifyTypedData: (args) => reads.verifyTypedData(args as VerifyTypedDataParameters),
    writeContract: (args) => writes.writeContract({ ...args, account: seller, chain: null }),
    sendTransaction: (args) => writes.sendTransaction({ ...args, account: seller, chain: null }),
    waitForTransactionReceipt: (args) => reads.waitForTransactionReceipt(args),
    getCode: (args) => reads.getCode(args),
  })
  return new x402Facilitator().register(network, new FacilitatorScheme(signer))
}

type Open = {
  shop: x402HTTPResourceServer
  merchant: Merchant
  onFilled: (order: FilledOrder) => void
}

async function serve(
  { shop, merchant, onFilled }: Open,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await bodyOf(request)
  // Before it is paid for.
  if (request.method === 'POST' && !isJson(body))
    return answer(response, {
      status: 400,
      headers: { 'content-type': 'application/json' },
      body: { error: `An order is JSON of at most ${maxBodyBytes} bytes, such as {"item":"report"}.` },
    })
  const context = contextOf(request, body)
  const result = await shop.processHTTPRequest(context)
  if (result.type === 'payment-error') {
    merchant.asked++
    return answer(response, result.response)
  }
  if (result.type === 'no-payment-required') {
    response.writeHead(404).end('This shop takes orders: POST /orders\n')
    return
  }
  const { paymentPayload, paymentRequirements, declaredExtensions } = result
  const settled = await shop.processSettlement(paymentPayload, paymentRequirements, declaredExtensions, {
    request: context,
  })
  if (!settled.success) return answer(response, settled.response)
  merchant.filled.push({ body, order: context.adapter.getHeader('x-order') })
  onFilled({ body, payer: settled.payer ?? 'somebody' })
  response.writeHead(200, { ...settled.headers, 'content-type': 'application/json' })
  response.end(JSON.stringify({ filled: JSON.parse(body) }))
}

/** Empty where it is too long, as no order is. */
async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes <= maxBodyBytes) chunks.push(chunk)
  }
  return bytes > maxBodyBytes ? '' : Buffer.concat(chunks).toString()
}

function isJson(body: string): boolean {
  try {
    JSON.parse(body)
    return true
  } catch {
    return false
  }
}

function contextOf({ headers, method = '', url = '' }: IncomingMessage, body: string): HTTPRequestContext {
  const header = (name: string) => headers[name.toLowerCase()]?.toString()
  const { pathname, href } = new URL(url, `http://${headers.host}`)
  const paymentHeader = header('payment-signature')
  return {
    adapter: {
      getHeader: header,
      getMethod: () => method,
      getPath: () => pathname,
      getUrl: () => href,
      getAcceptHeader: () => header('accept') ?? '',
      getUserAgent: () => header('user-agent') ?? '',
      getBody: () => JSON.parse(body),
    },
    path: pathname,
    method,
    ...(paymentHeader !== undefined && { paymentHeader }),
  }
}

function answer(response: ServerResponse, { status, headers, body }: HTTPResponseInstructions): void {
  response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body))
}
