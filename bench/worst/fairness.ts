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
import type { PacedJob, PacedLine, PacedResult } from './paced-process.ts'
import { worstTypedData } from './typed-data.ts'

const seconds = 15
const users = 200
const keys = 4
const program = fileURLToPath(new URL('./paced-process.ts', import.meta.url))

/** What a tenant notices of another one's load: its own signatures alone, beside it, and what the other one's were answered. */
export type Fairness = { alone: PacedResult; beside: PacedResult; other: PacedResult }

/** One tenant (4 secret keys and 200 users, all at their limits) sends the worst bodies; another one signs messages. */
export async function fairness(): Promise<Fairness> {
  const platform = await benchPlatform({ keys, wallets: users })
  try {
    const { port } = platform
    const own = await quietTenant(port)
    const attack = await worstTenant(platform)
    await paced({ port, lines: own, seconds: 2 })
    const alone = await paced({ port, lines: own, seconds })
    const flood = paced({ port, lines: attack, seconds: seconds + 4 })
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    const beside = await paced({ port, lines: own, seconds })
    return { alone, beside, other: await flood }
  } finally {
    await platform.stop()
  }
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

/** All keys and users, each as often as its limit allows, with the typed data that costs most for its length. */
async function worstTenant(platform: BenchPlatform): Promise<PacedLine[]> {
  const bodies = worstTypedData().map(({ body }) => body)
  const dear = bodies.find((body) => JSON.stringify(body).length < 16_000) ?? bodies[0] ?? {}
  const userBody = JSON.stringify(dear)
  const tokens = await userTokens(platform)
  return [
    ...platform.secretKeys.map((key, index) => ({
      path: '/v1/s2s/sign',
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify({ ...dear, wallet_id: platform.walletIds[index] }),
      everyMs: limits.s2s.periodMs,
      burst: limits.s2s.burst,
    })),
    ...tokens.map((headers) => ({
      path: '/v1/wallets/me/sign',
      headers,
      body: userBody,
      everyMs: limits['user-sign'].periodMs,
      burst: limits['user-sign'].burst,
    })),
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
  } as const
  const tokens = serviceTokens({ baseUrl: dev.base_url ?? `http://127.0.0.1:${port}`, masters })
  return rows.map(({ id, email }) => ({
    'x-service-publishable-key': dev.organizations.tee.publishable_key,
    authorization: `Bearer ${mintServiceToken(tokens, { organization, identityId: id, email, jti: ids.next(), nowMs: Date.now() })}`,
  }))
}
