/**
 * Signatures of agents beside plain ones of the same payloads on the same running service, in one interleaved run: an agent's
 * are evaluated under its policy; transactions are reserved and committed against its budget too, messages cost nothing. Every payload is a
 * new one, every token and key is within its limit. Arguments: rounds, seconds per turn.
 */
import { benchPlatform } from './support/bench-platform.ts'
import { cpuMicroseconds, processTree } from './support/cpu.ts'
import { load, median, post } from './support/load.ts'
import { printTable, writeResults } from './support/results.ts'

const rounds = Number(process.argv[2] ?? 7)
const seconds = Number(process.argv[3] ?? 5)
const connections = 256
const sessions = 1_000
const recipient = `0x${'5e'.repeat(20)}`

const platform = await benchPlatform({ keys: 400, wallets: sessions })
const tokens = await mintAll()

const bodies = {
  transaction: {
    type: 'transaction',
    chain: 'base',
    transaction: {
      to: recipient,
      value: '0x3e8',
      nonce: '0x########',
      gas_limit: '0x5208',
      max_fee_per_gas: '0x3b9aca00',
      max_priority_fee_per_gas: '0xf4240',
    },
  },
  message: { type: 'message', chain: 'base', message: 'invoice ########' },
} as const
const walletOf = (i: number) => ({ wallet_id: platform.walletIds[i % sessions] })
const lanes = {
  plain: { path: '/v1/s2s/sign', credentials: platform.secretKeys, fieldsOf: walletOf },
  agent: { path: '/v1/agents/me/sign', credentials: tokens, fieldsOf: () => ({}) },
} as const

type Kind = keyof typeof bodies
type Lane = keyof typeof lanes
type Sample = {
  perSecond: number
  serverMicroseconds: number
  databaseMicroseconds: number
  p50Ms: number
  p99Ms: number
  failed: number
}
const kinds = Object.keys(bodies) as Kind[]
const contenders = kinds.flatMap((kind) =>
  (['plain', 'agent'] as const).map((lane) => ({ kind, lane, requests: requestsOf(kind, lane) })),
)
const samplesOf = () => ({ plain: [] as Sample[], agent: [] as Sample[] })
const samples: Record<Kind, Record<Lane, Sample[]>> = { transaction: samplesOf(), message: samplesOf() }
let numbersFrom = 0x10000000

async function turn(requests: string[], forSeconds: number, parallel = connections) {
  numbersFrom += 1 << 22
  return load({ port: platform.port, requests, connections: parallel, seconds: forSeconds, numbersFrom })
}

for (const { kind, lane, requests } of contenders) {
  const { statuses } = await turn(requests, 3)
  process.stderr.write(`${lane} ${kind} ${JSON.stringify(statuses)}\n`)
}
for (let round = 0; round < rounds; round++) {
  // Each goes first in half of the rounds.
  for (const { kind, lane, requests } of round % 2 === 0 ? contenders : contenders.toReversed()) {
    const [server, database] = [processTree(platform.pid), processTree(platform.databasePid)]
    const before = [cpuMicroseconds(server), cpuMicroseconds(database)] as const
    const result = await turn(requests, seconds)
    const answered = Math.max(1, result.answered)
    samples[kind][lane].push({
      perSecond: result.answered / result.seconds,
      serverMicroseconds: (cpuMicroseconds(server) - before[0]) / answered,
      databaseMicroseconds: (cpuMicroseconds(database) - before[1]) / answered,
      p50Ms: result.p50Ms,
      p99Ms: result.p99Ms,
      failed: result.failed,
    })
    process.stderr.write('.')
  }
}
const single = { transaction: { plain: 0, agent: 0 }, message: { plain: 0, agent: 0 } }
for (const { kind, lane, requests } of contenders) single[kind][lane] = (await turn(requests, 4, 1)).p50Ms
process.stderr.write('\n')

const of = (kind: Kind, lane: Lane, field: keyof Sample) => samples[kind][lane].map((sample) => sample[field])
const ratio = (kind: Kind, field: keyof Sample) =>
  median(of(kind, 'agent', field).map((value, i) => value / (of(kind, 'plain', field)[i] ?? Number.NaN)))
const figuresOf = (kind: Kind) => ({
  throughput_vs_plain: ratio(kind, 'perSecond'),
  server_cpu_vs_plain: ratio(kind, 'serverMicroseconds'),
  database_cpu_vs_plain: ratio(kind, 'databaseMicroseconds'),
  single_connection_p50_ms: single[kind],
})
const figures = {
  transaction: figuresOf('transaction'),
  message: figuresOf('message'),
  failed: contenders
    .flatMap(({ kind, lane }) => of(kind, lane, 'failed'))
    .reduce((sum, count) => sum + count, 0),
}
printTable(
  `Signatures, ${connections} connections, ${rounds} rounds of ${seconds} s, medians`,
  ['', '', 'per second', 'server CPU µs', 'database CPU µs', 'p50 ms', 'p99 ms', 'p50 ms at 1 connection'],
  contenders.map(({ kind, lane }) => [
    kind,
    lane,
    ...(['perSecond', 'serverMicroseconds', 'databaseMicroseconds', 'p50Ms', 'p99Ms'] as const).map((field) =>
      median(of(kind, lane, field)),
    ),
    single[kind][lane],
  ]),
)
printTable(
  'Figures, agent / plain',
  ['', 'measured', 'wanted'],
  [
    ...kinds.flatMap((kind) => [
      [`${kind}: throughput`, figures[kind].throughput_vs_plain, '>= 0.70'],
      [`${kind}: server CPU`, figures[kind].server_cpu_vs_plain, ''],
      // Alone after the load: an enclave that collects its heap again and again shows here first.
      [`${kind}: p50 at 1 connection`, single[kind].agent / single[kind].plain, '<= 2'],
    ]),
    ['answers other than 200', figures.failed, '0'],
  ],
)
writeResults('agent-sign', { rounds, seconds, connections, sessions, figures, samples })
await platform.stop()

function requestsOf(kind: Kind, lane: Lane): string[] {
  const { path, credentials, fieldsOf } = lanes[lane]
  return Array.from({ length: 4_000 }, (_, i) =>
    post(
      path,
      { authorization: `Bearer ${credentials[i % credentials.length]}` },
      { ...fieldsOf(i), ...bodies[kind] },
    ),
  )
}

/** One session for each wallet, with what an agent usually has: caps, a recipient, chains, a time. */
async function mintAll(): Promise<string[]> {
  const minted: string[] = []
  for (let i = 0; i < sessions; i += 50) {
    const batch = platform.walletIds.slice(i, i + 50).map((wallet, k) => mint(wallet, i + k))
    minted.push(...(await Promise.all(batch)))
  }
  return minted
}

async function mint(wallet: string, index: number): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${platform.port}/v1/s2s/agent-sessions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${platform.secretKeys[index % platform.secretKeys.length]}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      wallet_id: wallet,
      name: `bench ${index}`,
      max_spend_per_tx_native: '100000000000000000',
      max_spend_total_native: '1000000000000000000000',
      allowed_chains: ['base', 'ethereum'],
      allowed_methods: ['signMessage', 'sendTransaction'],
      allowed_recipients: [recipient],
      expires_at: new Date(Date.now() + 86_400_000).toISOString(),
    }),
  })
  const { data } = (await response.json()) as { data?: { token: string } }
  if (data === undefined) throw new Error(`A session was not minted: ${response.status}`)
  return data.token
}
