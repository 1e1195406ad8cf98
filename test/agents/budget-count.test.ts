import type { Agent, AgentPolicy, WalletWithIdentity } from '@symbolon/api'
import { type Enclave, EnclaveError } from '@symbolon/server/testing/ports'
import {
  anyAddress,
  type MintedSession,
  makeAgent,
  mintSession,
  mySession,
  setRules,
  signAs,
  transferRequest,
  violation,
} from '@symbolon/testing/agents'
import {
  callAs,
  enclaveOf,
  type Installation,
  liftRates,
  makeTenant,
  makeWalletFor,
  newMember,
  type PortalUser,
  startInstallation,
  startTestApp,
  type Tenant,
  type TestApp,
} from '@symbolon/testing/app'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

// Caps that come while a session works, and go again: on its count of transactions, and on a token that nothing counted before.

type AgentSign = Enclave['agentSign']

let installation: Installation
let enclave: Enclave
let app: TestApp
let tenant: Tenant
let owner: PortalUser
let wallet: WalletWithIdentity
/** What happens in place of the next signature; the real one is at hand. */
let instead: ((real: AgentSign, input: Parameters<AgentSign>[0]) => ReturnType<AgentSign>) | undefined

beforeAll(async () => {
  installation = await startInstallation()
  enclave = enclaveOf(installation.enclaveProcess, installation.database.sql)
  const faulty: Enclave = {
    ...enclave,
    agentSign(input) {
      const act = instead
      instead = undefined
      return act === undefined ? enclave.agentSign(input) : act(enclave.agentSign, input)
    },
  }
  app = await startTestApp({ installation, ports: { enclave: faulty } })
  await liftRates(app)
  tenant = await makeTenant(app)
  owner = await newMember(app, tenant.id, 'owner')
  wallet = await makeWalletFor(app, tenant)
})
afterEach(() => {
  instead = undefined
})
afterAll(async () => {
  await app?.stop()
  await enclave?.close()
  await installation?.stop()
})

type Site = { agent: Agent; session: MintedSession }

async function site(more: object = {}): Promise<Site> {
  const agent = await makeAgent(app, { member: owner, organizationId: tenant.id, walletId: wallet.id })
  return { agent, session: await mintSession(app, tenant, wallet.id, { agent_id: agent.id, ...more }) }
}
async function setPolicy({ agent }: Site, policy: AgentPolicy): Promise<void> {
  const path = `/v1/orgs/${tenant.id}/agents/${agent.id}`
  const { status, text } = await callAs(app, owner, ['PATCH', path, { policy }])
  expect(status, text).toBe(200)
}
const cap = (at: Site, max: number) => setPolicy(at, { max_tx_count: max })
const request = () => transferRequest(anyAddress(), 1n)
const sign = ({ session }: Site, body: object = request()) => signAs(app, session.token, body)
const signed = async (at: Site, times: number) => {
  for (let i = 0; i < times; i++) expect((await sign(at)).status).toBe(200)
}
const tried = async (at: Site, body: object) =>
  (await sign(at, { ...body, dry_run: true })).data.decision?.outcome
const count = async ({ session }: Site) => {
  const { transactions } = await mySession(app, session.token)
  return { count: transactions.count, reserved: transactions.reserved }
}
const tooMany = (limit: number, actual: number) => ({
  reason: 'tx_count_exceeded',
  layer: 'agent',
  limit: String(limit),
  actual: String(actual),
})
const counters = ({ session }: Site) => app.sql`
  select spent::int, reserved::int from agent_counters where session_id = ${session.id} and counter = 'transactions'`
const meanwhile = (act: () => Promise<unknown>): void => {
  instead = async (real, input) => {
    const made = await real(input)
    await act()
    return made
  }
}

