import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Hex, numberToHex, parseEther } from 'viem'
import type { JsonRpc } from './json-rpc.ts'

const minedWithinMs = 2_000
const feesWei = parseEther('100')

/**
 * Sends native coins from nowhere to an address; answers the transaction hash, mined unless the chain is stalled. Every
 * grant has a sender of its own: processes share neither a nonce nor a purse that could run dry. Any 0x address, wei.
 */
export async function fund(rpc: JsonRpc, to: Hex, wei: bigint): Promise<Hex> {
  const from: Hex = `0x${randomBytes(20).toString('hex')}`
  await rpc.call('anvil_setBalance', [from, numberToHex(wei + feesWei)])
  await rpc.call('anvil_impersonateAccount', [from])
  try {
    const hash = await rpc.call<Hex>('eth_sendTransaction', [{ from, to, value: numberToHex(wei) }])
    const deadline = performance.now() + minedWithinMs
    while (performance.now() < deadline) {
      if ((await rpc.call('eth_getTransactionReceipt', [hash])) !== null) break
      if (await isStalled(rpc)) break
      await sleep(3)
    }
    return hash
  } finally {
    await rpc.call('anvil_stopImpersonatingAccount', [from])
    // The rest of its purse stays: the node may not have mined the transaction yet.
  }
}

/** Whether nobody mines: a transaction waits until somebody does it by hand. */
async function isStalled(rpc: JsonRpc): Promise<boolean> {
  return (
    !(await rpc.call<boolean>('anvil_getAutomine')) &&
    !(await rpc.call<number | null>('anvil_getIntervalMining'))
  )
}
