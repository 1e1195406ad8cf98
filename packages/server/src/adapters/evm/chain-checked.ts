import type { Log } from '../../ports/log.ts'
import { type JsonRpc, JsonRpcFailure } from './json-rpc.ts'
import { Quantity } from './rpc-values.ts'

/**
 * The same server, used only while it is on the given chain: asked for its chain before the first call and before the first
 * one after a failure, behind which another machine may answer. A wrong chain is logged and is a failure that sent nothing.
 */
export function chainChecked(rpc: JsonRpc, { chainId, log }: { chainId: number; log: Log }): JsonRpc {
  let isChecked = false

  async function check(endsAt: number): Promise<void> {
    const answer = await rpc.call('eth_chainId', [], { timeoutMs: endsAt - performance.now() })
    const id = 'result' in answer ? Quantity.safeParse(answer.result).data : undefined
    if (id !== BigInt(chainId)) {
      log.error({ node: rpc.name, expected: chainId, got: id?.toString() }, 'A node is on the wrong chain.')
      throw new JsonRpcFailure('wrong_chain', false)
    }
    isChecked = true
  }

  return {
    name: rpc.name,
    async call(method, params, { timeoutMs, ...options }) {
      const endsAt = performance.now() + timeoutMs
      if (!isChecked) {
        await check(endsAt).catch((failure: JsonRpcFailure) => {
          throw new JsonRpcFailure(failure.code, false, `chain id, ${failure.message}`)
        })
      }
      try {
        return await rpc.call(method, params, { ...options, timeoutMs: endsAt - performance.now() })
      } catch (failure) {
        isChecked = false
        throw failure
      }
    },
  }
}
