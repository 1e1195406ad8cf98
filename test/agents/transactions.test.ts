import { setTimeout as sleep } from 'node:timers/promises'
import type { SentAgentTransaction, WalletWithIdentity } from '@symbolon/api'
import { type DevChain, devContracts, type JsonRpc, jsonRpc } from '@symbolon/dev/testing/chain'
import { openPool } from '@symbolon/server/pool'
import { systemIds } from '@symbolon/server/testing/adapters'
import type { EvmRpc } from '@symbolon/server/testing/ports'
import { nonceLeases } from '@symbolon/server/testing/transactions'
import {
  anyAddress,
  costOfAllowed,
  eventsOf,
  eventually,
  makeAgent,
  mintSession,
  mySession,
  roomForFees,
  runReaches,
  startRun,
  violation,
} from '@symbolon/testing/agents'
import {
  type Answer,
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
import { ownChain } from '@symbolon/testing/chain'
import { advanceClock, holdOrganization, testIds, testLog, untilWaiting } from '@symbolon/testing/database'
import { type JsonRpcProxy, jsonRpcProxy } from '@symbolon/testing/http'
import { encodeFunctionData, type Hex, parseEther } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type * as z from 'zod'

type Sent = z.output<typeof SentAgentTransaction>

const processes = 4
let chain: DevChain
let node: JsonRpcProxy
let rpc: JsonRpc
let installation: Installation
let apps: TestApp[]
let tenant: Tenant
let owner: PortalUser

beforeAll(async () => {
  ;[chain, installation] = await Promise.all([ownChain({ withBundler: false }), startInstallation()])
  node = await jsonRpcProxy(chain.rpcUrl)
  rpc = jsonRpc(chain.rpcUrl)
  const chains = [{ handle: 'local', rpcUrls: [node.url], confirmations: 1 }]
  apps = await Promise.all(Array.from({ length: processes }, () => startTestApp({ installation, chains })))
  await liftRates(appOf(0))
  tenant = await makeTenant(appOf(0))
  owner = await newMember(appOf(0), tenant.id, 'owner')
})
afterEach(() => node.heal())
afterAll(async () => {
  await Promise.all((apps ?? []).map((app) => app.stop()))
  rpc?.close()
  await node?.stop()
  await Promise.all([chain?.stop(), installation?.stop()])
})

const appOf = (i: number): TestApp => apps[i % processes] as TestApp

/** A session for a wallet that has money. */
async function newSender(more: Record<string, unknown> = {}) {
  const wallet: WalletWithIdentity = await makeWalletFor(appOf(0), tenant)
  await chain.fund(wallet.address as Hex, parseEther('1'))
  const session = await mintSession(appOf(0), tenant, wallet.id, { ...roomForFees, ...more })
  return { wallet, session }
}
type Sender = Awaited<ReturnType<typeof newSender>>

const send = ({ session }: Sender, json: object, i = 0, key?: string): Promise<Answer<Sent>> =>
  appOf(i).call('POST', '/v1/agents/me/transactions', {
    token: session.token,
    json: { chain: 'local', ...json },
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
  })

/** Sends once under a key of its own, however often a busy machine says to try again. */
async function sendWhileBusy(sender: Sender, i: number): Promise<Answer<Sent>> {
  const json = { to: anyAddress(), value: '1' }
  for (;;) {
    const answer = await send(sender, json, i, `send-${i}`)
    const isBusy = answer.status === 503 || answer.error?.code === 'rpc_failed'
    if (!isBusy && answer.error?.code !== 'idempotency_key_in_flight') return answer
    await sleep(250)
  }
}

const costOf = ({ session }: Sender): Promise<string> => costOfAllowed(appOf(0), owner, session)

type Mined = { status: Hex; from: Hex } | null
const receipt = (hash: string) => rpc.call<Mined>('eth_getTransactionReceipt', [hash])
const count = (address: string) => rpc.call<Hex>('eth_getTransactionCount', [address, 'latest'])

async function mined(hashes: readonly string[]): Promise<void> {
  const areMined = async () => (await Promise.all(hashes.map(receipt))).every((one) => one?.status === '0x1')
  // A busy machine mines them one by one.
  await expect.poll(areMined, { timeout: 60_000 }).toBe(true)
}

describe('a transaction of an agent', () => {
  test('is prepared, signed and mined, with one event and the audit log’s two', async () => {
    const sender = await newSender()
    const to = anyAddress()
    const { status, data, text } = await send(sender, { to, value: '700' })
    expect(status, text).toBe(200)
    expect(data).toEqual({
      tx_hash: data.tx_hash,
      chain: 'local',
      chain_id: 31337,
      nonce: '0x0',
      from: sender.wallet.address,
    })
    await mined([data.tx_hash])
    expect(await rpc.call('eth_getBalance', [to, 'latest'])).toBe('0x2bc')
    expect((await eventsOf(appOf(0), owner, sender.session)).items).toMatchObject([
      { outcome: 'allowed', value: '700', tx_hash: data.tx_hash, method: 'sendTransaction', chain: 'local' },
    ])
    const audit = await appOf(0).sql`
      select payload ->> 'tx_hash' as tx_hash from audit_events
      where actor_id = ${sender.session.id} and success and actor_type = 'agent' order by n`
    expect(audit.map(({ tx_hash }) => tx_hash)).toEqual([null, data.tx_hash])
  })

  test('beyond the policy is refused before it reaches the chain, and uses no nonce', async () => {
    const sender = await newSender({ max_spend_per_tx_native: '10' })
    const before = node.calls()
    expect(violation(await send(sender, { to: anyAddress(), value: '11' }))).toMatchObject({
      reason: 'per_tx_cap_exceeded',
    })
    expect(node.calls()).toBe(before)
    expect((await send(sender, { to: anyAddress(), value: '10' })).data.nonce).toBe('0x0')
  })

  test('that cannot be made leaves an event of outcome error, with the reason of the refusal', async () => {
    const sender = await newSender({
      allowed_contracts: [{ chain: 'local', address: chain.contracts.target }],
    })
    const reverts = encodeFunctionData({ abi: devContracts().DevTarget.abi, functionName: 'fail' as never })
    const reverted = await send(sender, { to: chain.contracts.target, data: reverts })
    expect(reverted).toMatchObject({ status: 422, error: { code: 'estimate_gas_reverted' } })
    const bad = await send(sender, { to: 'nobody', value: '1' })
    expect(bad).toMatchObject({ status: 400, error: { code: 'bad_to' } })
    const elsewhere = await send(sender, { chain: 'ethereum', to: anyAddress(), value: '1' })
    expect(elsewhere).toMatchObject({ status: 400, error: { code: 'chain_unsupported' } })
    expect(elsewhere.error?.message).toBe('This installation has no node for ethereum.')
    node.fault('eth_feeHistory', { kind: 'cut' })
    const silent = await send(sender, { to: anyAddress(), value: '1' })
    expect(silent).toMatchObject({ status: 502, error: { code: 'rpc_failed' } })
    const { items } = await eventsOf(appOf(0), owner, sender.session)
    expect(items.map(({ outcome, reason_code }) => `${outcome} ${reason_code}`)).toEqual([
      'error rpc_failed',
      'error chain_unsupported',
      'error bad_to',
      'error estimate_gas_reverted',
    ])
    expect(await mySession(appOf(0), sender.session.token)).toMatchObject({ spent: [] })
  })

  test('of a wallet on another curve is refused on EVM chains', async () => {
    const wallet = await makeWalletFor(appOf(0), tenant, 'ed25519')
    const session = await mintSession(appOf(0), tenant, wallet.id)
    const answer = await send({ wallet, session }, { to: anyAddress(), value: '1' })
    expect(answer).toMatchObject({ status: 409, error: { code: 'wallet_not_evm' } })
  })
})

describe('nonces', () => {
  test('have no gap and no double under 64 at once from four processes', async () => {
    const sender = await newSender()
    const sends = 64
    const answers = await Promise.all(Array.from({ length: sends }, (_, i) => sendWhileBusy(sender, i)))
    expect(answers.filter(({ status }) => status !== 200).map(({ text }) => text)).toEqual([])
    const nonces = answers.map(({ data }) => Number(data.nonce)).sort((a, b) => a - b)
    expect(nonces).toEqual(Array.from({ length: sends }, (_, i) => i))
    await mined(answers.map(({ data }) => data.tx_hash))
    expect(Number(await count(sender.wallet.address))).toBe(sends)
    expect(await mySession(appOf(0), sender.session.token)).toMatchObject({
      status: 'active',
      spent_total_native: await costOf(sender),
      reserved_native: '0',
      transactions: { count: sends, reserved: 0 },
    })
    expect((await eventsOf(appOf(0), owner, sender.session, '?outcome=allowed')).total).toBe(sends)
  })

  test('of a transaction that the chain refuses are the next one’s', async () => {
    const sender = await newSender()
    const one = { to: anyAddress(), value: '1' }
    const refusal = { code: -32000, message: 'insufficient funds for gas' }
    node.fault('eth_sendRawTransaction', { kind: 'error', error: refusal }, 1)
    const refused = await send(sender, one)
    expect(refused).toMatchObject({ status: 502, error: { code: 'broadcast_failed' } })
    expect(refused.error?.message).toContain('insufficient funds for gas')
    const second = await send(sender, { ...one, to: anyAddress() }, 1)
    const third = await send(sender, one, 2)
    expect([second.data.nonce, third.data.nonce]).toEqual(['0x0', '0x1'])
    await mined([second.data.tx_hash, third.data.tx_hash])
  })

  test('of a process that died with its lease are the next one’s, once the lease is over', async () => {
    const sender = await newSender()
    expect((await send(sender, { to: anyAddress(), value: '1' })).data.nonce).toBe('0x0')
    await appOf(0).sql`
      update agent_nonces set holder = gen_random_uuid(), lease_until = app_now() + interval '10 s'
      where wallet_id = ${sender.wallet.id}`
    const waiting = send(sender, { to: anyAddress(), value: '1' }, 1)
    // Time to ask for the lease and be refused, which nothing shows.
    await new Promise((resolve) => setTimeout(resolve, 200))
    await advanceClock(appOf(0).sql, 10_000)
    expect((await waiting).data.nonce).toBe('0x1')
  })

  test('whose lease ended before the signature was committed are given up: the transaction is prepared anew', async () => {
    const sender = await newSender()
    const release = await holdOrganization(appOf(0), tenant.id)
    const sending = send(sender, { to: anyAddress(), value: '1' })
    await untilWaiting(appOf(0))
    // Meanwhile the lease was somebody else's, and the nonce is used.
    await rpc.call('anvil_setNonce', [sender.wallet.address, '0x1'])
    await release(
      `update agent_nonces set holder = null, lease_until = null where wallet_id = '${sender.wallet.id}'`,
    )
    const { data, text } = await sending
    expect(data?.nonce, text).toBe('0x1')
    await mined([data.tx_hash])
    expect(await mySession(appOf(0), sender.session.token)).toMatchObject({
      spent_total_native: await costOf(sender),
    })
    expect(await eventsOf(appOf(0), owner, sender.session)).toMatchObject({ total: 1 })
  })

  test('that are given up once their transaction was signed stay counted: the new one is the second', async () => {
    const sender = await newSender({ max_tx_count: 2 })
    const release = await holdOrganization(appOf(0), tenant.id)
    const sending = send(sender, { to: anyAddress(), value: '1' })
    await untilWaiting(appOf(0))
    await rpc.call('anvil_setNonce', [sender.wallet.address, '0x1'])
    await release(
      `update agent_nonces set holder = null, lease_until = null where wallet_id = '${sender.wallet.id}'`,
    )
    const { data, text } = await sending
    expect(data?.nonce, text).toBe('0x1')
    const second = await send(sender, { to: anyAddress(), value: '1' })
    expect(second.status, second.text).toBe(403)
  })

  test('whose lease cannot be given back leave what came of them as it is', async () => {
    const { wallet } = await newSender()
    const rpc = { pendingNonce: async () => 0n } as unknown as EvmRpc
    const log = testLog()
    /** A turn with the nonce of a chain, in which the database goes away before its end. */
    const turn = async (handle: string) => {
      const sql = openPool(installation.database.url, { connectionsMax: 1 })
      const of = { walletId: wallet.id, chain: handle, sender: wallet.address as Hex, rpc }
      const taken = await nonceLeases({ sql, ids: systemIds(), log, processId: testIds.next() }).turn(of)
      const held = await taken.take()
      await sql.end()
      await taken.end()
      return held?.nonce
    }
    expect(await turn('local')).toBe(0n)
    expect(await turn('local-2')).toBe(0n)
    expect(log.lines).toHaveLength(2)
  })
})

describe('a transaction that no node has taken yet', () => {
  test('is sent by whoever finds it, once, and answered all the same', async () => {
    const sender = await newSender()
    node.fault('eth_sendRawTransaction', { kind: 'cut' })
    const { status, data, text } = await send(sender, { to: anyAddress(), value: '1' })
    expect(status, text).toBe(200)
    expect(await receipt(data.tx_hash)).toBeNull()
    node.heal()
    await advanceClock(appOf(0).sql, 15_000)
    await mined([data.tx_hash])
    const states = () => appOf(0).sql`select state from agent_transactions where tx_hash = ${data.tx_hash}`
    await expect.poll(states).toMatchObject([{ state: 'sent' }])
    await advanceClock(appOf(0).sql, 31_000)
    await expect.poll(states).toMatchObject([{ state: 'seen' }])
    const audit = await appOf(0).sql`
      select from audit_events where actor_id = ${sender.session.id} and payload ->> 'tx_hash' = ${data.tx_hash}`
    expect(audit.length).toBe(1)
  })

  test('or that a pool forgets again before it is mined is sent until the chain counts it', async () => {
    const sender = await newSender()
    await rpc.call('evm_setAutomine', [false])
    const { data, text } = await send(sender, { to: anyAddress(), value: '1' })
    const row = async () =>
      (await appOf(0).sql`select state, attempts from agent_transactions where tx_hash = ${data.tx_hash}`)[0]
    expect(await row(), text).toMatchObject({ state: 'sent', attempts: 1 })
    await advanceClock(appOf(0).sql, 31_000)
    await expect.poll(row).toMatchObject({ state: 'sent', attempts: 2 })
    await rpc.call('anvil_dropTransaction', [data.tx_hash])
    await rpc.call('evm_setAutomine', [true])
    await advanceClock(appOf(0).sql, 61_000)
    await mined([data.tx_hash])
    expect((await send(sender, { to: anyAddress(), value: '1' })).data.nonce).toBe('0x1')
  })
})

test('a transaction whose block is taken back is sent again, before those that come after it', async () => {
  const sender = await newSender()
  const before = await rpc.call('evm_snapshot', [])
  const first = await send(sender, { to: anyAddress(), value: '1' })
  await mined([first.data.tx_hash])
  await advanceClock(appOf(0).sql, 31_000)
  const states = () =>
    appOf(0).sql`select state from agent_transactions where tx_hash = ${first.data.tx_hash}`
  await expect.poll(states).toMatchObject([{ state: 'seen' }])
  await rpc.call('evm_revert', [before])
  expect(await receipt(first.data.tx_hash)).toBeNull()
  const second = await send(sender, { to: anyAddress(), value: '1' })
  expect(second.data.nonce).toBe('0x1')
  await expect.poll(() => receipt(first.data.tx_hash)).not.toBeNull()
  await mined([first.data.tx_hash, second.data.tx_hash])
})

test('a payment whose nonce is used is not called refused while no node can be asked: its key never pays again', async () => {
  const sender = await newSender()
  const to = anyAddress()
  const pay = () => send(sender, { to, value: '5' }, 0, 'fee')
  // The node takes it; its answer is lost, and so is every look-up.
  node.fault('eth_sendRawTransaction', { kind: 'drop' }, 1)
  node.fault('eth_getTransactionByHash', { kind: 'error', error: { code: -32005, message: 'rate limit' } })
  const first = await pay()
  expect(first.status, first.text).toBe(200)
  await mined([first.data.tx_hash])
  await advanceClock(appOf(0).sql, 16_000)
  const sends = node.calls('eth_sendRawTransaction')
  await expect.poll(() => node.calls('eth_sendRawTransaction')).toBeGreaterThan(sends)
  await appOf(0).sql`delete from idempotency_keys where key = 'fee'`
  expect((await pay()).data).toEqual(first.data)
  node.heal()
  await advanceClock(appOf(0).sql, 16_000)
  const states = () =>
    appOf(0).sql`select state from agent_transactions where tx_hash = ${first.data.tx_hash}`
  await expect.poll(states).toMatchObject([{ state: 'sent' }])
  expect(BigInt(await rpc.call<Hex>('eth_getBalance', [to, 'latest']))).toBe(5n)
})

test('the transaction of a run has all of its tries, however many the step before it took', async () => {
  const { wallet } = await newSender()
  const runOwner = { member: owner, organizationId: tenant.id }
  const agent = await makeAgent(appOf(0), { ...runOwner, walletId: wallet.id }, { runner: 'scripted' })
  node.fault('eth_getBalance', { kind: 'cut' })
  const calls = [
    `call get_balance {"chain":"local","address":"${anyAddress()}"}`,
    `call send_transaction {"chain":"local","to":"${anyAddress()}","value":"1"}`,
  ]
  const run = await startRun(appOf(0), runOwner, agent.id, calls.join('\n'))
  // Its seventh try, the last one, comes after 47 s: this is it.
  await eventually(async () => {
    const { count: failed } = await appOf(0).sql`
      update agent_runs set retries = 6, due_at = app_now() + interval '1 min'
      where id = ${run.id} and state = 'queued' and retries > 0`
    return failed > 0 ? true : undefined
  })
  node.heal()
  node.fault('eth_feeHistory', { kind: 'cut' }, 1)
  await appOf(0).sql`update agent_runs set due_at = app_now() where id = ${run.id}`
  const { state, journal } = await runReaches(appOf(0), runOwner, run)
  expect({ state, last: journal.findLast(({ kind }) => kind === 'result') }).toMatchObject({
    state: 'completed',
    last: { tool: 'send_transaction', output: { ok: true } },
  })
})

test('a process that died before it kept its answer leads to no second payment under the same key, for a day', async () => {
  const expires_at = new Date(Date.now() + 7 * 86_400_000).toISOString()
  const sender = await newSender({ expires_at })
  const to = anyAddress()
  const repeat = (value = '5') => send(sender, { to, value }, 0, 'rent')
  // What the supervisor of processes does for one that has died.
  const forget = () => appOf(0).sql`delete from idempotency_keys where key = 'rent'`
  const first = await repeat()
  expect(first.status, first.text).toBe(200)
  await forget()
  expect((await repeat()).data).toEqual(first.data)
  await forget()
  expect((await repeat('6')).data.nonce).toBe('0x1')
  await advanceClock(appOf(0).sql, 86_400_000)
  expect((await repeat()).data.nonce).toBe('0x2')
  expect(await mySession(appOf(0), sender.session.token)).toMatchObject({
    spent_total_native: expect.stringMatching(/^\d{10,}0016$/),
    transactions: { count: 3 },
  })
})
