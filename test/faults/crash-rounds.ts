import { randomInt, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Postgres, startPostgres } from '@symbolon/dev/testing/postgres'
import {
  type ApiProcess,
  createOrganization,
  createWalletFor,
  identify,
  inTurn,
  logIn,
  mintSecretKeys,
  type Organization,
  type PlatformProcesses,
  secret,
  signFor,
  startPlatformProcesses,
} from '@symbolon/testing/platform'
import { verifyMessage } from 'viem'

/** The answers that a client got: none of it may be lost. */
export type Journal = {
  /** Wallets by id, with their EVM address. */
  wallets: Map<string, string>
  /** Acknowledged signatures by wallet. */
  signatures: Map<string, number>
  logins: { identityId: string; token: string }[]
  /** How often which answer came, refusals and failures included. */
  answers: Map<string, number>
}

/** A platform on a durable database of its own, under load. */
export type CrashSite = {
  platform: PlatformProcesses
  postgres: Postgres
  organization: Organization
  journal: Journal
  nextKey: () => { id: string; key: string }
  stop(): Promise<void>
}

/** The processes that may die. */
export const victims = ['api', 'api supervisor', 'enclave', 'database'] as const
export type Victim = (typeof victims)[number]

const backWithinMs = 20_000
// An email whose sender was killed waits for the end of its lease: no client of a round does.
const mailWithinMs = 500

/** Starts everything; the database keeps what it acknowledges (`fsync`). */
export async function crashSite(): Promise<CrashSite> {
  const folder = mkdtempSync(path.join(tmpdir(), 'symbolon-crash-'))
  const postgres = await startPostgres({ folder: path.join(folder, 'postgres'), isDurable: true })
  const platform = await startPlatformProcesses({ databaseUrl: postgres.url })
  const organization = await createOrganization(apiOf(platform, 0))
  const nextKey = inTurn(await mintSecretKeys(platform, organization.id, 300))
  const journal: Journal = { wallets: new Map(), signatures: new Map(), logins: [], answers: new Map() }
  return {
    platform,
    postgres,
    organization,
    journal,
    nextKey,
    async stop() {
      await platform.stop()
      await postgres.stop()
      rmSync(folder, { recursive: true, force: true })
      if (!postgres.data.startsWith(folder))
        rmSync(path.dirname(postgres.data), { recursive: true, force: true })
    },
  }
}

/** Kills one process under load, at a random moment, and waits for the service. Answers how long that took, in ms. */
export async function crashRound(site: CrashSite, victim: Victim): Promise<number> {
  let isOver = false
  const load = Promise.all([
    ...Array.from({ length: 6 }, (_, i) =>
      repeat(
        () => act(site, i),
        () => isOver,
      ),
    ),
    repeat(
      () => login(site),
      () => isOver,
    ),
  ])
  await sleep(randomInt(20, 250))
  kill(site, victim)
  const killedAt = performance.now()
  try {
    await untilServed(site)
    return performance.now() - killedAt
  } finally {
    isOver = true
    await load
  }
}

async function repeat(run: () => Promise<void>, isOver: () => boolean): Promise<void> {
  while (!isOver()) await run()
}

function apiOf({ apis }: PlatformProcesses, i: number): ApiProcess {
  const api = apis[i % apis.length]
  if (api === undefined) throw new Error('no API process')
  return api
}

function count({ answers }: Journal, name: string) {
  answers.set(name, (answers.get(name) ?? 0) + 1)
}

