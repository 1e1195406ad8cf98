import { setTimeout as sleep } from 'node:timers/promises'
import { type Hex, numberToHex } from 'viem'
import { fund } from '../chain/fund.ts'
import { type JsonRpc, JsonRpcError, jsonRpc } from '../chain/json-rpc.ts'

/** A running local chain as the development routes use it. */
export type DevChainAccess = {
  handle: string
  /** Sends native coins from nowhere; answers the transaction's hash. Waits up to 10 s for a chain that starts. */
  fund(address: Hex, wei: bigint): Promise<Hex>
  /** Moves its clock on, at least to a time (unix seconds); answers whether the chain could be reached. */
  moveTime(move: { advanceS: number; toS: number }): Promise<boolean>
  /** Whether node, bundler and paymaster answer. */
  isUp(): Promise<boolean>
  close(): void
}

const startsWithinMs = 10_000

/** Reaches a local chain by its URLs. */
export function devChainAccess(chain: {
  handle: string
  rpcUrl: string
  bundlerUrl: string
  paymasterUrl: string
}): DevChainAccess {
  const node = jsonRpc(chain.rpcUrl)
  const bundler = jsonRpc(chain.bundlerUrl)
  const paymaster = jsonRpc(chain.paymasterUrl)
  return {
    handle: chain.handle,
    fund: (address, wei) => onceStarted(() => fund(node, address, wei)),
    moveTime: (move) =>
      moveTime(node, move).then(
        () => true,
        () => false,
      ),
    isUp: () =>
      Promise.all([
        node.call('eth_chainId'),
        bundler.call('eth_supportedEntryPoints'),
        paymaster.call('pm_supportedEntryPoints'),
      ]).then(
        () => true,
        () => false,
      ),
    close() {
      for (const client of [node, bundler, paymaster]) client.close()
    },
  }
}

async function moveTime(node: JsonRpc, { advanceS, toS }: { advanceS: number; toS: number }): Promise<void> {
  const { timestamp } = await node.call<{ timestamp: Hex }>('eth_getBlockByNumber', ['pending', false])
  const byS = Math.ceil(Math.max(advanceS, toS - Number(timestamp)))
  // A chain's time never goes back.
  if (byS <= 0) return
  await node.call('evm_increaseTime', [numberToHex(byS)])
  // Without automine somebody holds blocks back on purpose.
  if (await node.call<boolean>('anvil_getAutomine')) await node.call('evm_mine')
}

async function onceStarted<result>(work: () => Promise<result>): Promise<result> {
  const deadline = performance.now() + startsWithinMs
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (error instanceof JsonRpcError || performance.now() > deadline) throw error
      await sleep(50)
    }
  }
}
