import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Address, type Hex, parseSignature, verifyTypedData } from 'viem'
import { type Eip3009Token, tokenAbi } from '../evm/eip3009-token.ts'

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

/** Starts a seller that speaks x402 of a version, verifies what it is shown, and settles it on the chain. */
export async function startPaidServer(
  token: Eip3009Token,
  { version, price }: { version: 1 | 2; price: bigint },
): Promise<PaidServer> {
  const offer = {
    scheme: 'exact',
    network: version === 1 ? 'local' : `eip155:${chainId}`,
    [version === 1 ? 'maxAmountRequired' : 'amount']: price.toString(),
    asset: token.address,
    payTo: token.seller.address,
    maxTimeoutSeconds: 300,
    extra: token.domain,
    ...(version === 1 && { resource: 'http://seller/page', description: '', mimeType: 'text/plain' }),
  }

  function ask(response: ServerResponse): void {
    const accepts = [...server.otherOffers, offer]
    if (version === 1) {
      response.writeHead(402, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ x402Version: 1, error: 'payment required', accepts }))
      return
    }
    const required = { x402Version: 2, resource: { url: server.url }, accepts }
    response.writeHead(402, { 'payment-required': encode(required) }).end('{}')
  }

  async function settle({ payload }: Payment): Promise<Hex | undefined> {
    const { signature, authorization } = payload
    const { from, to, value, validAfter, validBefore, nonce } = authorization
    const message = {
      from,
      to,
      value: BigInt(value),
      validAfter: BigInt(validAfter),
      validBefore: BigInt(validBefore),
      nonce,
    }
    const domain = { ...token.domain, chainId, verifyingContract: token.address }
    const isSigned = await verifyTypedData({
      address: from,
      domain,
      types,
      primaryType: 'TransferWithAuthorization',
      message,
      signature,
    })
    if (!isSigned || message.value !== price || to !== token.seller.address) return undefined
    const isUsed = await token.reads.readContract({
      address: token.address,
      abi: tokenAbi,
      functionName: 'authorizationState',
      args: [from, nonce],
    })
    // Paid for already: the page is theirs.
    if (isUsed) return nonce
    const { r, s, yParity } = parseSignature(signature)
    const hash = await token.writes.writeContract({
      account: token.seller,
      chain: null,
      address: token.address,
      abi: tokenAbi,
      functionName: 'transferWithAuthorization',
      args: [from, to, message.value, message.validAfter, message.validBefore, nonce, yParity + 27, r, s],
    })
    const { status } = await token.reads.waitForTransactionReceipt({ hash })
    return status === 'success' ? hash : undefined
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const header = request.headers[version === 1 ? 'x-payment' : 'payment-signature']
    if (typeof header !== 'string') return ask(response)
    const payment = JSON.parse(Buffer.from(header, 'base64').toString()) as Payment
    server.shown.push(payment)
    if (server.afterPayment !== undefined) return server.afterPayment(response)
    const transaction = await settle(payment)
    if (server.losses > 0) {
      server.losses--
      response.destroy()
      return
    }
    if (transaction === undefined) return ask(response)
    const settlement = {
      success: true,
      transaction,
      network: offer.network,
      payer: payment.payload.authorization.from,
    }
    response.writeHead(200, {
      'content-type': 'text/plain',
      [version === 1 ? 'x-payment-response' : 'payment-response']: encode(settlement),
    })
    response.end('what was paid for')
  }

  const listener = createServer((request, response) => {
    serve(request, response).catch(() => response.writeHead(500).end())
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const server: PaidServer = {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}/page`,
    shown: [],
    otherOffers: [],
    losses: 0,
    close: () => new Promise((resolve) => listener.close(() => resolve())),
  }
  return server
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64')
