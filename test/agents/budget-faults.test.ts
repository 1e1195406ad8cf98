import type { WalletWithIdentity } from '@symbolon/api'
import { type Enclave, EnclaveError } from '@symbolon/server/testing/ports'
import {
  anyAddress,
  eventsOf,
  type MintedSession,
  mintSession,
  mySession,
  setRules,
  signAs,
  transferRequest,
  violation,
} from '@symbolon/testing/agents'
import {
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

type AgentSign = Enclave['agentSign']

let installation: Installation
let enclave: Enclave
let app: TestApp
let tenant: Tenant
let owner: PortalUser
let wallet: WalletWithIdentity
/** What happens in place of the next signature; the real one is at hand. */
let instead: ((real: AgentSign, input: Parameters<AgentSign>[0]) => ReturnType<AgentSign>) | undefined
let evaluate: Enclave['evaluate'] | undefined

beforeAll(async () => {
  installation = await startInstallation()
  enclave = enclaveOf(installation.enclaveProcess, installation.database.sql)
  const faulty: Enclave = {
    ...enclave,
    evaluate: (input) => (evaluate ?? enclave.evaluate)(input),
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
  evaluate = undefined
})
afterAll(async () => {
  await app?.stop()
  await enclave?.close()
  await installation?.stop()
})

const mint = () => mintSession(app, tenant, wallet.id, { max_spend_total_native: '1000' })
const pay = (value = 600n) => transferRequest(anyAddress(), value)
const budget = async ({ token }: MintedSession) => {
  const { spent_total_native: spent, reserved_native: reserved } = await mySession(app, token)
  return { spent, reserved }
}
const lastEvent = async (session: MintedSession) => (await eventsOf(app, owner, session)).items[0]

describe('an enclave', () => {
  test('that refuses to sign leaves nothing held', async () => {
    const session = await mint()
    instead = async () => {
      throw new EnclaveError('refused')
    }
    expect((await signAs(app, session.token, pay())).status).toBe(500)
    expect(await budget(session)).toEqual({ spent: '0', reserved: '0' })
    expect(await lastEvent(session)).toMatchObject({ outcome: 'error', reason_code: 'internal' })
    expect((await signAs(app, session.token, pay(1000n))).status).toBe(200)
  })

  test('that evaluates otherwise when it signs leaves nothing reserved', async () => {
    const session = await mint()
    const refusal = { reason: 'chain_blocked', layer: 'organization', rule: 'blocked_chains' } as const
    instead = async () => ({ refusal: { ...refusal, limit: null, actual: null } })
    expect(violation(await signAs(app, session.token, pay()))).toMatchObject(refusal)
    expect(await budget(session)).toEqual({ spent: '0', reserved: '0' })
  })

  test('that dies with a signature leaves its cost held, until the same bytes are signed again', async () => {
    const session = await mint()
    instead = async (real, input) => {
      await real(input)
      throw new EnclaveError('unavailable')
    }
    const request = pay()
    expect(await signAs(app, session.token, request)).toMatchObject({ status: 503 })
    expect(await budget(session)).toEqual({ spent: '0', reserved: '600' })
    expect(await lastEvent(session)).toMatchObject({ outcome: 'error', reason_code: 'unavailable' })
    expect(violation(await signAs(app, session.token, pay(401n)))).toMatchObject({
      reason: 'total_cap_exceeded',
      actual: '1001',
    })
    expect((await signAs(app, session.token, request)).status).toBe(200)
    expect(await budget(session)).toEqual({ spent: '600', reserved: '0' })
    expect((await signAs(app, session.token, pay(400n))).status).toBe(200)
  })

  test('that died leaves what is held under the caps of now, like everything else', async () => {
    const session = await mint()
    const around = { member: owner, organizationId: tenant.id }
    expect((await signAs(app, session.token, pay(300n))).status).toBe(200)
    instead = async (real, input) => {
      await real(input)
      throw new EnclaveError('unavailable')
    }
    const request = pay(300n)
    expect((await signAs(app, session.token, request)).status).toBe(503)
    await setRules(app, around, { max_native_total_cap: '500' })
    try {
      const over = { reason: 'org_total_cap_exceeded', limit: '500', actual: '600' }
      for (let i = 0; i < 2; i++) {
        expect(violation(await signAs(app, session.token, request))).toMatchObject(over)
        const dry = await signAs(app, session.token, { ...request, dry_run: true })
        expect(dry.data.decision).toMatchObject({ outcome: 'rejected', ...over })
        expect(await budget(session)).toEqual({ spent: '300', reserved: '300' })
      }
    } finally {
      await setRules(app, around, {})
    }
    // Only the dead process holds it: a request that certainly signs nothing gives nothing back.
    instead = async () => {
      throw new EnclaveError('refused')
    }
    expect((await signAs(app, session.token, request)).status).toBe(500)
    expect((await signAs(app, session.token, request)).status).toBe(200)
    expect(await budget(session)).toEqual({ spent: '600', reserved: '0' })
    const again = await signAs(app, session.token, { ...request, dry_run: true })
    expect(again.data.decision).toMatchObject({ outcome: 'allowed' })
    await setRules(app, around, { max_native_total_cap: '500' })
    // What is out stays out, and costs nothing twice.
    expect((await signAs(app, session.token, request)).status).toBe(200)
    await setRules(app, around, {})
  })

  test('that is away during the evaluation costs nothing', async () => {
    const session = await mint()
    evaluate = async () => {
      throw new EnclaveError('unavailable')
    }
    expect(await signAs(app, session.token, pay())).toMatchObject({ status: 503 })
    expect(await budget(session)).toEqual({ spent: '0', reserved: '0' })
    expect(await lastEvent(session)).toMatchObject({ outcome: 'error', reason_code: 'unavailable' })
  })

  test('that refuses one of two requests for the same bytes frees nothing that the other one reserved', async () => {
    const session = await mint()
    const request = pay()
    let refuse = () => {}
    instead = () =>
      new Promise((_, reject) => {
        refuse = () => reject(new EnclaveError('refused'))
      })
    const refused = signAs(app, session.token, request)
    await expect.poll(() => budget(session)).toEqual({ spent: '0', reserved: '600' })
    let hold = () => {}
    let isSigned = false
    instead = async (real, input) => {
      const signed = await real(input)
      isSigned = true
      await new Promise<void>((resolve) => {
        hold = resolve
      })
      return signed
    }
    const signed = signAs(app, session.token, request)
    const holders = () => app.sql`select holders from agent_reservations where session_id = ${session.id}`
    await expect.poll(holders).toEqual([{ holders: 2 }])
    refuse()
    expect((await refused).status).toBe(500)
    expect(await budget(session)).toEqual({ spent: '0', reserved: '600' })
    expect(violation(await signAs(app, session.token, pay(401n)))?.reason).toBe('total_cap_exceeded')
    await expect.poll(() => isSigned).toBe(true)
    hold()
    expect((await signed).status).toBe(200)
    expect(await budget(session)).toEqual({ spent: '600', reserved: '0' })
  })
})

describe('between signature and commit', () => {
  const meanwhile = (act: () => Promise<unknown>): void => {
    instead = async (real, input) => {
      const signed = await real(input)
      await act()
      return signed
    }
  }

  test('a revoke keeps the signature back, and its cost held', async () => {
    const session = await mint()
    const path = `/v1/orgs/${tenant.id}/agent-sessions/${session.id}/revoke`
    meanwhile(() => app.call('POST', path, { sk: tenant.sk }))
    const answer = await signAs(app, session.token, pay())
    expect(answer).toMatchObject({ status: 401, error: { code: 'token_revoked' } })
    expect(answer.text).not.toContain('signature')
    const counters = await app.sql`
      select spent::text, reserved::text from agent_counters where session_id = ${session.id} and counter like 'native%'`
    expect(counters).toEqual([{ spent: '0', reserved: '600' }])
    expect(await lastEvent(session)).toMatchObject({
      outcome: 'rejected',
      reason_code: 'session_revoked',
      value: '600',
    })
  })

  test('rules that still allow it let it through, once; rules that do not keep it back', async () => {
    const session = await mint()
    const around = { member: owner, organizationId: tenant.id }
    meanwhile(() => setRules(app, around, { max_native_total_cap: '600' }))
    expect((await signAs(app, session.token, pay())).status).toBe(200)
    expect(await budget(session)).toEqual({ spent: '600', reserved: '0' })
    await setRules(app, around, {})
    meanwhile(() => setRules(app, around, { max_native_total_cap: '999' }))
    const kept = await signAs(app, session.token, pay(400n))
    await setRules(app, around, {})
    expect(violation(kept)).toMatchObject({
      reason: 'org_total_cap_exceeded',
      layer: 'organization',
      limit: '999',
      actual: '1000',
    })
    expect(await budget(session)).toEqual({ spent: '600', reserved: '400' })
    expect((await eventsOf(app, owner, session)).total).toBe(2)
  })

  test('a reservation that a crash of the database took along is made again before anything leaves', async () => {
    const session = await mint()
    meanwhile(async () => {
      await app.sql`delete from agent_reservations where session_id = ${session.id}`
      await app.sql`delete from agent_counters where session_id = ${session.id}`
    })
    expect((await signAs(app, session.token, pay())).status).toBe(200)
    expect(await budget(session)).toEqual({ spent: '600', reserved: '0' })
    expect((await eventsOf(app, owner, session)).total).toBe(1)
  })
})
