import { createServer, type IncomingMessage, type Server } from 'node:http'
import { concatHex, encodeAbiParameters, type Hex, numberToHex, parseAbiParameters } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { devKeys, entryPoint } from './chain-constants.ts'
import { type JsonRpc, JsonRpcError } from './json-rpc.ts'
import { isForLoopback } from './loopback-host.ts'
import { paymasterHash, type SponsoredOperation } from './paymaster-hash.ts'

/** How long a sponsorship holds, by the chain's clock. */
export const sponsorshipS = 15 * 60
const forever = 0xffff_ffff_ffff
const gas = { verification: 60_000, postOp: 1 }
const bodyMax = 256 * 1024
/** The contract recovers any signature and reverts off the curve, so the stub is a signature by an unrelated key. */
const stranger: Hex = `0x${'01'.repeat(32)}`

/** The scope of the sponsorship: operations of one chain and EntryPoint v0.7, by one VerifyingPaymaster. */
export type PaymasterServiceOptions = { port: number; chainId: number; paymaster: Hex; chain: JsonRpc }

/**
 * Serves ERC-7677 (`pm_getPaymasterStubData`, `pm_getPaymasterData`) on the loopback interface. Sponsors every operation
 * of its chain for 15 minutes of chain time; refuses another chain or entry point with -32602.
 */
export async function paymasterService(options: PaymasterServiceOptions): Promise<{ stop(): Promise<void> }> {
  const stubSignature = await privateKeyToAccount(stranger).signMessage({ message: 'stub' })
  const sponsor: Sponsor = { ...options, signer: privateKeyToAccount(devKeys.paymasterSigner), stubSignature }
  const server = createServer(async (request, response) => {
    if (!isForLoopback(request)) return void response.writeHead(421).end()
    const answer = await answered(sponsor, request)
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })
  await listening(server, options.port)
  return {
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

type Sponsor = PaymasterServiceOptions & { signer: PrivateKeyAccount; stubSignature: Hex }

async function answered(sponsor: Sponsor, request: IncomingMessage): Promise<object> {
  let id: unknown = null
  try {
    const call = JSON.parse(await bodyOf(request)) as { id: unknown; method: unknown; params?: unknown[] }
    id = call.id ?? null
    return { jsonrpc: '2.0', id, result: await result(sponsor, call.method, call.params ?? []) }
  } catch (error) {
    const { code, message } =
      error instanceof JsonRpcError ? error : { code: -32603, message: 'internal error' }
    return { jsonrpc: '2.0', id, error: { code, message } }
  }
}

async function result(sponsor: Sponsor, method: unknown, params: unknown[]): Promise<object> {
  if (method === 'pm_supportedEntryPoints') return [entryPoint.address]
  if (method !== 'pm_getPaymasterStubData' && method !== 'pm_getPaymasterData')
    throw new JsonRpcError({ code: -32601, message: 'method not found' })
  const [op, asked, askedChain] = params
  if (String(asked).toLowerCase() !== entryPoint.address.toLowerCase())
    throw invalid('unsupported entry point')
  if (Number(askedChain) !== sponsor.chainId) throw invalid('unsupported chain')
  return method === 'pm_getPaymasterStubData' ? stub(sponsor) : sponsorship(sponsor, operation(op))
}

function stub({ paymaster, stubSignature }: Sponsor): object {
  return {
    paymaster,
    paymasterData: paymasterData(forever, stubSignature),
    paymasterVerificationGasLimit: numberToHex(gas.verification),
    paymasterPostOpGasLimit: numberToHex(gas.postOp),
    sponsor: { name: 'Symbolon local chain' },
    isFinal: false,
  }
}

async function sponsorship(
  { paymaster, chainId, chain, signer }: Sponsor,
  op: SponsoredOperation,
): Promise<object> {
  const validUntil = (await chainTimeS(chain)) + sponsorshipS
  const hash = paymasterHash(op, { paymaster, chainId, validUntil, validAfter: 0 })
  const signature = await signer.signMessage({ message: { raw: hash } })
  return { paymaster, paymasterData: paymasterData(validUntil, signature) }
}

/** An idle chain's latest block is older than its clock; an operation lands in the next one. */
async function chainTimeS(chain: JsonRpc): Promise<number> {
  const blocks = await Promise.all(
    ['latest', 'pending'].map((tag) => chain.call<{ timestamp: Hex }>('eth_getBlockByNumber', [tag, false])),
  )
  return Math.max(...blocks.map(({ timestamp }) => Number(timestamp)))
}

function paymasterData(validUntil: number, signature: Hex): Hex {
  return concatHex([encodeAbiParameters(parseAbiParameters('uint48, uint48'), [validUntil, 0]), signature])
}

function operation(value: unknown): SponsoredOperation {
  const op = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>
  const hex = (name: string): Hex => {
    const field = op[name]
    if (typeof field !== 'string' || !/^0x[0-9a-f]*$/i.test(field)) throw invalid(`${name} must be hex`)
    return field as Hex
  }
  const has = (name: string) => op[name] !== undefined && op[name] !== null
  return {
    sender: hex('sender'),
    nonce: BigInt(hex('nonce')),
    ...(has('factory')
      ? { factory: hex('factory'), factoryData: has('factoryData') ? hex('factoryData') : '0x' }
      : {}),
    callData: hex('callData'),
    callGasLimit: BigInt(hex('callGasLimit')),
    verificationGasLimit: BigInt(hex('verificationGasLimit')),
    preVerificationGas: BigInt(hex('preVerificationGas')),
    maxFeePerGas: BigInt(hex('maxFeePerGas')),
    maxPriorityFeePerGas: BigInt(hex('maxPriorityFeePerGas')),
    paymasterVerificationGasLimit: BigInt(hex('paymasterVerificationGasLimit')),
    paymasterPostOpGasLimit: BigInt(hex('paymasterPostOpGasLimit')),
  }
}

function invalid(message: string): JsonRpcError {
  return new JsonRpcError({ code: -32602, message })
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > bodyMax) throw new JsonRpcError({ code: -32600, message: 'request too large' })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

function listening(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    // It stays: an error of `accept` that nobody listens for would end the process.
    server.on('error', reject)
    server.listen(port, '127.0.0.1', () => resolve())
  })
}
