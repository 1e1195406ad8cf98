import type { Fail, UserOpStatus } from '@symbolon/api'
import type { Hex } from '@symbolon/networks/evm'
import type { Sql } from '../../db/pool.ts'
import type { ChainMetrics } from '../../ports/chain-metrics.ts'
import type { Ids } from '../../ports/clock.ts'
import type { EvmChains } from '../../ports/evm-chains.ts'
import type { Log } from '../../ports/log.ts'
import type { Prices } from '../../ports/prices.ts'
import type { Random } from '../../ports/random.ts'
import type { Audit } from '../audit/index.ts'
import { type CallingUser, userOpBuilder } from './build-userop.ts'
import { outcomeWaiters } from './outcome-waiters.ts'
import { operationSender } from './send-operation.ts'
import { settlement } from './settlement.ts'
import { settlementWorker } from './settlement-worker.ts'
import { userOpSubmitter } from './submit-userop.ts'
import { userOpStatus } from './userop-status.ts'
import { useropsStore } from './userops.store.ts'

/**
 * Times that tests shorten: how long a submit waits for the chain, after how long an operation is sent again, how often the
 * worker looks at a chain.
 */
export type UserOpTimes = { waitMs: number; resendSeconds: number; roundMs: number }

const usualTimes: UserOpTimes = { waitMs: 30_000, resendSeconds: 30, roundMs: 1_000 }

/**
 * Operations of smart accounts, from the build to what the chain made of them; `worker` runs beside the requests, and
 * `stopWaiting` answers those who wait for a chain at once.
 */
export function userops({
  sql,
  evm,
  prices,
  random,
  ids,
  audit,
  metrics,
  log,
  times = usualTimes,
}: {
  sql: Sql
  evm: EvmChains
  prices: Prices
  random: Random
  ids: Ids
  audit: Audit
  metrics: ChainMetrics
  log: Log
  times?: UserOpTimes
}) {
  const send = operationSender({ sql, metrics, log, resendSeconds: times.resendSeconds })
  const settling = settlement({ sql, send, metrics, log })
  const waiters = outcomeWaiters({ sql, settlement: settling, log })

  return {
    build: userOpBuilder({ sql, evm, prices, random, ids }),
    submit: userOpSubmitter({ sql, evm, ids, audit, send, waiters, waitMs: times.waitMs }),

    /** The status of an operation that the caller has submitted, as the database knows it: no node is asked. */
    async read(
      { organization, identity }: CallingUser,
      hash: Hex,
      fail: Fail<'not_found'>,
    ): Promise<UserOpStatus> {
      const row = await useropsStore.byHash(sql, organization.id, identity.id, hash)
      const status = row && userOpStatus(row)
      if (status === undefined) throw fail('not_found')
      return status
    },

    stopWaiting: waiters.stop,

    worker: settlementWorker({
      sql,
      evm,
      settlement: settling,
      log,
      holder: ids.next(),
      roundMs: times.roundMs,
    }),
  }
}

/** What the routes need of it. */
export type UserOps = ReturnType<typeof userops>
