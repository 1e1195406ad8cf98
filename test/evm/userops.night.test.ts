import type { TestApp } from '@symbolon/testing/app'
import {
  buildOp,
  built,
  endOf,
  type FaultyChain,
  faultyChain,
  monthsOf,
  newAccountOwner,
  type SmartAccountOwner,
  signOp,
  submitOp,
} from '@symbolon/testing/evm'
import type { ProxyFault } from '@symbolon/testing/http'
import type { Hex } from 'viem'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

let fixture: FaultyChain

beforeAll(async () => {
  fixture = await faultyChain()
})
afterAll(() => fixture?.stop())
afterEach(() => fixture.heal())

test('a submit waits for 30 s and says `submitted`; the operation lands once the chain moves again', async () => {
  const { app, tenant, chain, poke } = fixture
  const owner = await newAccountOwner(app, tenant)
  const { user_op_hash } = await built(app, owner, [poke()])
  const signature = await signOp(app, owner, user_op_hash)
  await chain.faults.stallMining()
  const startedAt = performance.now()
  const { status, data } = await submitOp(app, owner, user_op_hash, signature)
  const waitedMs = performance.now() - startedAt
  await chain.faults.resumeMining()
  expect({ status, data }).toMatchObject({ status: 200, data: { status: 'submitted' } })
  expect(waitedMs).toBeGreaterThan(29_000)
  expect(waitedMs).toBeLessThan(34_000)
  expect(await endOf(app, owner, user_op_hash, 60_000)).toMatchObject({ status: 'confirmed', success: true })
}, 120_000)

test('a build that takes longer than other answers may is answered', async () => {
  const { app, tenant, paymaster, poke } = fixture
  const owner = await newAccountOwner(app, tenant)
  paymaster.fault('*', { kind: 'delay', ms: 2_800 })
  const startedAt = performance.now()
  expect((await buildOp(app, owner, [poke()])).status).toBe(200)
  expect(performance.now() - startedAt).toBeGreaterThan(5_500)
}, 60_000)

/** Builds and signs eight operations, each submitted by both processes until one of them takes it; the taken ones. */
async function submitMany(owner: SmartAccountOwner): Promise<{ owner: SmartAccountOwner; hash: Hex }[]> {
  const { app, other, poke } = fixture
  const apps = [app, other]
  const submitted: { owner: SmartAccountOwner; hash: Hex }[] = []
  for (let i = 0; i < 8; i++) {
    const { data } = await buildOp(apps[i % 2] as TestApp, owner, [poke()])
    if (data === null) continue
    const hash = data.user_op_hash
    const signature = await signOp(app, owner, hash)
    // Whatever the answers are, somebody submits until it is taken.
    for (let attempt = 0; attempt < 20; attempt++) {
      const answers = await Promise.all(apps.map((one) => submitOp(one, owner, hash, signature)))
      const isTaken = answers.some(({ status }) => status === 200)
      if (isTaken) submitted.push({ owner, hash })
      if (isTaken || answers.some(({ status }) => status === 410)) break
    }
  }
  return submitted
}

test('every submitted operation is made exactly once, whatever node, bundler and process do', async () => {
  const { app, tenant, node, bundler, pokes } = fixture
  const before = await pokes()
  const faults: ProxyFault[] = [
    { kind: 'drop' },
    { kind: 'cut' },
    { kind: 'delay', ms: 700 },
    { kind: 'error', error: { code: -32603, message: 'internal error' } },
    { kind: 'body', status: 502, text: 'bad gateway' },
    { kind: 'answer', result: `0x${'ee'.repeat(32)}` },
  ]
  const targets = [
    [bundler, 'eth_sendUserOperation'],
    [node, 'eth_getLogs'],
    [node, 'eth_getBlockByNumber'],
    [node, 'eth_call'],
  ] as const
  // Accounts need the node: they are there before its faults.
  const owners = await Promise.all(Array.from({ length: 4 }, () => newAccountOwner(app, tenant)))
  let isOver = false
  const chaos = (async () => {
    for (let i = 0; !isOver; i++) {
      const [proxy, method] = targets[i % targets.length] as (typeof targets)[number]
      proxy.fault(method, faults[(i * 7) % faults.length] as ProxyFault, 2)
      await new Promise((resolve) => setTimeout(resolve, 150))
    }
  })()

  const submitted = (await Promise.all(owners.map((owner) => submitMany(owner)))).flat()
  isOver = true
  await chaos
  for (const proxy of [node, bundler]) proxy.heal()

  let confirmed = 0n
  for (const { owner, hash } of submitted) {
    const end = await endOf(app, owner, hash, 150_000)
    if (end.status === 'confirmed') confirmed += 1n
    else expect(end.transaction_hash, JSON.stringify(end)).toBe(null)
  }
  expect(submitted.length).toBeGreaterThan(16)
  expect(await pokes()).toBe(before + confirmed)
  for (const { wallet } of owners) expect(await monthsOf(app, wallet.id)).toMatchObject([{ reserved: 0 }])
}, 600_000)
