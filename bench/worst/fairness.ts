import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { limits } from '@symbolon/api'
import { networkNames } from '@symbolon/networks/names'
import { openPool } from '@symbolon/server/pool'
import { openSecretsFile, systemIds } from '@symbolon/server/testing/adapters'
import { mintServiceToken, serviceTokens } from '@symbolon/server/testing/organizations'
import { type BenchPlatform, benchPlatform } from '../support/bench-platform.ts'
import { median } from '../support/load.ts'
import type { DecodingCost } from './decoding-costs.ts'
import { networkBodies } from './network-bodies.ts'
import type { PacedJob, PacedLine, PacedResult } from './paced-process.ts'
import type { WorstBody } from './worst-body.ts'

const unitBytes = 16 << 10
const rounds = 3
const seconds = 8
const warmSeconds = 2
const users = 200
const keys = 4
const program = fileURLToPath(new URL('./paced-process.ts', import.meta.url))

/**
 * What a tenant notices of another one's load: its own signatures alone, beside it, and what the other one's were answered. Rounds take
 * turns, so that both are measured on the same machine; the percentiles are medians of theirs.
 */
export type Fairness = {
  alone: PacedResult
  beside: PacedResult
  other: PacedResult
  rounds: { aloneP50Ms: number; besideP50Ms: number }[]
  bodies: string[]
}

/** One tenant (4 secret keys and 200 users, all at their limits) sends the worst bodies; another one signs messages. */
export async function fairness(costs: readonly DecodingCost[]): Promise<Fairness> {
  const platform = await benchPlatform({ keys, wallets: users })
  try {
    const { port } = platform
    const own = await quietTenant(port)
    const worst = worstBodies(costs)
    const attack = await worstTenant(platform, worst)
    await paced({ port, lines: own, seconds: 2 })
    const alone: PacedResult[] = []
    const beside: PacedResult[] = []
    const other: PacedResult[] = []
    for (let round = 0; round < rounds; round++) {
      alone.push(await paced({ port, lines: own, seconds }))
      const flood = paced({ port, lines: attack, seconds: seconds + warmSeconds + 1 })
      await new Promise((resolve) => setTimeout(resolve, warmSeconds * 1_000))
      beside.push(await paced({ port, lines: own, seconds }))
      other.push(await flood)
    }
    return {
      alone: together(alone),
      beside: together(beside),
      other: together(other),
      rounds: alone.map(({ p50Ms }, i) => ({ aloneP50Ms: p50Ms, besideP50Ms: beside[i]?.p50Ms ?? 0 })),
      bodies: [worst.ofKey.name, worst.ofUser.name],
    }
  } finally {
    await platform.stop()
  }
}

function together(results: readonly PacedResult[]): PacedResult {
  const sum = (key: 'answered' | 'failed') => results.reduce((total, result) => total + result[key], 0)
  const statuses: Record<string, number> = {}
  for (const result of results)
    for (const [status, count] of Object.entries(result.statuses))
      statuses[status] = (statuses[status] ?? 0) + count
  return {
    answered: sum('answered'),
    failed: sum('failed'),
    p50Ms: median(results.map(({ p50Ms }) => p50Ms)),
    p99Ms: median(results.map(({ p99Ms }) => p99Ms)),
    statuses,
  }
}

/** Of the bodies that any EVM wallet signs, those that cost most for what they take of a key's and of a user's rate. */
function worstBodies(costs: readonly DecodingCost[]): Record<'ofKey' | 'ofUser', WorstBody> {
  const accepted = costs.filter(({ network, refused }) => network === 'evm' && refused === undefined)
  const dearest = (burst: number): WorstBody => {
    const costOf = ({ api_ms, enclave_ms, bytes }: DecodingCost) =>
      (api_ms + enclave_ms) / Math.min(burst, Math.ceil(bytes / unitBytes))
    const { name } = accepted.reduce((worst, cost) => (costOf(cost) > costOf(worst) ? cost : worst))
    const body = networkBodies.evm.bodies().find((each) => each.name === name)
    if (body === undefined) throw new Error(`There is no body ${name}.`)
    return body
  }
  return { ofKey: dearest(limits.s2s.burst), ofUser: dearest(limits['user-sign'].burst) }
}

