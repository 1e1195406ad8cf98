/**
 * What an agent's policy costs the enclave: decode and evaluation of ERC-20 transfers, each another one, under layers with lists and
 * caps of all kinds; and of the same layers made ready, which happens once per grant. Wall time of single runs. Argument: rounds.
 */

import { createHash } from 'node:crypto'
import type { SignIntent } from '@symbolon/networks'
import { chainByHandle, decodeForAgent, policyNames as names } from '@symbolon/networks/testing/by-intent'
import { testKey } from '@symbolon/networks/testing/oracle-signer'
import { compile, evaluate, parseLayers, type SigningRequest } from '@symbolon/policy'
import { bytesToHex, encodeFunctionData, erc20Abi, type Hex, hexToBytes, serializeTransaction } from 'viem'
import { median } from './support/load.ts'
import { printTable, writeResults } from './support/results.ts'

const rounds = Number(process.argv[2] ?? 9)
const transfersCount = 1000
const { publicKey } = testKey('secp256k1', 1)
const chain = chainByHandle('base')
if (!chain) throw new Error('base is not a chain')

const usdc: Hex = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const recipients = Array.from({ length: 32 }, (_, n) => addressOf(n + 1))
const caps = { max_spend_per_tx_native: '1000000000000000000', max_spend_total_native: '9000000000000000000' }
const layers = {
  organization: {
    blocked_chains: ['ethereum'],
    blocked_recipients: [addressOf(500)],
    max_native_per_tx_cap: '1',
  },
  agent: { ...caps, allowed_chains: ['base', 'polygon'], allowed_recipients: recipients },
  session: {
    ...caps,
    allowed_chains: ['base'],
    allowed_methods: ['sendTransaction'],
    allowed_recipients: recipients,
    allowed_tokens: [{ chain: 'base', token: usdc, max_per_tx: '1000000', max_total: '1000000000' }],
    max_fee_per_tx_native: '1000000000000000',
    max_tx_count: 1_000_000,
  },
}

/** The `n`th of some addresses. */
function addressOf(n: number): Hex {
  return bytesToHex(Uint8Array.from({ length: 20 }, (_, i) => (n * 7 + i * 31) % 256))
}

/** The `n`th transfer, to one of the recipients. */
function transfer(n: number): SignIntent {
  const to = recipients[n % recipients.length] ?? usdc
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, BigInt(n + 1)] })
  const fees = { gas: 65_000n, maxFeePerGas: 1_000_000_000n, maxPriorityFeePerGas: 1_000_000n }
  const bytes = hexToBytes(serializeTransaction({ chainId: 8453, nonce: n, to: usdc, data, ...fees }))
  return { kind: 'transaction', network: 'evm', chain: 'base', bytes }
}

const intents = Array.from({ length: transfersCount }, (_, n) => transfer(n))
const decoded = intents.map((intent) => decodeForAgent(intent, 'secp256k1', publicKey))
const compiled = compile(parseLayers(layers), names)
const encoded = new Uint8Array(64)
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

function evaluated(decode: SigningRequest['decode']): void {
  const { refusal, spends } = evaluate(compiled, {
    method: 'sendTransaction',
    chain: chain ?? fail(),
    encoded,
    decode,
    sha256,
  })
  // The token, the fee and the count.
  if (refusal !== null || spends.length !== 3)
    throw new Error(`refused: ${refusal?.reason}, ${spends.length} spends`)
}

function fail(): never {
  throw new Error('no chain')
}

const runs: { name: string; wanted: string; run(n: number): unknown }[] = [
  {
    name: 'decode and evaluate',
    wanted: '<= 50',
    run: (n) => evaluated(() => decodeForAgent(intents[n] ?? fail(), 'secp256k1', publicKey)),
  },
  {
    name: 'decode',
    wanted: '<= 25',
    run: (n) => decodeForAgent(intents[n] ?? fail(), 'secp256k1', publicKey),
  },
  { name: 'evaluate', wanted: '<= 20', run: (n) => evaluated(() => decoded[n] ?? fail()) },
  { name: 'parse and compile', wanted: '', run: () => compile(parseLayers(layers), names) },
]

/** Times of single runs in µs, sorted. */
function timesOf(run: (n: number) => unknown): number[] {
  const times: number[] = []
  for (let n = 0; n < transfersCount; n++) {
    const startedAt = process.hrtime.bigint()
    run(n)
    times.push(Number(process.hrtime.bigint() - startedAt) / 1000)
  }
  return times.sort((one, other) => one - other)
}

for (const { run } of runs) for (let warm = 0; warm < 3; warm++) timesOf(run)
const samples = new Map(runs.map(({ name }) => [name, { p50: [] as number[], p99: [] as number[] }]))
for (let round = 0; round < rounds; round++) {
  for (const { name, run } of runs) {
    const times = timesOf(run)
    samples.get(name)?.p50.push(times[Math.floor(transfersCount * 0.5)] ?? 0)
    samples.get(name)?.p99.push(times[Math.floor(transfersCount * 0.99)] ?? 0)
  }
}
const results = runs.map(({ name, wanted }) => {
  const { p50 = [], p99 = [] } = samples.get(name) ?? {}
  return { name, p50_us: median(p50), p99_us: median(p99), wanted }
})

printTable(
  `An ERC-20 transfer under a policy, µs, medians of ${rounds} rounds of ${transfersCount}`,
  ['', 'p50', 'p99', 'wanted p50'],
  results.map(({ name, p50_us, p99_us, wanted }) => [name, p50_us, p99_us, wanted]),
)
writeResults('policy', { rounds, transfers: transfersCount, results })
