import type { Wallet } from '@symbolon/api'
import { devContracts } from '@symbolon/dev/testing/chain'
import { type Api, call, liftRates, type Tenant } from '@symbolon/testing/app'
import { type SharedChain, sharedChain } from '@symbolon/testing/chain'
import { type TestDatabase, testDatabase } from '@symbolon/testing/database'
import {
  buildWhenAnswered,
  built,
  codeOf,
  endOf,
  expectReported,
  monthsOf,
  provisioned,
  type SmartAccountOwner,
  signOp,
  submitOp,
} from '@symbolon/testing/evm'
import { type JsonRpcProxy, jsonRpcProxy } from '@symbolon/testing/http'
import {
  createOrganization,
  logIn,
  type PlatformProcesses,
  startPlatformProcesses,
} from '@symbolon/testing/platform'
import { until } from '@symbolon/testing/wait'
import { encodeFunctionData, type Hex } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

const eurPerEther = 300n
const capMicro = 10_000_000

let chain: SharedChain
let bundler: JsonRpcProxy
let database: TestDatabase
let platform: PlatformProcesses
let apis: [Api, Api]
let tenant: Tenant

beforeAll(async () => {
  ;[chain, database] = await Promise.all([sharedChain(), testDatabase()])
  bundler = await jsonRpcProxy(chain.bundlerUrl)
  platform = await startPlatformProcesses({
    databaseUrl: database.url,
    chains: [{ ...chain, bundlerUrl: bundler.url }],
    environment: { SYMBOLON_PRICE__ETH: eurPerEther.toString() },
  })
  await liftRates(platform)
  const { id, publishable_key, secret_key, read_key } = await createOrganization(process(0))
  tenant = { id, pk: publishable_key, sk: secret_key, keyId: '', readKey: read_key }
  apis = [apiOf(0), apiOf(1)]
})
afterEach(() => bundler.heal())
afterAll(async () => {
  await platform?.stop()
  await bundler?.stop()
  await database?.drop()
})

function process(i: number) {
  const api = platform.apis[i]
  if (api === undefined) throw new Error(`There is no process ${i}.`)
  return api
}
const apiOf = (i: number): Api => ({
  call: (method, path, options) => call(process(i).url, method, path, options),
})

/** A user with an account, of the organization that all share. */
async function newOwner(): Promise<SmartAccountOwner> {
  const organization = {
    ...tenant,
    publishable_key: tenant.pk,
    secret_key: tenant.sk,
    read_key: tenant.readKey,
  }
  const { email, identityId, token } = await logIn(platform, process(0), organization)
  const user = { pk: tenant.pk, token, id: identityId, email }
  const { data: wallet } = await apis[0].call<Wallet>('POST', '/v1/wallets', { ...user, json: {} })
  return provisioned(apis[1], tenant, { user, wallet }, 'local')
}

const calls = () => [
  {
    to: chain.contracts.target,
    data: encodeFunctionData({ abi: devContracts().DevTarget.abi, functionName: 'poke' }),
  },
]
type Ready = { owner: SmartAccountOwner; hash: Hex; signature: Hex }
async function ready(owner?: SmartAccountOwner): Promise<Ready> {
  const by = owner ?? (await newOwner())
  const { user_op_hash: hash } = await built(apis[0], by, calls())
  return { owner: by, hash, signature: await signOp(apis[1], by, hash) }
}
const submitTo = (i: 0 | 1, { owner, hash, signature }: Ready) => submitOp(apis[i], owner, hash, signature)
const sends = () => bundler.calls('eth_sendUserOperation')

const expectOnce = (op: Ready) => expectReported({ ...apis[1], sql: platform.sql }, chain, op, eurPerEther)

