import { userOperationHash } from '@symbolon/networks/evm'
import { withOwnerSignature } from '@symbolon/server/testing/transactions'
import { makeTenant, startTestApp } from '@symbolon/testing/app'
import { advanceClock } from '@symbolon/testing/database'
import {
  buildOp,
  built,
  codeOf,
  endOf,
  type FaultyChain,
  faultyChain,
  monthsOf,
  newAccountOwner,
  type Ready,
  readOp,
  type SmartAccountOwner,
  signOp,
  submitOp,
} from '@symbolon/testing/evm'
import { until } from '@symbolon/testing/wait'
import { createPublicClient, createTestClient, http, parseEther } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

let fixture: FaultyChain

beforeAll(async () => {
  fixture = await faultyChain({ waitMs: 1_000, resendSeconds: 0.5, roundMs: 200 })
})
afterAll(() => fixture?.stop())
afterEach(() => fixture.heal())

const isDeployed = async ({ account }: SmartAccountOwner) =>
  (
    await fixture.app.sql<
      { deployed: boolean }[]
    >`select deployed from smart_accounts where id = ${account.id}`
  )[0]?.deployed
const mine = (blocks: number) =>
  createTestClient({ mode: 'anvil', transport: http(fixture.chain.rpcUrl) }).mine({ blocks })

describe('the bundler', () => {
  test('whose answer is lost has the operation all the same: it lands once', async () => {
    const { bundler, pokes, ready } = fixture
    const op = await ready()
    const before = await pokes()
    bundler.fault('eth_sendUserOperation', { kind: 'drop' }, 1)
    expect((await op.submit()).status).toBe(200)
    expect(await endOf(fixture.app, op.owner, op.hash)).toMatchObject({ status: 'confirmed' })
    expect(await pokes()).toBe(before + 1n)
  })

  test('that lost the operation itself gets it again', async () => {
    const { bundler, app, ready } = fixture
    const op = await ready()
    const before = bundler.calls('eth_sendUserOperation')
    bundler.fault('eth_sendUserOperation', { kind: 'cut' }, 1)
    expect((await op.submit()).status).toBe(200)
    expect(await endOf(app, op.owner, op.hash)).toMatchObject({ status: 'confirmed', success: true })
    expect(bundler.calls('eth_sendUserOperation') - before).toBe(2)
  })

  test('that says it has an operation does not make it confirmed, and gets it again', async () => {
    const { bundler, app, ready, pretend } = fixture
    const op = await ready()
    pretend(op.hash)
    bundler.fault('eth_getUserOperationReceipt', {
      kind: 'answer',
      result: { userOpHash: op.hash, success: true, receipt: { status: '0x1' } },
    })
    expect((await op.submit()).data).toMatchObject({ status: 'submitted', success: null })
    bundler.heal()
    expect(await endOf(app, op.owner, op.hash)).toMatchObject({ status: 'confirmed' })
  })

  test('that cannot be reached leaves the operation as it was: it can be submitted again', async () => {
    const { bundler, app, poke, ready, stateOf } = fixture
    const op = await ready()
    const before = await stateOf(op.hash)
    await bundler.refuse()
    expect(codeOf(await op.submit())).toBe('502 bundler_failed')
    expect(codeOf(await buildOp(app, op.owner, [poke()]))).toBe('502 bundler_failed')
    expect(codeOf(await readOp(app, op.owner, op.hash))).toBe('404 not_found')
    expect(await stateOf(op.hash)).toEqual(before)
    await bundler.accept()
    await op.submit()
    expect(await endOf(fixture.app, op.owner, op.hash)).toMatchObject({ status: 'confirmed' })
    expect(await monthsOf(app, op.owner.wallet.id)).toMatchObject([{ reserved: 0 }])
  })

  test('that refuses frees the reserve; should the operation land after all, it is charged', async () => {
    const { bundler, app, ready, stateOf, signed, toBundler } = fixture
    const op = await ready()
    bundler.fault('eth_sendUserOperation', {
      kind: 'error',
      error: { code: -32500, message: 'AA24 signature error' },
    })
    const refused = await op.submit()
    expect(codeOf(refused)).toBe('502 bundler_rejected')
    expect(refused.error?.message).toContain('AA24 signature error')
    const before = bundler.calls('eth_sendUserOperation')
    expect((await op.submit()).data).toMatchObject({
      status: 'failed',
      success: null,
      transaction_hash: null,
    })
    expect(bundler.calls('eth_sendUserOperation')).toBe(before)
    expect((await readOp(app, op.owner, op.hash)).data.reason).toContain('AA24')
    expect(await monthsOf(app, op.owner.wallet.id)).toMatchObject([{ reserved: 0, settled: 0 }])

    await toBundler(await signed(op))
    await until(async () => (await stateOf(op.hash))?.state === 'confirmed')
    const [month] = await monthsOf(app, op.owner.wallet.id)
    expect(month?.settled).toBeGreaterThan(0)
  })
})

