import { writeFileSync } from 'node:fs'
import { startAnvil } from './support/anvil.ts'
import { benchPlatform } from './support/bench-platform.ts'
import { cpuMicroseconds, processTree } from './support/cpu.ts'
import { load, median, post } from './support/load.ts'

const rounds = Number(process.argv[2] ?? 5)
const seconds = Number(process.argv[3] ?? 4)
const connections = 256

const anvil = await startAnvil()
const platform = await benchPlatform({ keys: 400, wallets: 1_000 })
const message = `0x${'de'.repeat(32)}`
const contenders = [
  {
    name: 'anvil eth_sign',
    port: anvil.port,
    pids: () => ({ server: processTree(anvil.pid), database: [] as number[] }),
    requests: anvil.accounts.map((account) =>
      post('/', {}, { jsonrpc: '2.0', id: 1, method: 'eth_sign', params: [account, message] }),
    ),
  },
  {
    name: 'symbolon sign',
    port: platform.port,
    pids: () => ({ server: processTree(platform.pid), database: processTree(platform.databasePid) }),
    requests: Array.from({ length: 4_000 }, (_, i) =>
      post(
        '/v1/s2s/sign',
        { authorization: `Bearer ${platform.secretKeys[i % platform.secretKeys.length]}` },
        {
          wallet_id: platform.walletIds[i % platform.walletIds.length],
          type: 'message',
          message,
          encoding: 'hex',
        },
      ),
    ),
  },
]

type Sample = {
  perSecond: number
  serverMicroseconds: number
  databaseMicroseconds: number
  p50Ms: number
  p99Ms: number
  failed: number
}
const samples = new Map<string, Sample[]>()
for (const { name, ...contender } of contenders)
  await load({ ...contender, connections, seconds: 2 }).then((r) => console.log(name, 'warm-up', r))
for (let round = 0; round < rounds; round++) {
  for (const { name, port, pids, requests } of contenders) {
    const { server, database } = pids()
    const before = [cpuMicroseconds(server), cpuMicroseconds(database)] as const
    const result = await load({ port, requests, connections, seconds })
    const answered = Math.max(1, result.answered)
    const sample = {
      perSecond: result.answered / result.seconds,
      serverMicroseconds: (cpuMicroseconds(server) - before[0]) / answered,
      databaseMicroseconds: (cpuMicroseconds(database) - before[1]) / answered,
      p50Ms: result.p50Ms,
      p99Ms: result.p99Ms,
      failed: result.failed,
    }
    samples.set(name, [...(samples.get(name) ?? []), sample])
    console.log(name, JSON.stringify(sample), JSON.stringify(result.statuses))
  }
}
const of = (name: string, field: keyof Sample) => (samples.get(name) ?? []).map((sample) => sample[field])
const ratios = (field: keyof Sample) =>
  of('symbolon sign', field).map((value, i) => value / (of('anvil eth_sign', field)[i] ?? Number.NaN))
console.log(
  'throughput ratio',
  median(ratios('perSecond')),
  'server cpu ratio',
  median(ratios('serverMicroseconds')),
)
void writeFileSync
anvil.stop()
await platform.stop()
