import type { Sql } from '../../db/pool.ts'
import type { Bundler, Sending } from '../../ports/bundler.ts'
import type { ChainMetrics } from '../../ports/chain-metrics.ts'
import type { Log } from '../../ports/log.ts'
import { withOwnerSignature } from './operation-json.ts'
import { type Send, sendsStore } from './sends.store.ts'

/** How a send left its operation: `open` is on its way, or may be. */
export type Sent = { outcome: 'open' } | { outcome: 'rejected'; reason: string } | { outcome: 'unsent' }

/** Hands claimed operations to their bundlers and writes down how it went. Sending one again does no harm. */
export type SendOperation = (bundler: Bundler, send: Send, isFirst: boolean) => Promise<Sent>

/** How long a send may be silent before others think that it was lost: longer than a bundler's time limit. */
export const sendLeaseMs = 15_000

/** Makes it. `resendSeconds`: after how long an acknowledged operation that has not landed is sent again. */
export function operationSender({
  sql,
  metrics,
  log,
  resendSeconds,
}: {
  sql: Sql
  metrics: ChainMetrics
  log: Log
  resendSeconds: number
}): SendOperation {
  return async (bundler, send, isFirst) => {
    const { chain, hash } = send
    const sending = await bundler.send(withOwnerSignature(send.operation, send.signature), hash)
    try {
      return await record(send, sending, isFirst)
    } catch (error) {
      // The lease ends, and the next send finds out.
      log.warn({ err: error, chain, hash }, 'the outcome of a send could not be written')
      return { outcome: 'open' }
    }
  }

  async function record(send: Send, sending: Sending, isFirst: boolean): Promise<Sent> {
    const { chain, hash } = send
    switch (sending.outcome) {
      case 'accepted':
        if ((await sendsStore.accepted(sql, send, resendSeconds)) && isFirst)
          metrics.operation(chain, 'submitted')
        return { outcome: 'open' }
      case 'rejected': {
        const { reason } = sending
        log.warn({ chain, hash, reason }, 'the bundler refused an operation')
        if (await sendsStore.rejected(sql, send, reason)) {
          metrics.operation(chain, 'rejected')
          return { outcome: 'rejected', reason }
        }
        break
      }
      case 'unsent':
        log.warn({ err: sending.cause, chain, hash }, 'the bundler cannot be reached')
        if (isFirst && (await sendsStore.unsent(sql, send))) return { outcome: 'unsent' }
        break
      case 'unknown':
        log.warn({ err: sending.cause, chain, hash }, 'whether the bundler has an operation is not known')
        break
    }
    await sendsStore.unknown(sql, send)
    return { outcome: 'open' }
  }
}
