import { ownChain } from '@symbolon/testing/chain'
import { type TestDatabase, testDatabase } from '@symbolon/testing/database'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type JsonRpc, jsonRpc } from '../chain/json-rpc.ts'
import type { DevChain } from '../chain/start-dev-chain.ts'
import { chainProbe } from './chain-probe.ts'
import { type DevChainAccess, devChainAccess } from './dev-chain.ts'
import { devRoutes } from './dev-routes.ts'

let database: TestDatabase
let chain: DevChain
let node: JsonRpc
let access: DevChainAccess
/** A chain where nobody listens. */
const gone = devChainAccess({
  handle: 'local-2',
  rpcUrl: 'http://127.0.0.1:1',
  bundlerUrl: 'http://127.0.0.1:1',
  paymasterUrl: 'http://127.0.0.1:1',
})
let app: FastifyInstance
beforeAll(async () => {
  ;[database, chain] = await Promise.all([testDatabase(), ownChain({ withBundler: false })])
  node = jsonRpc(chain.rpcUrl)
  access = devChainAccess(chain)
  app = Fastify()
  devRoutes(app, {
    sql: database.sql,
    chains: [access, gone],
    createOrganization: () => Promise.reject(new Error('not here')),
  })
})
afterAll(async () => {
  await app.close()
  await chain.stop()
  await database.drop()
})

const post = (url: string, payload: object) => app.inject({ method: 'POST', url, payload })
const someone = () => privateKeyToAddress(generatePrivateKey())
const latestS = async () =>
  Number((await node.call<{ timestamp: Hex }>('eth_getBlockByNumber', ['latest', false])).timestamp)

test('the faucet sends exactly what was asked for, in a mined transaction', async () => {
  const to = someone()
  const wei = '1234567890123456789012345678'
  const answer = await post('/dev/faucet', { address: to, amount_wei: wei })
  expect(answer.statusCode).toBe(200)
  const { tx_hash: hash } = answer.json() as { tx_hash: Hex }
  expect(await node.call('eth_getTransactionReceipt', [hash])).toMatchObject({ status: '0x1' })
  expect(String(BigInt(await node.call<Hex>('eth_getBalance', [to, 'latest'])))).toBe(wei)
  expect((await post('/dev/faucet', { address: to.toLowerCase(), amount_wei: '0' })).statusCode).toBe(200)
})

test('on a chain that mines by the clock the faucet waits for the block', async () => {
  await node.call('evm_setIntervalMining', [1])
  try {
    const { tx_hash: hash } = (await post('/dev/faucet', { address: someone(), amount_wei: '1' })).json()
    expect(await node.call('eth_getTransactionReceipt', [hash])).toMatchObject({ status: '0x1' })
  } finally {
    await node.call('evm_setAutomine', [true])
  }
})

test('the faucet refuses invalid addresses, amounts and chains', async () => {
  const to = someone()
  // The letters of a checksum in the wrong case.
  const mistyped = to.replace(/[a-f]/i, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )
  for (const wrong of [
    {},
    { address: to },
    { address: to, amount_wei: 1 },
    { address: to, amount_wei: '-1' },
    { address: to, amount_wei: '0x1' },
    { address: to, amount_wei: '1.5' },
    { address: to, amount_wei: `1${'0'.repeat(37)}` },
    { address: mistyped, amount_wei: '1' },
    { address: to.slice(0, -1), amount_wei: '1' },
    { address: to, amount_wei: '1', chain: 'ethereum' },
  ]) {
    const answer = await post('/dev/faucet', wrong)
    expect([answer.statusCode, wrong]).toEqual([400, wrong])
    expect(answer.json()).toEqual({ error: expect.any(String) })
  }
})

test('the clock takes the chain along, at least to the time that the database has, and never back', async () => {
  const before = await latestS()
  const first = (await post('/dev/clock', { advance_ms: 600_500 })).json()
  expect(first.chains).toEqual({ local: 'moved', 'local-2': 'down' })
  expect(await latestS()).toBeGreaterThanOrEqual(before + 601)
  expect((await latestS()) * 1000).toBeGreaterThanOrEqual(Date.parse(first.now))

  const moved = await latestS()
  await post('/dev/clock', { advance_ms: -600_500 })
  expect(await latestS()).toBeGreaterThanOrEqual(moved)
  await post('/dev/clock', { advance_ms: 60_000 })
  expect(await latestS()).toBeGreaterThanOrEqual(moved + 60)
  await post('/dev/clock', { advance_ms: -60_000 })
})

test('a chain that missed a move of the clock catches up at the next one', async () => {
  await database.sql.unsafe(`create or replace function app_now() returns timestamptz language sql volatile
    parallel safe as 'select clock_timestamp() + interval ''90 days'''`)
  const { now } = (await post('/dev/clock', { advance_ms: 0 })).json()
  expect((await latestS()) * 1000).toBeGreaterThanOrEqual(Date.parse(now) - 1_000)
})

test('the clock leaves a stalled chain stalled', async () => {
  await chain.faults.stallMining()
  const number = await node.call('eth_blockNumber')
  await post('/dev/clock', { advance_ms: 5_000 })
  expect(await node.call('eth_blockNumber')).toBe(number)
  await chain.faults.resumeMining()
})

test('the chain counts as starting until all of it has answered once, then as up or down', async () => {
  expect(await chainProbe([])()).toEqual({ status: 'off' })
  const probe = chainProbe([access])
  // The bundler is not running yet.
  expect(await probe()).toEqual({ status: 'starting' })
  await chain.faults.startBundler()
  expect(await probe()).toEqual({ status: 'up' })
  await chain.faults.stopBundler()
  expect(await probe()).toEqual({ status: 'down' })
})
