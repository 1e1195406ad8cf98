import type { UserOpStatus } from '@symbolon/api'
import { userOperationHash } from '@symbolon/networks/evm'
import { withOwnerSignature } from '@symbolon/server/testing/transactions'
import { buildOp, codeOf, endOf, newAccountOwner, signOp } from '@symbolon/testing/evm'
import { parseEther } from 'viem'
import { expect } from 'vitest'
import {
  call,
  confirmed,
  ends,
  mineUntilStopped,
  pretend,
  ready,
  refusedFalsely,
  settled,
  signedOf,
  submit,
  toBundler,
} from './lane-operations.ts'
import type { Lane } from './mix-site.ts'
import type { Random } from './random.ts'

/** Something that operations go through; what it has submitted is at its end when it resolves. */
export type Step = (lane: Lane, random: Random) => Promise<void>

/** Every kind of operation, of success and of failure that the books have to bear. */
export const steps = {
  single: async (lane, random) => ends(lane, await ready(lane, random.of(lane.owners)), confirmed),

  batch: async (lane, random) => {
    const calls = Array.from({ length: 2 + random.below(6) }, () => call(lane, 'poke'))
    await ends(lane, await ready(lane, random.of(lane.owners), calls), confirmed)
  },

  /** The first thing on every chain: it also brings the accounts of the owners there. */
  atOnce: async (lane) => {
    const ops = await Promise.all([...lane.owners, ...lane.owners].map((owner) => ready(lane, owner)))
    await Promise.all(ops.map((op) => ends(lane, op, confirmed).catch((error: unknown) => error)))
    // Of two that deploy one account the later one has expired; the others landed.
    for (const { owner, hash } of ops) {
      const { data } = await lane.app.call<UserOpStatus>('GET', `/v1/userop/${hash}`, { ...owner.user })
      if (data !== null) expect(data).toMatchObject(confirmed)
    }
  },

  deploying: async (lane) => {
    const owner = await newAccountOwner(lane.app, lane.tenant, lane.chain.handle)
    const pair = await Promise.all([ready(lane, owner), ready(lane, owner)])
    const answers = await Promise.all(pair.map((op) => submit(lane, op)))
    expect(answers.map(codeOf).sort()).toEqual([200, '410 expired'])
    const winner = pair[answers.findIndex(({ status }) => status === 200)]
    await endOf(lane.app, owner, winner?.hash ?? '', 30_000)
  },

  reverting: async (lane, random) => {
    const op = await ready(lane, random.of(lane.owners), [call(lane, 'poke'), call(lane, 'failIfGated')])
    const gate = async (value: bigint) =>
      ends(lane, await ready(lane, random.of(lane.owners), [call(lane, 'setGate', [value])]), confirmed)
    await gate(1n)
    await ends(lane, op, { status: 'failed', success: false, reason: 'DevTarget: gated' })
    await gate(0n)
  },

  refusedInBuild: async (lane, random) => {
    const owner = random.of(lane.owners)
    expect(codeOf(await buildOp(lane.app, owner, [call(lane, 'fail')]))).toBe('422 estimate_gas_reverted')
    lane.paymaster.fault('pm_getPaymasterData', { kind: 'error', error: { code: -32000, message: 'no' } }, 1)
    expect(codeOf(await buildOp(lane.app, owner, [call(lane, 'poke')]))).toBe('502 bundler_rejected')
  },

  neverSubmitted: async (lane, random) => {
    await ready(lane, random.of(lane.owners))
  },

  unsponsored: async (lane, random) => {
    const owner = random.of(lane.owners)
    await lane.chain.fund(owner.sender, parseEther('0.1'))
    const op = await ready(lane, owner, [call(lane, 'poke')], { sponsored: false })
    await ends(lane, op, { ...confirmed, sponsored: false, actual_gas_cost_eur: null })
  },

  unpayable: async (lane) => {
    const owner = await newAccountOwner(lane.app, lane.tenant, lane.chain.handle)
    await ends(lane, await ready(lane, owner), confirmed)
    await lane.chain.fund(owner.sender, parseEther('0.1'))
    const op = await ready(lane, owner, [call(lane, 'poke')], { sponsored: false })
    const all = { ...call(lane, 'poke'), value: parseEther('0.1').toString() }
    await ends(lane, await ready(lane, owner, [all]), confirmed)
    expect(codeOf(await submit(lane, op))).toBe('502 bundler_rejected')
  },

  rejected: async (lane, random) => {
    await refusedFalsely(lane, await ready(lane, random.of(lane.owners)))
  },

  rejectedYetLanding: async (lane, random) => {
    const op = await ready(lane, random.of(lane.owners))
    await refusedFalsely(lane, op)
    await toBundler(lane, await signedOf(lane, op))
    const end = performance.now() + 20_000
    for (;;) {
      const status = await endOf(lane.app, op.owner, op.hash)
      if (status.status === 'confirmed') return
      if (performance.now() > end) throw new Error(`${op.hash} landed and is ${status.status}`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  },

  submittedOften: async (lane, random) => {
    const op = await ready(lane, random.of(lane.owners))
    await Promise.all(Array.from({ length: 4 }, () => ends(lane, op, confirmed)))
    await ends(lane, op, confirmed)
  },

  answerLost: async (lane, random) => {
    const op = await ready(lane, random.of(lane.owners))
    lane.bundler.fault('eth_sendUserOperation', { kind: random.of(['drop', 'cut'] as const) }, 1)
    await ends(lane, op, confirmed)
  },

  replaced: async (lane, random) => {
    const owner = random.of(lane.owners)
    await ends(lane, await ready(lane, owner), confirmed)
    await lane.chain.fund(owner.sender, parseEther('0.1'))
    const op = await ready(lane, owner)
    pretend(lane, op)
    expect((await submit(lane, op)).data.status).toBe('submitted')
    const { sender, nonce, callData, signature: _, ...gas } = await signedOf(lane, op)
    const { callGasLimit, preVerificationGas, maxFeePerGas, maxPriorityFeePerGas } = gas
    const rival = {
      ...{ sender, nonce, callData, callGasLimit, preVerificationGas, maxFeePerGas, maxPriorityFeePerGas },
      verificationGasLimit: 500_000n,
    }
    const hash = userOperationHash({ ...rival, signature: '0x' }, lane.chain.chainId)
    await toBundler(lane, withOwnerSignature(rival, await signOp(lane.app, owner, hash)))
    const stop = mineUntilStopped(lane)
    expect(await endOf(lane.app, owner, op.hash, 30_000)).toMatchObject({
      status: 'failed',
      reason: 'replaced',
    })
    await stop()
    lane.bundler.heal()
  },

  expiredOnChain: async (lane, random) => {
    const op = await ready(lane, random.of(lane.owners))
    pretend(lane, op)
    expect((await submit(lane, op)).data.status).toBe('submitted')
    await lane.chain.faults.advanceTime(16 * 60)
    await lane.chain.faults.advanceTime(1)
    expect(await endOf(lane.app, op.owner, op.hash)).toMatchObject({ status: 'failed', reason: 'expired' })
    lane.bundler.heal()
  },

  bundlerDown: async (lane, random) => {
    const [nobody, something] = await Promise.all([
      ready(lane, random.of(lane.owners)),
      ready(lane, random.of(lane.owners)),
    ])
    await lane.chain.faults.stopBundler()
    // What stands before the bundler takes it, so it may have arrived.
    expect((await submit(lane, something)).data.status).toBe('submitted')
    await lane.bundler.refuse()
    expect(codeOf(await submit(lane, nobody))).toBe('502 bundler_failed')
    await lane.bundler.accept()
    await lane.chain.faults.startBundler()
    await ends(lane, something, confirmed)
    await ends(lane, nobody, confirmed)
  },

  bundlerDiesInAStall: async (lane, random) => {
    const ops = await Promise.all(
      random
        .shuffled(lane.owners)
        .slice(0, 2)
        .map((owner) => ready(lane, owner)),
    )
    await lane.chain.faults.stallMining()
    await Promise.all(ops.map((op) => submit(lane, op)))
    await lane.chain.faults.stopBundler()
    await lane.chain.faults.resumeMining()
    await lane.chain.faults.startBundler()
    for (const { owner, hash } of ops) {
      const { data } = await lane.app.call<UserOpStatus>('GET', `/v1/userop/${hash}`, { ...owner.user })
      if (data !== null) expect(await endOf(lane.app, owner, hash, 30_000)).toMatchObject(confirmed)
    }
  },

  reorganised: async (lane, random) => {
    const op = await ready(lane, random.of(lane.owners))
    await ends(lane, op, confirmed)
    await lane.chain.faults.stopBundler()
    await lane.chain.faults.reorganise(3)
    await lane.chain.faults.startBundler()
    const stop = mineUntilStopped(lane)
    // It may still be read as confirmed where it was; the books know when it is where it stays.
    await settled(lane)
    await stop()
  },
} satisfies Record<string, Step>

/** Builds an operation now; what it answers submits it, and lets it land, later. */
export async function readyAcross(lane: Lane, random: Random): Promise<() => Promise<void>> {
  const op = await ready(lane, random.of(lane.owners))
  return () => ends(lane, op, confirmed)
}

/** Every kind of step. */
export const stepNames = Object.keys(steps) as (keyof typeof steps)[]
