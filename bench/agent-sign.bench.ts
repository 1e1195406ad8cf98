/**
 * Signatures of agents beside plain ones of the same transactions on the same running service, in one interleaved run: an agent's
 * are judged by its policy, reserved and committed against its budget. Every transaction is a new one, every token and key is
 * within its limit. Arguments: rounds, seconds per turn.
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

const body = {
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
}
const requestsOf = (credentials: readonly string[], path: string, fieldsOf: (i: number) => object) =>
  Array.from({ length: 4_000 }, (_, i) =>
    post(
      path,
      { authorization: `Bearer ${credentials[i % credentials.length]}` },
      { ...fieldsOf(i), ...body },
    ),
  )
const walletOf = (i: number) => ({ wallet_id: platform.walletIds[i % sessions] })
const contenders = [
  { name: 'plain', requests: requestsOf(platform.secretKeys, '/v1/s2s/sign', walletOf) },
  { name: 'agent', requests: requestsOf(tokens, '/v1/agents/me/sign', () => ({})) },
] as const

type Name = (typeof contenders)[number]['name']
type Sample = {
  perSecond: number
  serverMicroseconds: number
  databaseMicroseconds: number
  p50Ms: number
  p99Ms: number
  failed: number
}
const samples: Record<Name, Sample[]> = { plain: [], agent: [] }
let numbersFrom = 0x10000000

async function turn(requests: string[], forSeconds: number, parallel = connections) {
  numbersFrom += 1 << 22
  return load({ port: platform.port, requests, connections: parallel, seconds: forSeconds, numbersFrom })
}

for (const { name, requests } of contenders) {
  const { statuses } = await turn(requests, 3)
  process.stderr.write(`${name} ${JSON.stringify(statuses)}\n`)
}
for (let round = 0; round < rounds; round++) {
  // Each of the two goes first in half of the rounds.
  for (const { name, requests } of round % 2 === 0 ? contenders : contenders.toReversed()) {
    const [server, database] = [processTree(platform.pid), processTree(platform.databasePid)]
    const before = [cpuMicroseconds(server), cpuMicroseconds(database)] as const
    const result = await turn(requests, seconds)
    const answered = Math.max(1, result.answered)
    samples[name].push({
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
const single = { plain: 0, agent: 0 }
for (const { name, requests } of contenders) single[name] = (await turn(requests, 4, 1)).p50Ms
process.stderr.write('\n')

const of = (name: Name, field: keyof Sample) => samples[name].map((sample) => sample[field])
const ratio = (field: keyof Sample) =>
  median(of('agent', field).map((value, i) => value / (of('plain', field)[i] ?? Number.NaN)))
const figures = {
  throughput_vs_plain: ratio('perSecond'),
  server_cpu_vs_plain: ratio('serverMicroseconds'),
  database_cpu_vs_plain: ratio('databaseMicroseconds'),
  single_connection_p50_ms: single,
  failed: [...of('agent', 'failed'), ...of('plain', 'failed')].reduce((sum, count) => sum + count, 0),
}
printTable(
  `Transactions signed, ${connections} connections, ${rounds} rounds of ${seconds} s, medians`,
  ['', 'per second', 'server CPU µs', 'database CPU µs', 'p50 ms', 'p99 ms', 'p50 ms at 1 connection'],
  contenders.map(({ name }) => [
    name,
    ...(['perSecond', 'serverMicroseconds', 'databaseMicroseconds', 'p50Ms', 'p99Ms'] as const).map((field) =>
      median(of(name, field)),
    ),
    single[name],
  ]),
)
printTable(
  'Figures',
  ['', 'measured', 'wanted'],
  [
    ['throughput agent / plain', figures.throughput_vs_plain, '>= 0.70'],
    ['server CPU agent / plain', figures.server_cpu_vs_plain, ''],
    // Alone after the load: an enclave that collects its heap again and again shows here first.
    ['p50 at 1 connection agent / plain', single.agent / single.plain, '<= 2'],
    ['answers other than 200', figures.failed, '0'],
  ],
)
writeResults('agent-sign', { rounds, seconds, connections, sessions, figures, samples })
await platform.stop()

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
