/**
 * Durable signatures per second beside anvil's `eth_sign` and a naive variant, in one interleaved run: the real limiter over
 * 400 keys, an audit event committed before each answer, the enclave hop included. Arguments: rounds, seconds per turn.
 */
import { availableParallelism } from 'node:os'
import { startNaive } from './naive/start-naive.ts'
import { startAnvil } from './support/anvil.ts'
import { benchPlatform } from './support/bench-platform.ts'
import { cpuMicroseconds, processTree, residentMegabytes } from './support/cpu.ts'
import { load, median, post } from './support/load.ts'
import { printTable, writeResults } from './support/results.ts'

const rounds = Number(process.argv[2] ?? 7)
const seconds = Number(process.argv[3] ?? 5)
const connections = 256
const message = `0x${'de'.repeat(32)}`

const anvil = await startAnvil()
const platform = await benchPlatform({ keys: 400, wallets: 1_000 })
const naive = await startNaive(platform.databaseUrl, {
  keys: 400,
  wallets: 1_000,
  workers: availableParallelism(),
})

const requestsOf = (keys: string[], wallets: string[], path: string) =>
  Array.from({ length: 4_000 }, (_, i) =>
    post(
      path,
      { authorization: `Bearer ${keys[i % keys.length]}` },
      { wallet_id: wallets[i % wallets.length], type: 'message', message, encoding: 'hex' },
    ),
  )
const contenders = [
  {
    name: 'anvil',
    port: anvil.port,
    pid: anvil.pid,
    requests: anvil.accounts.map((account) =>
      post('/', {}, { jsonrpc: '2.0', id: 1, method: 'eth_sign', params: [account, message] }),
    ),
  },
  {
    name: 'symbolon',
    port: platform.port,
    pid: platform.pid,
    requests: requestsOf(platform.secretKeys, platform.walletIds, '/v1/s2s/sign'),
  },
  { name: 'naive', port: naive.port, pid: naive.pid, requests: requestsOf(naive.keys, naive.walletIds, '/') },
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
const samples: Record<Name, Sample[]> = { anvil: [], symbolon: [], naive: [] }

for (const { port, requests } of contenders) await load({ port, requests, connections, seconds: 3 })
for (let round = 0; round < rounds; round++) {
  for (const { name, port, pid, requests } of contenders) {
    const [server, database] = [processTree(pid), processTree(platform.databasePid)]
    const before = [cpuMicroseconds(server), cpuMicroseconds(database)] as const
    const result = await load({ port, requests, connections, seconds })
    const answered = Math.max(1, result.answered)
    samples[name].push({
      perSecond: result.answered / result.seconds,
      serverMicroseconds: (cpuMicroseconds(server) - before[0]) / answered,
      databaseMicroseconds: name === 'anvil' ? 0 : (cpuMicroseconds(database) - before[1]) / answered,
      p50Ms: result.p50Ms,
      p99Ms: result.p99Ms,
      failed: result.failed,
    })
    process.stderr.write('.')
  }
}
const single = await load({
  port: platform.port,
  requests: contenders[1].requests,
  connections: 1,
  seconds: 4,
})
process.stderr.write('\n')

const of = (name: Name, field: keyof Sample) => samples[name].map((sample) => sample[field])
const ratio = (a: Name, b: Name, field: keyof Sample) =>
  median(of(a, field).map((value, i) => value / (of(b, field)[i] ?? Number.NaN)))
const figures = {
  throughput_vs_anvil: ratio('symbolon', 'anvil', 'perSecond'),
  server_cpu_vs_anvil: ratio('symbolon', 'anvil', 'serverMicroseconds'),
  throughput_vs_naive: ratio('symbolon', 'naive', 'perSecond'),
  single_connection_p50_ms: single.p50Ms,
  failed: samples.symbolon.reduce((sum, { failed }) => sum + failed, 0) + single.failed,
  api_resident_mb: Math.max(...processTree(platform.pid).map(residentMegabytes)),
}
printTable(
  `Durable signatures, ${connections} connections, ${rounds} rounds of ${seconds} s, medians`,
  ['', 'per second', 'server CPU µs', 'database CPU µs', 'p50 ms', 'p99 ms'],
  contenders.map(({ name }) => [
    name,
    ...(['perSecond', 'serverMicroseconds', 'databaseMicroseconds', 'p50Ms', 'p99Ms'] as const).map((field) =>
      median(of(name, field)),
    ),
  ]),
)
printTable(
  'Figures',
  ['', 'measured', 'wanted'],
  [
    ['throughput / anvil', figures.throughput_vs_anvil, '>= 0.35, aim 0.50'],
    ['server CPU / anvil', figures.server_cpu_vs_anvil, '<= 2.5'],
    ['throughput / naive', figures.throughput_vs_naive, '>= 8'],
    ['p50 at 1 connection, ms', figures.single_connection_p50_ms, '< 3'],
    ['answers other than 200', figures.failed, '0'],
  ],
)
writeResults('sign', { rounds, seconds, connections, figures, samples })
naive.stop()
anvil.stop()
await platform.stop()
