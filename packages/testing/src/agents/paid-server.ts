import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type Eip3009Token, tokenAbi } from '@symbolon/dev/testing/chain'
import { type Address, type Hex, parseSignature, verifyTypedData } from 'viem'

type Message = {
  from: Address
  to: Address
  value: string
  validAfter: string
  validBefore: string
  nonce: Hex
}
type Payment = {
  x402Version: number
  accepted?: unknown
  payload: { signature: Hex; authorization: Message }
}

/** A seller of one page. */
export type PaidServer = {
  url: string
  /** Requests with and without payment, in order. */
  received: { method: string; headers: IncomingHttpHeaders; body: string }[]
  /** Payments that were shown, good or not. */
  shown: Payment[]
  /** Further offers, before its own. */
  otherOffers: object[]
  /** How many answers to paid requests are lost on the way. */
  losses: number
  /** Answers paid requests in its stead, without settling. */
  afterPayment?: (response: ServerResponse) => void
  close(): Promise<void>
}

const chainId = 31_337
const types = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const

/** What a seller knows of its page. */
type Sale = { token: Eip3009Token; version: 1 | 2; price: bigint; network: string }

/** Starts a seller that speaks x402 of a version, verifies what it is shown, and settles it on the chain. */
export async function startPaidServer(
  token: Eip3009Token,
  { version, price }: { version: 1 | 2; price: bigint },
): Promise<PaidServer> {
  const sale = { token, version, price, network: version === 1 ? 'local' : `eip155:${chainId}` }
  const listener = createServer((request, response) => {
    serve(sale, server, request, response).catch(() => response.writeHead(500).end())
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const server: PaidServer = {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}/page`,
    received: [],
    shown: [],
    otherOffers: [],
    losses: 0,
    close: () => new Promise((resolve) => listener.close(() => resolve())),
  }
  return server
}

async function serve(
  sale: Sale,
  server: PaidServer,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = '', headers } = request
  server.received.push({ method, headers, body: await text(request) })
  const header = request.headers[sale.version === 1 ? 'x-payment' : 'payment-signature']
  if (typeof header !== 'string') return requirePayment(sale, server, response)
  const payment = JSON.parse(Buffer.from(header, 'base64').toString()) as Payment
  server.shown.push(payment)
  if (server.afterPayment !== undefined) return server.afterPayment(response)
  const transaction = await settle(sale, payment)
  if (server.losses > 0) {
    server.losses--
    response.destroy()
    return
  }
  if (transaction === undefined) return requirePayment(sale, server, response)
  const payer = payment.payload.authorization.from
  response.writeHead(200, {
    'content-type': 'text/plain',
    [sale.version === 1 ? 'x-payment-response' : 'payment-response']: encode({
      success: true,
      transaction,
      network: sale.network,
      payer,
    }),
  })
  response.end('what was paid for')
}

function requirePayment(
  { token, version, price, network }: Sale,
  server: PaidServer,
  response: ServerResponse,
): void {
  const offer = {
    scheme: 'exact',
    network,
    [version === 1 ? 'maxAmountRequired' : 'amount']: price.toString(),
    asset: token.address,
    payTo: token.seller.address,
    maxTimeoutSeconds: 300,
    extra: token.domain,
    ...(version === 1 && { resource: 'http://seller/page', description: '', mimeType: 'text/plain' }),
  }
  const accepts = [...server.otherOffers, offer]
  if (version === 1) {
    response.writeHead(402, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ x402Version: 1, error: 'payment required', accepts }))
    return
  }
  const required = { x402Version: 2, resource: { url: server.url }, accepts }
  response.writeHead(402, { 'payment-required': encode(required) }).end('{}')
}

/** The transaction that paid, or the nonce of an authorization that was settled before; undefined when it does not pay. */
async function settle({ token, price }: Sale, { payload }: Payment): Promise<Hex | undefined> {
  const { signature, authorization } = payload
  const { from, to, nonce } = authorization
  const message = {
    from,
    to,
    value: BigInt(authorization.value),
    validAfter: BigInt(authorization.validAfter),
    validBefore: BigInt(authorization.validBefore),
    nonce,
  }
  const domain = { ...token.domain, chainId, verifyingContract: token.address }
  const primaryType = 'TransferWithAuthorization'
  const isSigned = await verifyTypedData({ address: from, domain, types, primaryType, message, signature })
  if (!isSigned || message.value !== price || to !== token.seller.address) return undefined
  const contract = { address: token.address, abi: tokenAbi }
  const isUsed = await token.reads.readContract({
    ...contract,
    functionName: 'authorizationState',
    args: [from, nonce],
  })
  // Paid for already: the page is theirs.
  if (isUsed) return nonce
  const { r, s, yParity } = parseSignature(signature)
  const hash = await token.writes.writeContract({
    ...contract,
    account: token.seller,
    chain: null,
    functionName: 'transferWithAuthorization',
    args: [from, to, message.value, message.validAfter, message.validBefore, nonce, yParity + 27, r, s],
  })
  const { status } = await token.reads.waitForTransactionReceipt({ hash })
  return status === 'success' ? hash : undefined
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64')
