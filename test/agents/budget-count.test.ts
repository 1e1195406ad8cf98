import type { Agent, AgentPolicy, WalletWithIdentity } from '@symbolon/api'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { enclaveSocket } from '../../packages/server/src/adapters/enclave-socket.ts'
import { type Enclave, EnclaveError } from '../../packages/server/src/ports/enclave.ts'
import { anyAddress, mySession, signAs, transferRequest, violation } from '../support/agent-signing.ts'
import { type MintedSession, makeAgent, mintSession } from '../support/agents.ts'
import { type Installation, startInstallation, startTestApp, type TestApp } from '../support/app.ts'
import { callAs, newMember, type PortalUser } from '../support/portal-user.ts'
import { liftRates, makeTenant, makeWalletFor, type Tenant } from '../support/tenant.ts'

// The count of transactions of a session whose agent gets a cap on it late, and loses it again.

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
  const { socketPath, policy } = installation.enclaveProcess
  enclave = enclaveSocket({ path: socketPath, policy })
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

async function site(): Promise<Site> {
  const agent = await makeAgent(app, { member: owner, organizationId: tenant.id, walletId: wallet.id })
  return { agent, session: await mintSession(app, tenant, wallet.id, { agent_id: agent.id }) }
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
