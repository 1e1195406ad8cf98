import type { Log } from '../../ports/log.ts'
import { type JsonRpc, JsonRpcFailure, type JsonRpcRefusal } from './json-rpc.ts'

const restMs = 15_000
const probeTimeoutMs = 2_000
// Rate limits, a node that is not ready or that broke: another node may answer (EIP-1474, and providers' own).
const passingCodes: readonly number[] = [-32005, -32002, -32016, 429]

/** Is it the node that failed, not the request? */
export const isPassing = ({ code }: JsonRpcRefusal): boolean => passingCodes.includes(code)

/** Asks one server, until `endsAt` (performance.now()); throws `JsonRpcFailure` when another one should be asked. */
export type Attempt<value> = (server: JsonRpc, endsAt: number) => Promise<value>

/**
 * Asks the first of several servers that gives a usable answer, within one time limit of which a hanging one takes only its
 * share. A server that failed rests and is left out while others work; then it is asked beside, and serves again once it
 * answered. What an attempt throws beyond `JsonRpcFailure` is final. `method` is for the log.
 */
export function jsonRpcFailover(servers: readonly JsonRpc[], log: Log) {
  const resting = new Map<JsonRpc, number>()

  function rest(server: JsonRpc, method: string, failure: JsonRpcFailure): void {
    if (!resting.has(server)) {
      log.warn({ node: server.name, method, failure: failure.message }, 'A node failed.')
    }
    resting.set(server, performance.now() + restMs)
  }

  function wake(server: JsonRpc): void {
    if (resting.delete(server)) log.info({ node: server.name }, 'A node recovered.')
  }

  function probe(server: JsonRpc): void {
    resting.set(server, performance.now() + restMs)
    server.call('eth_blockNumber', [], { timeoutMs: probeTimeoutMs }).then(
      (answer) => {
        if ('result' in answer) wake(server)
      },
      () => {},
    )
  }

  return async function ask<value>(
    method: string,
    timeoutMs: number,
    attempt: Attempt<value>,
  ): Promise<value> {
    const endsAt = performance.now() + timeoutMs
    const awake = servers.filter((server) => !resting.has(server))
    if (awake.length > 0) {
      for (const [server, until] of resting) if (until <= performance.now()) probe(server)
    }
    const order = [...awake, ...servers.filter((server) => resting.has(server))]
    let wasSent = false
    let last = new JsonRpcFailure('timed_out', false)
    for (const [i, server] of order.entries()) {
      const now = performance.now()
      if (now >= endsAt) break
      try {
        const value = await attempt(server, now + (endsAt - now) / (order.length - i))
        wake(server)
        return value
      } catch (failure) {
        if (!(failure instanceof JsonRpcFailure)) throw failure
        if (failure.code !== 'behind') rest(server, method, failure)
        wasSent ||= failure.wasSent
        last = failure
      }
    }
    throw new JsonRpcFailure(last.code, wasSent, last.detail)
  }
}