describe('the process', () => {
  /** Leaves the operation as a process does that ends right after its record of the send. */
  const die = ({ hash, signature }: Ready) => fixture.app.sql`
    update user_operations set state = 'sending', signature = ${signature}, submitted_at = app_now(),
      is_followed = true, attempt_id = gen_random_uuid(), sends = 1, next_send_at = app_now() - interval '1 second'
    where hash = ${hash}`

  test('that died between the record and the send is followed up by the others, whatever other chains do', async () => {
    const { hanging, app, ready } = fixture
    const stuck = await ready()
    await die(stuck)
    await app.sql`update user_operations set chain = 'local-2' where hash = ${stuck.hash}`
    await until(async () => hanging.calls() > 0)
    const op = await ready()
    await die(op)
    expect(await endOf(app, op.owner, op.hash)).toMatchObject({ status: 'confirmed', success: true })
    const startedAt = performance.now()
    expect((await readOp(app, stuck.owner, stuck.hash)).data.status).toBe('submitted')
    expect(performance.now() - startedAt).toBeLessThan(3_000)
  })

  test('that died in a build leaves no reserve behind', async () => {
    const { paymaster, app, tenant, poke } = fixture
    const owner = await newAccountOwner(app, tenant)
    // Longer than the worker's round, shorter than the paymaster's own time limit.
    paymaster.fault('pm_getPaymasterData', { kind: 'delay', ms: 2_700 }, 1)
    const answer = buildOp(app, owner, [poke()])
    await until(async () => (await monthsOf(app, owner.wallet.id))[0]?.reserved !== undefined)
    expect((await monthsOf(app, owner.wallet.id))[0]?.reserved).toBeGreaterThan(0)
    await app.sql`update user_operations set expires_at = app_now() where wallet_id = ${owner.wallet.id}`
    await until(async () => (await monthsOf(app, owner.wallet.id))[0]?.reserved === 0)
    expect(codeOf(await answer)).toBe('502 bundler_failed')
    expect(await monthsOf(app, owner.wallet.id)).toMatchObject([{ reserved: 0, settled: 0 }])
  })
})

describe('the paymaster', () => {
  test('that refuses, fails or raises the cost leaves no reserve', async () => {
    const { paymaster, app, tenant, poke } = fixture
    const owner = await newAccountOwner(app, tenant)
    const raised = (answer: Record<string, unknown>) => ({
      ...answer,
      result: { ...(answer['result'] as object), paymasterVerificationGasLimit: '0xffffffff' },
    })
    for (const [fault, code] of [
      [{ kind: 'error', error: { code: -32000, message: 'policy' } }, '502 bundler_rejected'],
      [{ kind: 'body', status: 500, text: 'no' }, '502 bundler_failed'],
      [{ kind: 'alter', with: raised }, '502 bundler_failed'],
    ] as const) {
      paymaster.fault('pm_getPaymasterData', fault)
      expect(codeOf(await buildOp(app, owner, [poke()]))).toBe(code)
    }
    expect(await monthsOf(app, owner.wallet.id)).toMatchObject([{ reserved: 0, settled: 0 }])
  })
})