/** One step of a client: make a wallet, sign, archive and unarchive. What is not answered may have happened or not. */
async function act({ platform, journal, nextKey }: CrashSite, i: number): Promise<void> {
  const api = apiOf(platform, i)
  try {
    const dice = randomInt(10)
    const ids = [...journal.wallets.keys()]
    const id = ids[randomInt(Math.max(1, ids.length))]
    if (dice < 3 || id === undefined) {
      const { status, code, data } = await createWalletFor(api, nextKey().key, randomUUID())
      count(journal, `create ${status} ${code ?? ''}`)
      if (status === 201) journal.wallets.set(String(data['id']), String(data['address']))
    } else if (dice < 9) {
      const { status, code } = await signFor(api, nextKey().key, id, randomUUID())
      count(journal, `sign ${status} ${code ?? ''}`)
      if (status === 200) journal.signatures.set(id, (journal.signatures.get(id) ?? 0) + 1)
    } else {
      for (const verb of ['archive', 'unarchive']) {
        const path = `/v1/s2s/wallets/${id}/${verb}`
        const { status, code } = await api.call(path, { method: 'POST', headers: secret(nextKey().key) })
        count(journal, `${verb} ${status} ${code ?? ''}`)
      }
    }
  } catch {
    count(journal, 'no answer')
    await sleep(5)
  }
}

async function login({ platform, organization, journal }: CrashSite): Promise<void> {
  try {
    const { identityId, token } = await logIn(
      platform,
      apiOf(platform, randomInt(2)),
      organization,
      mailWithinMs,
    )
    journal.logins.push({ identityId, token })
    count(journal, 'login')
  } catch {
    count(journal, 'no login')
  }
  await sleep(20)
}

function kill({ platform, postgres }: CrashSite, victim: Victim): void {
  const api = apiOf(platform, randomInt(2))
  const pid = {
    api: () => api.workerPid(),
    'api supervisor': () => api.supervisorPid(),
    enclave: () => platform.enclave.pid(),
    database: () => postgres.pid(),
  }[victim]()
  // Still on its way back from an earlier blow: then that is this round's.
  if (pid !== undefined) process.kill(pid, 'SIGKILL')
}

/** Both API processes make a wallet and sign with it: the whole way works again. */
async function untilServed({ platform, nextKey, journal }: CrashSite): Promise<void> {
  const deadline = performance.now() + backWithinMs
  // A blow takes a moment to be felt.
  await sleep(50)
  for (const api of platform.apis) {
    for (;;) {
      try {
        const made = await createWalletFor(api, nextKey().key, randomUUID())
        if (made.status === 201) {
          const id = String(made.data['id'])
          journal.wallets.set(id, String(made.data['address']))
          if ((await signFor(api, nextKey().key, id)).status === 200) {
            journal.signatures.set(id, 1)
            break
          }
        }
      } catch {
        // Not there yet.
      }
      if (performance.now() > deadline)
        throw new Error(`${api.url} did not come back:\n${platform.logs().slice(-3_000)}`)
      await sleep(20)
    }
  }
}

/** Everything that was lost, half made or miscounted, in words; empty when all is well. */
export async function losses(site: CrashSite): Promise<string[]> {
  const { platform, journal, organization } = site
  const { sql } = platform
  const { id: o } = organization
  const found: string[] = []
  const wallets = await sql<
    { id: string; address: string; status: string; signed: number; created: number }[]
  >`
    select w.id, w.address, w.status,
      (select count(*)::integer from audit_events a where a.organization_id = ${o} and a.wallet_id = w.id and a.type = 15 and a.success) as signed,
      (select count(*)::integer from audit_events a where a.organization_id = ${o} and a.wallet_id = w.id and a.type = 0) as created
    from wallets w where w.organization_id = ${o}`
  const byId = new Map(wallets.map((wallet) => [wallet.id, wallet]))
  for (const [id, address] of journal.wallets) {
    if (byId.get(id)?.address !== address) found.push(`acknowledged wallet ${id} is lost`)
  }
  for (const [id, signatures] of journal.signatures) {
    const signed = byId.get(id)?.signed ?? 0
    if (signed < signatures)
      found.push(`${signatures} signatures of ${id} were acknowledged, ${signed} are recorded`)
  }
  for (const { id, created } of wallets)
    if (created !== 1) found.push(`wallet ${id} was created ${created} times`)
  for (const wallet of wallets) found.push(...(await useOf(site, wallet)))
  for (const login of journal.logins) {
    const { status } = await identify(apiOf(platform, 0), organization, login.token)
    if (status !== 200) found.push(`a login of ${login.identityId} answers ${status}`)
  }
  const logins = await sql`
    select actor_id from audit_events where organization_id = ${o} and type = 20 and success`
  const recorded = new Set(logins.map((row) => row['actor_id']))
  for (const { identityId } of journal.logins) {
    if (!recorded.has(identityId)) found.push(`the login of ${identityId} is not recorded`)
  }
  return [...found, ...(await miscounts(site))]
}