async function paced(job: PacedJob): Promise<PacedResult> {
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(JSON.stringify(job))
  return JSON.parse(await text(child.stdout)) as PacedResult
}

/** Twenty short messages a second by one key. */
async function quietTenant(port: number): Promise<PacedLine[]> {
  const call = async (route: string, body: object, key?: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${route}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify(body),
    })
    return (await answer.json()) as { secret_key: string; data: { id: string } }
  }
  const { secret_key: key } = await call('/dev/organizations', { name: 'Quiet', signing_mode: 'tee' })
  const { data: wallet } = await call(
    '/v1/s2s/wallets',
    { email: 'quiet@example.test', curve: 'secp256k1' },
    key,
  )
  const body = JSON.stringify({ wallet_id: wallet.id, type: 'message', message: 'hello' })
  return [{ path: '/v1/s2s/sign', headers: { authorization: `Bearer ${key}` }, body, everyMs: 50, burst: 0 }]
}

/** All keys and users, each as often as its limit allows: a body of several units as much less often. */
async function worstTenant(
  platform: BenchPlatform,
  { ofKey, ofUser }: ReturnType<typeof worstBodies>,
): Promise<PacedLine[]> {
  const tokens = await userTokens(platform)
  const line = (route: string, headers: Record<string, string>, body: object, limit: keyof typeof limits) => {
    const text = JSON.stringify(body)
    const { burst, periodMs } = limits[limit]
    const units = Math.min(burst, Math.ceil(text.length / unitBytes))
    return {
      path: route,
      headers,
      body: text,
      everyMs: periodMs * units,
      burst: Math.floor(burst / units),
    }
  }
  return [
    ...platform.secretKeys.map((key, index) =>
      line(
        '/v1/s2s/sign',
        { authorization: `Bearer ${key}` },
        { ...ofKey.body, wallet_id: platform.walletIds[index] },
        's2s',
      ),
    ),
    ...tokens.map((headers) => line('/v1/wallets/me/sign', headers, ofUser.body, 'user-sign')),
  ]
}

/** The headers of users who have just logged in. */
async function userTokens({ folder, databaseUrl, organizationId, port }: BenchPlatform) {
  const data = path.join(folder, 'data')
  const { masters } = openSecretsFile(path.join(data, 'secrets', 'server.json'))
  const dev = JSON.parse(readFileSync(path.join(data, 'dev.json'), 'utf8')) as {
    base_url: string
    organizations: { tee: { publishable_key: string } }
  }
  const sql = openPool(databaseUrl, { connectionsMax: 2, isPatient: true })
  const rows = await sql<{ id: string; email: string }[]>`
    select i.id, i.email from identities i where i.organization_id = ${organizationId} and i.email like 'bench-%' limit ${users}`
  await sql.end()
  const ids = systemIds()
  const organization = {
    id: organizationId,
    signingMode: 'tee',
    supportedNetworks: Object.keys(networkNames) as never,
    authMode: 'service',
    oidcIssuer: null,
    oidcAudience: null,
    oidcTrustEmail: false,
    authChangedAtMs: 0,
    allowedOrigins: [],
    userSignsPerMinute: null,
    receipts: false,
  } as const
  const tokens = serviceTokens({ baseUrl: dev.base_url ?? `http://127.0.0.1:${port}`, masters })
  return rows.map(({ id, email }) => ({
    'x-service-publishable-key': dev.organizations.tee.publishable_key,
    authorization: `Bearer ${mintServiceToken(tokens, { organization, identityId: id, email, jti: ids.next(), nowMs: Date.now() })}`,
  }))
}