describe('the node', () => {
  test('that cannot be asked keeps an operation from being submitted, and it stays submittable', async () => {
    const { node, ready, stateOf } = fixture
    const op = await ready()
    node.fault('*', { kind: 'cut' })
    expect(codeOf(await op.submit())).toBe('502 rpc_failed')
    expect((await stateOf(op.hash))?.state).toBe('built')
    node.heal()
    await op.submit()
    expect(await endOf(fixture.app, op.owner, op.hash)).toMatchObject({ status: 'confirmed' })
  })

  test('that hides the log or names another block keeps the operation from being confirmed', async () => {
    const { chain, node, app, ready } = fixture
    const op = await ready()
    const lies = [
      () => [],
      (logs: Record<string, unknown>[]) => logs.map((log) => ({ ...log, blockHash: `0x${'ab'.repeat(32)}` })),
      (logs: Record<string, unknown>[]) => logs.map((log) => ({ ...log, address: chain.paymaster })),
    ]
    let lie = lies[0]
    node.fault('eth_getLogs', {
      kind: 'alter',
      with: (answer) => ({ ...answer, result: lie?.(answer['result'] as Record<string, unknown>[]) }),
    })
    expect((await op.submit()).data.status).toBe('submitted')
    for (const next of lies) {
      lie = next
      const before = node.calls('eth_getLogs')
      // Whoever asks again has not believed the first answer.
      await expect.poll(() => node.calls('eth_getLogs') - before).toBeGreaterThanOrEqual(2)
      expect((await readOp(app, op.owner, op.hash)).data.status).toBe('submitted')
    }
    node.heal()
    expect(await endOf(app, op.owner, op.hash)).toMatchObject({ status: 'confirmed' })
  })

  test('that stands still lets a submit answer in time, and the operation lands without anybody asking', async () => {
    const { chain, app, ready, stateOf } = fixture
    const op = await ready()
    await chain.faults.stallMining()
    const startedAt = performance.now()
    const { status, data } = await op.submit()
    expect(performance.now() - startedAt).toBeLessThan(6_000)
    expect(status).toBe(200)
    expect(data).toMatchObject({
      status: 'submitted',
      transaction_hash: null,
      block_number: null,
      success: null,
      reason: null,
      actual_gas_cost_wei: null,
      actual_gas_cost_eur: null,
      confirmed_at: null,
    })
    await chain.faults.resumeMining()
    await until(async () => (await stateOf(op.hash))?.state === 'confirmed')
    expect(await monthsOf(app, op.owner.wallet.id)).toMatchObject([{ reserved: 0 }])
  })
})

test("an operation is confirmed at the chain's depth, not before", async () => {
  const { chain, poke, pokes } = fixture
  const deep = await startTestApp({
    chains: [
      {
        handle: 'local',
        rpcUrls: [chain.rpcUrl],
        bundlerUrl: chain.bundlerUrl,
        paymasterUrl: chain.paymasterUrl,
        confirmations: 12,
      },
    ],
    userOpTimes: { waitMs: 800, resendSeconds: 30, roundMs: 200 },
  })
  try {
    const owner = await newAccountOwner(deep, await makeTenant(deep))
    const { user_op_hash } = await built(deep, owner, [poke()])
    const before = await pokes()
    const signature = await signOp(deep, owner, user_op_hash)
    expect((await submitOp(deep, owner, user_op_hash, signature)).data.status).toBe('submitted')
    expect(await pokes()).toBe(before + 1n)
    await mine(12)
    expect(await endOf(deep, owner, user_op_hash)).toMatchObject({ status: 'confirmed' })
  } finally {
    await deep.stop()
  }
})

