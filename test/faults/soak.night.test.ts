import { readFileSync } from 'node:fs'
import { type TestDatabase, testDatabase } from '@symbolon/testing/database'
import {
  createOrganization,
  createWalletFor,
  inTurn,
  mintSecretKeys,
  type PlatformProcesses,
  signFor,
  startPlatformProcesses,
} from '@symbolon/testing/platform'
import { afterAll, beforeAll, expect, test } from 'vitest'

const signatures = 200_000
const sampleEvery = 5_000
const connections = 64
const rssMaxMb = 200
// The heap comes to its sizes in steps, the last of them after some 80,000. Then what the collector leaves lying about differs by some
// megabytes from sample to sample.
const warmFrom = 1 / 2
const slopeMaxMbPer100k = 15
let database: TestDatabase
let platform: PlatformProcesses

beforeAll(async () => {
  database = await testDatabase()
  platform = await startPlatformProcesses({ databaseUrl: database.url, apiCount: 1 })
})
afterAll(async () => {
  await platform?.stop()
  await database?.drop()
})

function rssMb(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024
}

/** Growth per sample by least squares. */
function slope(samples: readonly number[]): number {
  const mid = (samples.length - 1) / 2
  const mean = samples.reduce((sum, value) => sum + value, 0) / samples.length
  let above = 0
  let below = 0
  for (const [i, value] of samples.entries()) {
    above += (i - mid) * (value - mean)
    below += (i - mid) ** 2
  }
  return above / below
}

test('200,000 signatures leave the API process below 200 MB, and no more of them would change that', async () => {
  const [api] = platform.apis
  if (api === undefined) throw new Error('no API process')
  const { id } = await createOrganization(api)
  const nextKey = inTurn(await mintSecretKeys(platform, id, 400))
  const wallets = await Promise.all(
    Array.from({ length: 50 }, async (_, i) =>
      String((await createWalletFor(api, nextKey().key, `user-${i}`)).data['id']),
    ),
  )
  const nextWallet = inTurn(wallets)
  const samples: number[] = []
  const enclaveSamples: number[] = []
  const failures = new Map<string, number>()
  let asked = 0
  let signed = 0
  const startedAt = performance.now()
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (asked < signatures) {
        asked += 1
        const { status, code } = await signFor(api, nextKey().key, nextWallet(), `message ${asked}`)
        if (status !== 200) {
          failures.set(`${status} ${code}`, (failures.get(`${status} ${code}`) ?? 0) + 1)
          continue
        }
        signed += 1
        if (signed % sampleEvery !== 0) continue
        samples.push(rssMb(api.workerPid()))
        enclaveSamples.push(rssMb(platform.enclave.pid()))
      }
    }),
  )
  const seconds = (performance.now() - startedAt) / 1000
  const shown = (values: readonly number[]) => values.map((value) => value.toFixed(0)).join(' ')
  const warm = samples.slice(Math.floor(samples.length * warmFrom))
  const growth = (slope(warm) * 100_000) / sampleEvery
  process.stdout.write(
    `${signed} signatures in ${seconds.toFixed(0)} s\nAPI RSS MB: ${shown(samples)}\nenclave RSS MB: ${shown(enclaveSamples)}\n` +
      `growth after warm-up: ${growth.toFixed(1)} MB per 100,000\n`,
  )
  expect(Object.fromEntries(failures)).toEqual({})
  expect(Math.max(...samples)).toBeLessThan(rssMaxMb)
  expect(growth).toBeLessThan(slopeMaxMbPer100k)
})
