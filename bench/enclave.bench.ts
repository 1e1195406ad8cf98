import { randomBytes, randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { keyRing } from '@symbolon/crypto/node'
import { secureSlots, signerEd25519, signerSecp256k1, wasmSecp256k1 } from '@symbolon/enclave/testing'
import { enclaveSocket } from '@symbolon/server/testing/adapters'
import type { Enclave } from '@symbolon/server/testing/ports'
import { makeTeeWallet, messageIntent, startEnclaveProcess } from '@symbolon/testing/enclave'
import { programFile } from '../scripts/run.ts'

/**
 * What the hop to the enclave costs, against the bare curve operations in this process, interleaved in one run:
 * round trips (p50, µs) and CPU per request of both processes, medians of the rounds. Linux; run it on a quiet
 * machine: `npm run bench`, or this file alone.
 */
const rounds = 5
const roundMs = 700
const curves = ['secp256k1', 'ed25519'] as const

type Sample = { p50: number; perSecond: number; client: number; enclave: number }

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN

const clockTickUs = 10_000

function processCpuUs(pid: number | undefined): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1').split(' ')
  return (Number(stat[13]) + Number(stat[14])) * clockTickUs
}

async function measure(
  pid: number | undefined,
  inFlight: number,
  act: () => Promise<unknown>,
): Promise<Sample> {
  const latencies: number[] = []
  const cpu = process.cpuUsage()
  const enclaveCpu = processCpuUs(pid)
  const start = performance.now()
  const worker = async () => {
    for (let now = performance.now(); now - start < roundMs; now = performance.now()) {
      await act()
      latencies.push(performance.now() - now)
    }
  }
  await Promise.all(Array.from({ length: inFlight }, worker))
  const { user, system } = process.cpuUsage(cpu)
  const n = latencies.length
  return {
    p50: median(latencies) * 1000,
    perSecond: n / ((performance.now() - start) / 1000),
    client: (user + system) / n,
    enclave: (processCpuUs(pid) - enclaveCpu) / n,
  }
}

const slots = secureSlots(2)
const signers = { secp256k1: signerSecp256k1(wasmSecp256k1()).signer, ed25519: signerEd25519 }

/** CPU of public key, signature and verification alone, in µs: no signer can spend less. */
function curveOperations(curve: (typeof curves)[number]): number {
  const signer = signers[curve]
  const [key, work] = [slots.take(), slots.take()]
  key.key.set(randomBytes(32))
  const digest = randomBytes(32)
  const count = 1_500
  const cpu = process.cpuUsage()
  for (let i = 0; i < count; i++) {
    const publicKey = signer.publicKey(key.key, work.full)
    signer.verify(digest, signer.sign(digest, key.key, work.full).signature, publicKey)
  }
  const { user, system } = process.cpuUsage(cpu)
  slots.give(work)
  slots.give(key)
  return (user + system) / count
}

async function signer(enclave: Enclave, curve: (typeof curves)[number]): Promise<() => Promise<unknown>> {
  const ring = keyRing({ purpose: 'tee-b', keyId: randomUUID(), keys: [randomBytes(32)] })
  const wallets = await Promise.all(Array.from({ length: 100 }, () => makeTeeWallet(enclave, ring, curve)))
  const intent = messageIntent(curve, 'hello')
  let next = 0
  return () => {
    const wallet = wallets[next++ % wallets.length]
    if (wallet === undefined) throw new Error('no wallet')
    return enclave.sign({ ...wallet, intent })
  }
}

const startedAt = performance.now()
const child = await startEnclaveProcess({ entry: programFile('enclave-simulated') })
const coldStartMs = performance.now() - startedAt
const enclave = enclaveSocket(child.client)
const pid = child.supervisor.pid()
const acts: [string, () => Promise<unknown>][] = [['status', () => enclave.status()]]
for (const curve of curves) acts.push([`sign ${curve}`, await signer(enclave, curve)])

const samples = new Map<string, Sample[]>()
const alone = new Map<string, number[]>()
for (let round = 0; round <= rounds; round++) {
  for (const [name, act] of acts) {
    for (const inFlight of [1, 64]) {
      const key = `${name}, ${inFlight} in flight`
      const sample = await measure(pid, inFlight, act)
      if (round > 0) samples.set(key, [...(samples.get(key) ?? []), sample])
    }
  }
  for (const curve of curves) alone.set(curve, [...(alone.get(curve) ?? []), curveOperations(curve)])
}
await enclave.close()
await child.stop()

const row = (name: string, list: readonly Sample[]) => {
  const curveUs = median(alone.get(name.split(/[ ,]/)[1] ?? '') ?? [0])
  const of = (field: keyof Sample) => median(list.map((sample) => sample[field]))
  const isSign = name.startsWith('sign')
  return {
    name,
    'p50 µs': Math.round(of('p50')),
    'per second': Math.round(of('perSecond')),
    'client CPU µs': Number(of('client').toFixed(1)),
    'enclave CPU µs': Number(of('enclave').toFixed(1)),
    'curve alone µs': isSign ? Number(curveUs.toFixed(1)) : 0,
    'enclave beyond µs': isSign ? Number((of('enclave') - curveUs).toFixed(1)) : 0,
  }
}
const table = [...samples].map(([name, list]) => row(name, list))
console.table(table)
console.log(`cold start to serving: ${coldStartMs.toFixed(0)} ms`)
const results = fileURLToPath(new URL('./results/', import.meta.url))
mkdirSync(results, { recursive: true })
writeFileSync(
  join(results, 'enclave.json'),
  `${JSON.stringify({ coldStartMs: Math.round(coldStartMs), table }, null, 2)}\n`,
)