describe('the end', () => {
  test('of an operation whose nonce another one used is `replaced`, and nothing is held', async () => {
    const { chain, bundler, app, tenant, ready, signed, toBundler, pretend } = fixture
    const owner = await newAccountOwner(app, tenant)
    await ready(owner).then(({ submit }) => submit())
    await chain.fund(owner.sender, parseEther('1'))
    const op = await ready(owner)
    pretend(op.hash)
    expect((await op.submit()).data.status).toBe('submitted')
    const {
      paymaster: _p,
      paymasterData: _d,
      paymasterVerificationGasLimit: _v,
      paymasterPostOpGasLimit: _g,
      ...unsponsored
    } = await signed(op)
    const rival = { ...unsponsored, verificationGasLimit: 500_000n }
    const hash = userOperationHash(rival, 31_337)
    bundler.heal()
    pretend(op.hash)
    await toBundler(withOwnerSignature(rival, await signOp(app, owner, hash)))
    const isSeen = async () =>
      (
        await app.sql`select 1 from user_operations where hash = ${op.hash} and nonce_taken_at_block is not null`
      ).length === 1
    await until(isSeen)
    await mine(2)
    expect(await endOf(app, owner, op.hash)).toMatchObject({
      status: 'failed',
      reason: 'replaced',
      success: null,
    })
    expect(await monthsOf(app, owner.wallet.id)).toMatchObject([{ reserved: 0 }])
  })

  test('is taken back when the chain drops the block, and comes again', async () => {
    const { chain, bundler, app, ready, stateOf } = fixture
    const op = await ready()
    await op.submit()
    const confirmed = await endOf(app, op.owner, op.hash)
    expect(confirmed).toMatchObject({ status: 'confirmed' })
    const [before] = await monthsOf(app, op.owner.wallet.id)
    bundler.fault('eth_sendUserOperation', { kind: 'cut' })
    const head = await createPublicClient({ transport: http(chain.rpcUrl) }).getBlockNumber()
    await chain.faults.reorganise(Number(head) - (confirmed.block_number ?? 0) + 1)
    await until(async () => (await stateOf(op.hash))?.state === 'sent')
    expect((await readOp(app, op.owner, op.hash)).data).toMatchObject({
      status: 'submitted',
      transaction_hash: null,
      actual_gas_cost_wei: null,
      confirmed_at: null,
    })
    const [during] = await monthsOf(app, op.owner.wallet.id)
    expect(during).toMatchObject({ settled: 0 })
    expect(await isDeployed(op.owner)).toBe(false)
    expect(during?.reserved).toBeGreaterThan(before?.settled ?? 0)

    await chain.faults.stopBundler()
    await chain.faults.startBundler()
    bundler.heal()
    const again = await endOf(app, op.owner, op.hash)
    expect(again).toMatchObject({ status: 'confirmed', success: true })
    expect(await isDeployed(op.owner)).toBe(true)
    const [after] = await monthsOf(app, op.owner.wallet.id)
    expect(after).toMatchObject({ reserved: 0 })
    expect(after?.settled).toBeGreaterThan(0)
  })

  test('of an operation past its sponsorship is `expired`: it cannot land, and nothing is held', async () => {
    const { chain, app, ready, stateOf, pretend } = fixture
    const op = await ready()
    pretend(op.hash)
    expect((await op.submit()).data.status).toBe('submitted')
    expect((await stateOf(op.hash))?.held).toBeGreaterThan(0)
    await chain.faults.advanceTime(16 * 60)
    await chain.faults.advanceTime(1)
    expect(await endOf(app, op.owner, op.hash)).toMatchObject({ status: 'failed', reason: 'expired' })
    expect(await monthsOf(app, op.owner.wallet.id)).toMatchObject([{ reserved: 0, settled: 0 }])
  })

  test("of an operation that nobody submits comes by the chain's clock and by ours", async () => {
    const { chain, app, ready, stateOf } = fixture
    const byChain = await ready()
    await chain.faults.advanceTime(601)
    expect(codeOf(await byChain.submit())).toBe('410 expired')
    expect(await stateOf(byChain.hash)).toMatchObject({ state: 'expired', held: 0 })

    const unasked = await ready()
    const op = await ready()
    await advanceClock(app.sql, 601_000)
    expect(codeOf(await op.submit())).toBe('410 expired')
    expect(codeOf(await op.submit())).toBe('410 expired')
    expect(codeOf(await readOp(app, op.owner, op.hash))).toBe('404 not_found')
    await until(async () => (await stateOf(unasked.hash))?.state === 'expired')
    expect(await monthsOf(app, unasked.owner.wallet.id)).toMatchObject([{ reserved: 0, settled: 0 }])
  })

  test('that is final is not followed any more', async () => {
    const { ready, stateOf } = fixture
    const op = await ready()
    await op.submit()
    expect(await endOf(fixture.app, op.owner, op.hash)).toMatchObject({ status: 'confirmed' })
    await mine(80)
    await until(async () => (await stateOf(op.hash))?.isFollowed === false)
  })
})
