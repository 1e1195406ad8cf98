import { NetworkError } from '@symbolon/networks'
import {
  decodeRevert,
  decodeRevertReasonEvent,
  decodeUserOperationEvent,
  entryPoint,
  type Hex,
  postOpRevertReasonTopic,
  type UserOperationEvent,
  userOperationEventTopic,
  userOperationRevertReasonTopic,
} from '@symbolon/networks/evm'
import type { EvmBlock, EvmLog, EvmRpc } from '../../ports/evm-rpc.ts'

/** The operation to look for, as we know it. */
export type Wanted = { hash: Hex; sender: Hex; nonce: bigint; fromBlock: bigint }

/** An operation's confirmation, as the EntryPoint logged it. */
export type Confirmation = {
  blockNumber: bigint
  blockHash: Hex
  transactionHash: Hex
  succeeded: boolean
  /** The revert of an operation whose calls failed. */
  reason: string | null
  costWei: bigint
}

const hashesMax = 100
const blocksMax = 2_000n
const topics: Hex[] = [userOperationEventTopic, userOperationRevertReasonTopic, postOpRevertReasonTopic]

/**
 * Finds the confirmations of operations up to the block `head`, by their hash. Only logs of the EntryPoint count that say what we
 * know (sender, nonce) and stand in a block that the chain still has. Rejects with `EvmRpcError`.
 */
export async function findConfirmations(
  rpc: EvmRpc,
  wanted: readonly Wanted[],
  head: EvmBlock,
  blockAt: (number: bigint) => Promise<EvmBlock>,
): Promise<Map<Hex, Confirmation>> {
  const found = new Map<Hex, Confirmation>()
  for (let i = 0; i < wanted.length; i += hashesMax) {
    const some = new Map(wanted.slice(i, i + hashesMax).map((each) => [each.hash, each]))
    const logs = await logsOf(rpc, [...some.values()], head.number)
    for (const log of logs) {
      const event = readEvent(log)
      if (event === undefined) continue
      const known = some.get(event.hash)
      if (known === undefined || event.sender !== known.sender || event.nonce !== known.nonce) continue
      if ((await blockAt(log.blockNumber)).hash !== log.blockHash) continue
      found.set(event.hash, {
        blockNumber: log.blockNumber,
        blockHash: log.blockHash,
        transactionHash: log.transactionHash,
        succeeded: event.success,
        reason: event.success ? null : reasonOf(logs, log, event.hash),
        costWei: event.actualGasCost,
      })
    }
  }
  return found
}

async function logsOf(rpc: EvmRpc, wanted: readonly Wanted[], last: bigint): Promise<EvmLog[]> {
  const hashes = wanted.map(({ hash }) => hash)
  let first = last
  for (const { fromBlock } of wanted) if (fromBlock < first) first = fromBlock
  const logs: EvmLog[] = []
  for (let fromBlock = first; fromBlock <= last; fromBlock += blocksMax) {
    const end = fromBlock + blocksMax - 1n
    const toBlock = end < last ? end : last
    logs.push(...(await rpc.logs({ address: entryPoint, topics: [topics, hashes], fromBlock, toBlock })))
  }
  return logs.filter(({ address, removed }) => address === entryPoint && !removed)
}

function readEvent(log: EvmLog): UserOperationEvent | undefined {
  if (log.topics[0] !== userOperationEventTopic) return undefined
  return readable(() => decodeUserOperationEvent(log))
}

/** The EntryPoint logs no reason for a revert without data: that is the empty `0x`. */
function reasonOf(logs: readonly EvmLog[], confirmation: EvmLog, hash: Hex): string {
  for (const log of logs) {
    if (log.transactionHash !== confirmation.transactionHash || log.blockHash !== confirmation.blockHash)
      continue
    if (log.topics[0] === userOperationEventTopic || log.topics[1] !== hash) continue
    const event = readable(() => decodeRevertReasonEvent(log))
    if (event !== undefined) return decodeRevert(event.reason)
  }
  return '0x'
}

/** The event of a log, or undefined for a malformed one: a node can lie. */
function readable<event>(read: () => event): event | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof NetworkError) return undefined
    throw error
  }
}