describe('two processes', () => {
  test('never let 50 builds at once pass the cap', async () => {
    const owner = await newOwner()
    await built(apis[0], owner, calls())
    const [month] = await monthsOf(platform, owner.wallet.id)
    const one = month?.reserved ?? 0
    const room = 8 * one
    await platform.sql`
      update sponsor_months set settled_micro = ${capMicro - one - room} where wallet_id = ${owner.wallet.id}`
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => buildWhenAnswered(apis[i % 2 === 0 ? 0 : 1], owner, calls())),
    )
    expect(new Set(answers.map(codeOf))).toEqual(new Set([200, '402 gas_cap_exceeded']))
    const [sums] = await platform.sql<{ promised: number; held: number; reserves: number }[]>`
      select (m.reserved_micro + m.settled_micro)::int as promised, m.reserved_micro::int as held,
        (select sum(o.reserve_micro)::int from user_operations o where o.wallet_id = m.wallet_id) as reserves
      from sponsor_months m where m.wallet_id = ${owner.wallet.id}`
    expect(sums?.promised).toBeLessThanOrEqual(capMicro)
    expect(sums?.held).toBe(sums?.reserves)
    // As full as it gets: what is left would not have paid for one more.
    expect(capMicro - (sums?.promised ?? 0)).toBeLessThan(one * 1.2)
  })

  test('send an operation once that is submitted to both at the same time, again and again', async () => {
    const ops = await Promise.all(Array.from({ length: 4 }, () => ready()))
    const before = sends()
    const answers = await Promise.all(
      ops.flatMap((op) => Array.from({ length: 8 }, (_, i) => submitTo(i % 2 === 0 ? 0 : 1, op))),
    )
    for (const { status, data } of answers) {
      expect({ status, data }).toMatchObject({ status: 200, data: { status: 'confirmed', success: true } })
    }
    for (const op of ops) expect((await submitTo(1, op)).data.status).toBe('confirmed')
    expect(sends() - before).toBe(ops.length)
    for (const op of ops) await expectOnce(op)
  })
})

describe('a process killed', () => {
  /** Submits to a process and kills it as soon as its send has come to the proxy. */
  async function killedInItsSend(i: 0 | 1, op: Ready): Promise<void> {
    const before = sends()
    const lost = submitTo(i, op).catch((error: unknown) => error)
    await until(() => sends() > before)
    const pid = process(i).workerPid()
    if (pid === undefined) throw new Error('The process has no worker.')
    globalThis.process.kill(pid, 'SIGKILL')
    expect(await lost).toBeInstanceOf(Error)
  }

  test('after its claim and before its send leaves an operation that the other one sends, once', async () => {
    const op = await ready()
    const before = sends()
    bundler.fault('eth_sendUserOperation', { kind: 'hang' }, 1)
    await killedInItsSend(0, op)
    expect(
      (await platform.sql`select from user_operations where hash = ${op.hash} and state = 'sending'`).count,
    ).toBe(1)
    // Whoever asks again waits for the operation, and does not send it.
    const killedAt = performance.now()
    const asked = submitTo(1, op)
    // The dead one's leases end with it.
    await until(() => sends() - before === 2)
    expect(performance.now() - killedAt).toBeLessThan(2_000)
    expect((await asked).data).toMatchObject({ status: 'confirmed', success: true })
    expect(sends() - before).toBe(2)
    await platform.ready()
    await expectOnce(op)
  })

  test('after its send and before it has written so leaves an operation that lands, and is charged, once', async () => {
    // One of the two follows the chain for both.
    for (const [victim, survivor] of [
      [0, 1],
      [1, 0],
    ] as const) {
      const op = await ready()
      bundler.fault('eth_sendUserOperation', { kind: 'mute' }, 1)
      await killedInItsSend(victim, op)
      expect(await endOf(apis[survivor], op.owner, op.hash)).toMatchObject({
        status: 'confirmed',
        success: true,
      })
      await platform.ready()
      expect((await submitTo(victim, op)).data).toMatchObject({ status: 'confirmed', success: true })
      await expectOnce(op)
    }
  })
})