describe('a cap on the count that comes late', () => {
  test('counts all that was signed before, each of the same bytes once', async () => {
    const at = await site()
    const same = request()
    await Promise.all([sign(at, same), sign(at, same), sign(at, same)])
    await signed(at, 2)
    expect(await count(at)).toEqual({ count: 3, reserved: 0 })
    // Nothing is held, and no counter moved, where nothing limits.
    expect(await counters(at)).toEqual([])
    await cap(at, 4)
    await signed(at, 1)
    expect(await count(at)).toEqual({ count: 4, reserved: 0 })
    expect(violation(await sign(at))).toMatchObject(tooMany(4, 5))
    expect((await sign(at, same)).status).toBe(200)
    expect(await count(at)).toEqual({ count: 4, reserved: 0 })
    expect((await mySession(app, at.session.token)).status).toBe('exhausted')
  })

  test('and that goes and comes again counts what was signed in between', async () => {
    const at = await site()
    await signed(at, 1)
    for (const [max, more] of [
      [2, 1],
      [6, 2],
    ] as const) {
      await cap(at, max)
      await signed(at, more)
      await setPolicy(at, {})
      await signed(at, 1)
    }
    expect(await count(at)).toEqual({ count: 6, reserved: 0 })
    await cap(at, 6)
    expect(violation(await sign(at))).toMatchObject(tooMany(6, 7))
    await cap(at, 7)
    await signed(at, 1)
    expect(await count(at)).toEqual({ count: 7, reserved: 0 })
  })

  test('lets through what is under way where it fits, and counts it once', async () => {
    const at = await site()
    await signed(at, 1)
    meanwhile(() => cap(at, 2))
    await signed(at, 1)
    expect(await count(at)).toEqual({ count: 2, reserved: 0 })
    expect(await counters(at)).toEqual([{ spent: 2, reserved: 0 }])
    expect(violation(await sign(at))).toMatchObject(tooMany(2, 3))
  })

  test.each([1, 2])('keeps back what is under way and does not fit (%i)', async (max) => {
    const at = await site()
    await signed(at, 2)
    meanwhile(() => cap(at, max))
    const kept = await sign(at)
    expect(violation(kept)).toMatchObject(tooMany(max, 3))
    expect(kept.text).not.toContain('signature')
    expect(await count(at)).toEqual({ count: 2, reserved: 0 })
  })

  test('is asked by who takes over what an enclave died with', async () => {
    const at = await site()
    const lost = request()
    instead = async (real, input) => {
      await real(input)
      throw new EnclaveError('unavailable')
    }
    expect(await sign(at, lost)).toMatchObject({ status: 503 })
    await cap(at, 1)
    expect(await tried(at, lost)).toBe('allowed')
    await signed(at, 1)
    expect(await tried(at, lost)).toBe('rejected')
    expect(violation(await sign(at, lost))).toMatchObject(tooMany(1, 2))
    await cap(at, 2)
    expect(await tried(at, lost)).toBe('allowed')
    expect((await sign(at, lost)).status).toBe(200)
    expect(await count(at)).toEqual({ count: 2, reserved: 0 })
    expect(violation(await sign(at))).toMatchObject(tooMany(2, 3))
  })

  test('that a signature was held under and that is gone at its commit leaves it counted once', async () => {
    const at = await site()
    await cap(at, 2)
    meanwhile(() => setPolicy(at, {}))
    await signed(at, 2)
    expect(await count(at)).toEqual({ count: 2, reserved: 0 })
    await cap(at, 2)
    expect(violation(await sign(at))).toMatchObject(tooMany(2, 3))
  })
})

describe('a token that is put on a list late', () => {
  const token = `0x${'70'.repeat(20)}`
  let next = 0
  /** Takes so many of the token that the contract itself is. */
  const withdraw = (amount: bigint) => ({
    type: 'transaction',
    chain: 'local',
    transaction: {
      to: token,
      value: '0x0',
      nonce: `0x${(next++).toString(16)}`,
      gas_limit: '0x5208',
      max_fee_per_gas: '0x0',
      max_priority_fee_per_gas: '0x0',
      data: `0x2e1a7d4d${amount.toString(16).padStart(64, '0')}`,
    },
  })
  const list = (at: Site, max: number, more: AgentPolicy = {}) =>
    setPolicy(at, { allowed_tokens: [{ chain: 'local', token, max_total: String(max) }], ...more })
  const vault = async () => {
    await setRules(app, { member: owner, organizationId: tenant.id }, { token_mode: 'any' })
    return site({ allowed_contracts: [{ chain: 'local', address: token }] })
  }
  const spent = async ({ session }: Site) =>
    (await mySession(app, session.token)).spent.find(({ asset }) => asset.startsWith('local '))
  const overCap = (actual: number) => ({ reason: 'token_cap_exceeded', limit: '10', actual: String(actual) })

  test('counts what is under way, which leaves where it fits', async () => {
    const at = await vault()
    meanwhile(() => list(at, 10))
    expect((await sign(at, withdraw(8n))).status).toBe(200)
    expect(await spent(at)).toMatchObject({ spent: '8', reserved: '0', remaining: '2' })
    expect(violation(await sign(at, withdraw(3n)))).toMatchObject(overCap(11))
    expect((await sign(at, withdraw(2n))).status).toBe(200)
  })

  test('keeps back what is under way and does not fit', async () => {
    const at = await vault()
    meanwhile(() => list(at, 10))
    const kept = await sign(at, withdraw(11n))
    expect(violation(kept)).toMatchObject(overCap(11))
    expect(kept.text).not.toContain('signature')
  })

  test('counts what an enclave died with, and asks who takes it over', async () => {
    const at = await vault()
    const lost = withdraw(8n)
    instead = async (real, input) => {
      await real(input)
      throw new EnclaveError('unavailable')
    }
    expect(await sign(at, lost)).toMatchObject({ status: 503 })
    await list(at, 10, { max_tx_count: 2 })
    expect(await tried(at, lost)).toBe('allowed')
    expect((await sign(at, withdraw(5n))).status).toBe(200)
    expect(await tried(at, lost)).toBe('rejected')
    expect(violation(await sign(at, lost))).toMatchObject(overCap(13))
    await setPolicy(at, {})
    expect((await sign(at, lost)).status).toBe(200)
  })

  test('is asked by who takes over, and counts it once however often it is asked for', async () => {
    const at = await vault()
    const lost = withdraw(8n)
    instead = async () => {
      throw new EnclaveError('unavailable')
    }
    expect(await sign(at, lost)).toMatchObject({ status: 503 })
    await list(at, 10, { max_tx_count: 2 })
    for (let i = 0; i < 3; i++) expect((await sign(at, lost)).status).toBe(200)
    expect(await spent(at)).toMatchObject({ spent: '8', reserved: '0', remaining: '2' })
    expect(await count(at)).toEqual({ count: 1, reserved: 0 })
    expect(violation(await sign(at, withdraw(8n)))).toMatchObject(overCap(16))
  })
})