/** Whether a wallet, acknowledged or not, does what a wallet does. */
async function useOf(
  { platform, nextKey }: CrashSite,
  wallet: { id: string; address: string; status: string },
) {
  const api = apiOf(platform, 1)
  if (wallet.status === 'archived') {
    const headers = secret(nextKey().key)
    await api.call(`/v1/s2s/wallets/${wallet.id}/unarchive`, { method: 'POST', headers })
  }
  const message = `I am ${wallet.id}`
  const { status, data, text } = await signFor(api, nextKey().key, wallet.id, message)
  if (status !== 200) return [`wallet ${wallet.id} does not sign: ${text}`]
  const signature = String(data['signature']) as `0x${string}`
  const isRight = await verifyMessage({ address: wallet.address as `0x${string}`, message, signature })
  return isRight ? [] : [`wallet ${wallet.id} signs wrongly`]
}

/** Ranks with holes, counters and blocks that differ from what is there. */
async function miscounts({ platform: { sql }, organization: { id: o } }: CrashSite): Promise<string[]> {
  const rows = await sql<{ what: string }[]>`
    with e as (select * from audit_events where organization_id = ${o}),
    ranks as (
      select 'n' as what, count(*) = max(n) and min(n) = 1 as fits from e
      union all select 'n_type of ' || type, count(*) = max(n_type) and min(n_type) = 1 from e group by type
      union all select 'n_success of ' || success, count(*) = max(n_success) and min(n_success) = 1 from e group by success
      union all select 'n_type_success of ' || type || success, count(*) = max(n_type_success) and min(n_type_success) = 1
        from e group by type, success),
    counters as (
      select 'events' as what, c.events = (select count(*) from e) as fits from organization_counters c where organization_id = ${o}
      union all select 'events_succeeded', c.events_succeeded = (select count(*) from e where success)
        from organization_counters c where organization_id = ${o}
      union all select 'wallets', c.wallets = (select count(*) from wallets where organization_id = ${o})
        and c.wallets = (select max(org_seq) from wallets where organization_id = ${o})
        from organization_counters c where organization_id = ${o}
      union all select 'events_by_type ' || t, coalesce(c.events_by_type[t + 1], 0)
          = (select count(*) from e where type = t / 2 and success = (t % 2 = 1))
        from organization_counters c, generate_series(0, 61) t where organization_id = ${o}),
    blocks as (
      select 'block ' || b.block as what,
        (secp256k1_active, secp256k1_archived, ed25519_active, ed25519_archived) = (
          select (count(*) filter (where curve = 'secp256k1' and status = 'active'))::integer,
            (count(*) filter (where curve = 'secp256k1' and status = 'archived'))::integer,
            (count(*) filter (where curve = 'ed25519' and status = 'active'))::integer,
            (count(*) filter (where curve = 'ed25519' and status = 'archived'))::integer
          from wallets w where w.organization_id = ${o} and w.org_seq / 2048 = b.block) as fits
      from wallet_blocks b where organization_id = ${o})
    select what from (select * from ranks union all select * from counters union all select * from blocks) x where not fits`
  return rows.map(({ what }) => `${what} does not fit what is there`)
}
