/**
 * What building and submitting a sponsored operation costs in our own process, one request after the other over HTTP, on the
 * local chain. Of a request's time (its head to the last byte of its answer) it leaves out the time in which at least one call
 * of its own to node, paymaster or bundler was in flight, and the time in which a submit, its operation handed in and written
 * down, waits for the chain. All else is ours: our side of those calls, and every database statement with its commit. "With
 * looks" leaves out of the wait only its calls and pauses: the looks at the database and the settlement count as ours too.
 * Arguments: how many, wallets.
 */
import { httpClient } from '@symbolon/testing/http'
import { mintToken, type Organization } from '@symbolon/testing/platform'
import { startChainPlatform } from './support/chain-platform.ts'
import { type RequestTimes, recordRequests } from './support/request-times.ts'
import { printTable, writeResults } from './support/results.ts'

const count = Number(process.argv[2] ?? 150)
const walletsCount = Number(process.argv[3] ?? 15)
const warmUp = 10
const wantedMs = 5

const recorder = recordRequests()
// Cheap ether: no wallet comes near its monthly cap.
const platform = await startChainPlatform({ SYMBOLON_PRICE__ETH: '10' })
const api = httpClient(platform.baseUrl, 60_000)

/** An answer that has to be a success. */
async function ask<data>(path: string, headers: Record<string, string>, body: unknown): Promise<data> {
  const { status, text } = await api.call(path, { method: 'POST', headers, body })
  if (status >= 300) throw new Error(`${path} answered ${status} ${text}`)
  const answer = JSON.parse(text)
  return (answer.data ?? answer) as data
}

const organization = await ask<Organization>('/dev/organizations', {}, { name: 'Bench', signing_mode: 'tee' })
const secret = { authorization: `Bearer ${organization.secret_key}` }

type Owner = { walletId: string; headers: Record<string, string> }
async function newOwner(i: number): Promise<Owner> {
  const email = `bench-${i}@example.test`
  type Made = { id: string; user_identity_id: string }
  const { id, user_identity_id: identityId } = await ask<Made>('/v1/s2s/wallets', secret, {
    email,
    curve: 'secp256k1',
  })
  await ask(`/v1/s2s/wallets/${id}/smart-accounts`, secret, { chain: 'local' })
  const token = mintToken(platform, organization, { email, identityId })
  const headers = {
    'x-service-publishable-key': organization.publishable_key,
    authorization: `Bearer ${token}`,
  }
  return { walletId: id, headers }
}

/** Builds, signs and submits one operation; answers how it was left. */
async function send({ walletId, headers }: Owner): Promise<string> {
  const calls = [{ to: '0x000000000000000000000000000000000000dEaD', value: '0', data: '0x' }]
  const { user_op_hash } = await ask<{ user_op_hash: string }>('/v1/userop/build', headers, {
    chain: 'local',
    calls,
  })
  const { signature } = await ask<{ signature: string }>('/v1/s2s/sign', secret, {
    type: 'user_operation',
    user_op_hash,
    wallet_id: walletId,
  })
  const { status } = await ask<{ status: string }>('/v1/userop/submit', headers, { user_op_hash, signature })
  return status
}

const owners: Owner[] = []
for (let i = 0; i < walletsCount; i++) owners.push(await newOwner(i))
const ends: Record<string, number> = {}
const samples: RequestTimes[] = []
for (let i = -warmUp; i < count; i++) {
  const owner = owners[(i + warmUp) % owners.length]
  if (owner === undefined) throw new Error('There are no wallets.')
  const end = await send(owner)
  const served = recorder.take()
  if (i < 0) continue
  ends[end] = (ends[end] ?? 0) + 1
  samples.push(...served)
  if (i % 10 === 0) process.stderr.write('.')
}
process.stderr.write('\n')
recorder.stop()
api.close()
await platform.stop()

function figures(path: string) {
  const own = samples.filter((sample) => sample.path === path)
  const sorted = (values: number[]) => values.sort((a, b) => a - b)
  const at = (values: number[], share: number) => values[Math.floor(values.length * share)] ?? Number.NaN
  const overheads = sorted(own.map(({ totalMs, outsideAndWaitingMs }) => totalMs - outsideAndWaitingMs))
  const withLooks = sorted(own.map(({ totalMs, outsideMs }) => totalMs - outsideMs))
  const totals = sorted(own.map(({ totalMs }) => totalMs))
  const calls = sorted(own.map((sample) => sample.calls))
  return {
    requests: own.length,
    overheadP50Ms: at(overheads, 0.5),
    overheadP95Ms: at(overheads, 0.95),
    overheadWithLooksP50Ms: at(withLooks, 0.5),
    overheadWithLooksP95Ms: at(withLooks, 0.95),
    totalP50Ms: at(totals, 0.5),
    totalP95Ms: at(totals, 0.95),
    outsideCallsP50: at(calls, 0.5),
  }
}

const build = figures('/v1/userop/build')
const submit = figures('/v1/userop/submit')
// What a signature costs on the same machine at the same time: bench/results/sign.json has it for a quiet one.
const sign = figures('/v1/s2s/sign')
printTable(
  `Operations, ${count} one after the other, ${walletsCount} wallets; submits ended ${JSON.stringify(ends)}`,
  [
    '',
    'ours p50 ms',
    'ours p95 ms',
    'wanted p50',
    'with looks p50',
    'with looks p95',
    'all p50 ms',
    'all p95 ms',
    'outside calls',
  ],
  (
    [
      ['build', build],
      ['submit', submit],
      ['(sign)', sign],
    ] as const
  ).map(([name, of]) => [
    name,
    of.overheadP50Ms,
    of.overheadP95Ms,
    name === '(sign)' ? '' : `<= ${wantedMs}`,
    of.overheadWithLooksP50Ms,
    of.overheadWithLooksP95Ms,
    of.totalP50Ms,
    of.totalP95Ms,
    of.outsideCallsP50,
  ]),
)
writeResults('userop', { count, wallets: walletsCount, ends, build, submit, sign })
