import type { AgentEvent, AgentRun } from '@symbolon/api'
import { jsonRpc } from '@symbolon/dev/testing/chain'
import type { Enclave } from '@symbolon/server/testing/ports'
import { type A2aFixture, a2aFixture, anyAddress, eventually } from '@symbolon/testing/agents'
import { callAs, enclaveOf, type Installation, startInstallation } from '@symbolon/testing/app'
import { type SharedChain, sharedChain } from '@symbolon/testing/chain'
import { untilWaiting } from '@symbolon/testing/database'
import { type Hex, parseEther } from 'viem'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

let installation: Installation
let enclave: Enclave
let chain: SharedChain
let fixture: A2aFixture
/** What happens before the next evaluation, and after the next signature. */
let beforeEvaluation: (() => Promise<unknown>) | undefined
let onceSigned: (() => Promise<unknown>) | undefined

beforeAll(async () => {
  ;[chain, installation] = await Promise.all([sharedChain(), startInstallation()])
  enclave = enclaveOf(installation.enclaveProcess, installation.database.sql)
  const watched: Enclave = {
    ...enclave,
    async evaluate(input) {
      const act = beforeEvaluation
      beforeEvaluation = undefined
      await act?.()
      return enclave.evaluate(input)
    },
    async agentSign(input) {
      const made = await enclave.agentSign(input)
      const act = onceSigned
      onceSigned = undefined
      await act?.()
      return made
    },
  }
  const chains = [{ handle: 'local', rpcUrls: [chain.rpcUrl], confirmations: 1 }]
  fixture = await a2aFixture({ installation, ports: { enclave: watched }, chains })
  const path = `/v1/s2s/wallets/${fixture.walletId}`
  const { data } = await fixture.app.call<{ address: Hex }>('GET', path, { sk: fixture.tenant.sk })
  await chain.fund(data.address, parseEther('1'))
})
afterEach(() => {
  beforeEvaluation = undefined
  onceSigned = undefined
})
afterAll(async () => {
  await fixture?.app.stop()
  await enclave?.close()
  await installation?.stop()
})

const runs = () => `/v1/orgs/${fixture.tenant.id}/agents/${fixture.agent.id}/runs`

async function portal<data>(method: 'GET' | 'POST', path: string, json?: object): Promise<data> {
  const { status, text, data } = await callAs<data>(fixture.app, fixture.owner, [method, path, json])
  expect(status, text).toBeLessThan(300)
  return data
}
const start = async (objective: string) => (await portal<AgentRun>('POST', runs(), { objective })).id
const cancel = (run: string) => portal<AgentRun>('POST', `${runs()}/${run}/cancel`)
const eventsOf = async (run: string) =>
  (await portal<{ items: AgentEvent[] }>('GET', `${runs()}/${run}/events`)).items
const payment = (to: string) => `call send_transaction {"chain":"local","to":"${to}","value":"7"}`
const message = 'call sign_message {"message":"hello","chain":"local"}'
const balanceOf = (to: string) => {
  const rpc = jsonRpc(chain.rpcUrl)
  return rpc.call<Hex>('eth_getBalance', [to, 'latest']).finally(() => rpc.close())
}
const reserved = async () => {
  const rows = await fixture.app.sql<{ held: number }[]>`
    select count(*)::int as held from agent_reservations where session_id = ${fixture.agent.session_id} and not is_spent`
  return rows[0]?.held
}

/** Starts a run that is canceled at a place of its signature; returns its id once its signing request has an event. */
async function canceledMeanwhile(
  objective: string,
  place: (act: () => Promise<unknown>) => void,
): Promise<string> {
  let run = ''
  let state: string | undefined
  place(async () => {
    state = (await cancel(await eventually(async () => run || undefined))).state
  })
  run = await start(objective)
  await eventually(async () => ((await eventsOf(run)).length > 0 ? true : undefined))
  expect(state).toBe('canceled')
  return run
}

test('a run that is canceled while it is evaluated signs nothing and holds nothing', async () => {
  const to = anyAddress()
  const run = await canceledMeanwhile(payment(to), (act) => {
    beforeEvaluation = act
  })
  expect(await eventsOf(run)).toMatchObject([
    { outcome: 'rejected', reason_code: 'run_ended', layer: null, tx_hash: null },
  ])
  expect(await reserved()).toBe(0)
  expect(BigInt(await balanceOf(to))).toBe(0n)
})

test('a signature that is made while its run is canceled does not leave, nor its transaction', async () => {
  const to = anyAddress()
  const run = await canceledMeanwhile(payment(to), (act) => {
    onceSigned = act
  })
  expect(await eventsOf(run)).toMatchObject([{ outcome: 'rejected', reason_code: 'run_ended', value: '7' }])
  // It was made: what it would have cost stays held.
  expect(await reserved()).toBe(1)
  expect(
    await fixture.app.sql`select 1 from agent_transactions where session_id = ${fixture.agent.session_id}`,
  ).toHaveLength(0)
  expect(BigInt(await balanceOf(to))).toBe(0n)
  const done = await portal<AgentRun>('GET', `${runs()}/${run}`)
  expect(done).toMatchObject({ state: 'canceled', result: null })
})

test('a cancel waits for signatures that are being committed', async () => {
  const run = await start('sleep 60000')
  let isAnswered = false
  let canceled: Promise<AgentRun> | undefined
  await fixture.app.sql.begin(async (tx) => {
    await tx`select 1 from organization_counters where organization_id = ${fixture.tenant.id} for update`
    canceled = cancel(run).finally(() => {
      isAnswered = true
    })
    await untilWaiting(fixture.app)
    expect(isAnswered).toBe(false)
  })
  expect((await canceled)?.state).toBe('canceled')
})

test('a canceled task reports what it had signed before, and a parent what its child had', async () => {
  const to = anyAddress()
  const { rpc } = fixture
  const sent = await rpc('tasks/send', {
    id: 'spends',
    message: { role: 'user', parts: [{ type: 'text', text: `${message}\n${payment(to)}\nsleep 60000` }] },
  })
  expect(sent.body.result.status.state).toMatch(/submitted|working/)
  await eventually(async () => (BigInt(await balanceOf(to)) > 0n ? true : undefined))
  const { status } = (await rpc('tasks/cancel', { id: 'spends' })).body.result
  expect(status.state).toBe('canceled')
  expect(status.message.parts[0].text).toBe('2 signatures were made before it ended.')
  const { signed } = status.message.parts[1].data
  expect(signed).toMatchObject([
    { chain: 'local', method: 'signMessage', tx_hash: null },
    {
      chain: 'local',
      method: 'sendTransaction',
      target: expect.stringMatching(/^0x/),
      value: '7',
      asset: 'ETH',
    },
  ])
  expect(signed[1].tx_hash).toMatch(/^0x[0-9a-f]{64}$/)

  const scribe = await fixture.newAgent()
  const inner = JSON.stringify(`${message}\nsleep 60000`)
  const parent = await start(`call delegate {"agent_id":"${scribe.id}","objective":${inner}}`)
  await eventually(async () => {
    const rows = await fixture.app.sql`
      select 1 from agent_events e join agent_runs r on r.id = e.run_id where r.parent_run_id = ${parent}`
    return rows.length > 0 ? true : undefined
  })
  const canceled = await cancel(parent)
  expect(canceled.result).toMatchObject({
    message: '1 signature was made before it ended.',
    signed: [{ method: 'signMessage', run_id: expect.not.stringContaining(parent) }],
  })
})
