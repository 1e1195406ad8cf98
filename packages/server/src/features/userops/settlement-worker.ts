import type { EvmChain, EvmChains } from '../../ports/evm-chains.ts'
import { type Poller, poller, wokenPeriodMs } from '../../runtime/poller.ts'
import { settlementStore } from './settlement.store.ts'
import { followOperations } from './settlement.ts'
import type { SettlementCtx } from './submit-to-bundler.ts'
import { useropsStore } from './userops.store.ts'

const leaseMs = 15_000
// Those at an end only wait for finality.
const endedRoundsEvery = 10
const rowsMax = 200
const firstId = '00000000-0000-0000-0000-000000000000'

/** The follower of a process; `isStopped` ends a long pass. */
type Following = { isStopped: boolean }

/**
 * Brings operations to their ends though nobody asks for them, beside the workers of other processes. One process at a time follows a
 * chain, by a lease; chains do not wait for each other. Unsubmitted operations are expired by all processes, chain or not.
 * A chain is looked at every `roundMs`.
 */
export function settlementWorker(
  ctx: SettlementCtx,
  chains: EvmChains,
  { roundMs }: { roundMs: number },
): Poller {
  const { log, holder } = ctx
  const following: Following = { isStopped: false }
  const pollers = [
    ...[...chains.values()].map((chain) => follower(ctx, chain, following, roundMs)),
    poller({
      periodMs: wokenPeriodMs,
      pass: () => expireAll(ctx, following),
      onError: (error) => log.warn({ err: error }, 'operations that expired could not be ended'),
    }),
  ]
  return {
    start() {
      following.isStopped = false
      for (const each of pollers) {
        each.start()
        each.nudge()
      }
    },
    nudge() {
      for (const each of pollers) each.nudge()
    },
    async stop() {
      following.isStopped = true
      await Promise.all(pollers.map((each) => each.stop()))
      const ends = [...chains.values()].map(({ chain }) =>
        settlementStore.endLease(ctx.sql, chain.handle, holder),
      )
      for (const end of await Promise.allSettled(ends)) {
        if (end.status === 'rejected') log.warn({ err: end.reason }, 'a lease could not be released')
      }
    },
  }
}

function follower(ctx: SettlementCtx, chain: EvmChain, following: Following, roundMs: number): Poller {
  let round = 0
  return poller({
    periodMs: roundMs,
    pass: () => followAll(ctx, chain, following, round++ % endedRoundsEvery !== 0),
    onError: (error) =>
      ctx.log.warn({ err: error }, `the operations on ${chain.chain.handle} cannot be followed`),
  })
}

/** Without anything to follow, nothing is written and the chain is not asked. */
async function followAll(
  ctx: SettlementCtx,
  chain: EvmChain,
  following: Following,
  isOpen: boolean,
): Promise<void> {
  const { sql, holder } = ctx
  const { handle } = chain.chain
  for (let after = firstId; !following.isStopped; ) {
    const operations = await settlementStore.followed(sql, handle, { after, isOpen, rowsMax })
    const last = operations.at(-1)
    if (last === undefined || !(await settlementStore.lease(sql, handle, holder, leaseMs))) return
    await followOperations(ctx, chain, operations)
    if (operations.length < rowsMax) return
    after = last.id
  }
}

async function expireAll({ sql }: SettlementCtx, following: Following): Promise<void> {
  while ((await useropsStore.expireUnsubmitted(sql, rowsMax)) === rowsMax && !following.isStopped);
}
