import { decodeWords, encodeGetNonce, entryPoint, type Hex } from '@symbolon/networks/evm'
import type { Sql } from '../../db/pool.ts'
import type { ChainMetrics } from '../../ports/chain-metrics.ts'
import type { EvmChain } from '../../ports/evm-chains.ts'
import { type EvmBlock, EvmRpcError } from '../../ports/evm-rpc.ts'
import type { Log } from '../../ports/log.ts'
import { findLandings, type Landing } from './landings.ts'
import { type SendOperation, sendLeaseMs } from './send-operation.ts'
import { sendsStore } from './sends.store.ts'
import { type FollowedOperation, settlementStore } from './settlement.store.ts'

/** Follows submitted operations to what the chain made of them. */
export type Settlement = {
  /**
   * Looks once what became of the operations, writes it down, and sends again what is due. Answers whether anything has
   * changed. Doing it twice, or in two processes at once, does nothing more. Rejects with `EvmRpcError`.
   */
  follow(chain: EvmChain, operations: readonly FollowedOperation[]): Promise<boolean>
}

/** Where a chain without the `finalized` tag is taken for final. */
const finalDepth = 64n
const atOnceMax = 8

/** What one look at a chain sees; blocks are asked for once. */
type View = { chain: EvmChain; head: EvmBlock; blockAt(number: bigint): Promise<EvmBlock> }

/**
 * Makes it. The truth is the EntryPoint's log at the chain's depth in a block that the chain has; bundlers are never asked.
 * Whatever a node hides or makes up, an end that turns out wrong is put right as long as the operation is followed: until
 * it is final that it landed, or that it cannot.
 */
export function settlement({
  sql,
  send,
  metrics,
  log,
}: {
  sql: Sql
  send: SendOperation
  metrics: ChainMetrics
  log: Log
}): Settlement {
  async function follow(chain: EvmChain, operations: readonly FollowedOperation[]): Promise<boolean> {
    if (operations.length === 0) return false
    const view = await look(chain)
    const moved = await movedOf(view, operations)
    const wanted = operations.filter(({ landed, id }) => landed === undefined || moved.has(id))
    const landings = await findLandings(chain.rpc, wanted, view.head, view.blockAt)
    const last = await finalBlock(view, operations)
    return inTurns(operations, async (operation) => {
      const landing = landings.get(operation.hash)
      if (operation.landed !== undefined && !moved.has(operation.id)) {
        if (last !== undefined && operation.landed.blockNumber <= last.number)
          await settlementStore.unfollow(sql, operation)
        return false
      }
      return settle(view, operation, landing, last)
    })
  }

  async function settle(
    view: View,
    operation: FollowedOperation,
    landing: Landing | undefined,
    last: EvmBlock | undefined,
  ): Promise<boolean> {
    if (landing !== undefined && depthOf(view, landing) >= BigInt(view.chain.confirmations)) {
      return told(
        view,
        landing.succeeded ? 'confirmed' : 'failed',
        await settlementStore.land(sql, operation, landing),
      )
    }
    if (operation.landed !== undefined) {
      return told(
        view,
        'reorganised',
        await settlementStore.reopen(sql, operation, operation.landed.blockHash),
      )
    }
    if (landing !== undefined) return false
    if (operation.state === 'sending' || operation.state === 'sent') return chase(view, operation)
    if (last !== undefined && last.timestamp > operation.validUntil)
      await settlementStore.unfollow(sql, operation)
    return false
  }

  /** What is to be done for an operation that has not landed anywhere. */
  async function chase(view: View, operation: FollowedOperation): Promise<boolean> {
    const { chain, head } = view
    if (head.timestamp > operation.validUntil) {
      const depth = BigInt(chain.confirmations - 1)
      if (depth > head.number) return false
      const deep = await view.blockAt(head.number - depth)
      if (deep.timestamp <= operation.validUntil) return false
      return told(view, 'expired', await settlementStore.end(sql, operation, 'expired'))
    }
    const { nonceTakenAtBlock } = operation
    if (!operation.isDue && nonceTakenAtBlock === undefined) return false
    if (await isNonceTaken(chain, operation)) {
      // Our own log would have been seen by now if it was our own operation that used it.
      if (nonceTakenAtBlock === undefined) await settlementStore.noteNonceTaken(sql, operation, head.number)
      else if (head.number >= nonceTakenAtBlock + BigInt(chain.confirmations))
        return told(view, 'replaced', await settlementStore.end(sql, operation, 'replaced'))
      return false
    }
    if (nonceTakenAtBlock !== undefined) await settlementStore.noteNonceTaken(sql, operation, undefined)
    return operation.isDue ? sendAgain(chain, operation) : false
  }

  async function sendAgain({ bundler }: EvmChain, { id }: FollowedOperation): Promise<boolean> {
    if (bundler === undefined) return false
    const claimed = await sendsStore.claim(sql, id, sendLeaseMs)
    if (claimed === undefined) return false
    const { outcome } = await send(bundler, claimed, false)
    return outcome === 'rejected'
  }

  function told({ chain }: View, outcome: string, hasChanged: boolean): boolean {
    if (hasChanged) metrics.operation(chain.chain.handle, outcome)
    return hasChanged
  }

  /** A few at a time; one that fails does not hold up the others. */
  async function inTurns(
    operations: readonly FollowedOperation[],
    work: (operation: FollowedOperation) => Promise<boolean>,
  ): Promise<boolean> {
    let hasChanged = false
    for (let i = 0; i < operations.length; i += atOnceMax) {
      const turn = operations.slice(i, i + atOnceMax).map(async (operation) => {
        try {
          if (await work(operation)) hasChanged = true
        } catch (error) {
          log.warn({ err: error, hash: operation.hash }, 'an operation could not be followed')
        }
      })
      await Promise.all(turn)
    }
    return hasChanged
  }

  return { follow }
}

async function look(chain: EvmChain): Promise<View> {
  const head = await chain.rpc.block('latest')
  const blocks = new Map<bigint, Promise<EvmBlock>>([[head.number, Promise.resolve(head)]])
  const blockAt = (number: bigint) => {
    const known = blocks.get(number) ?? chain.rpc.block(number)
    blocks.set(number, known)
    return known
  }
  return { chain, head, blockAt }
}

/** The operations that landed in a block which the chain does not have any more. A shorter chain tells nothing yet. */
async function movedOf(
  { head, blockAt }: View,
  operations: readonly FollowedOperation[],
): Promise<ReadonlySet<string>> {
  const moved = new Set<string>()
  for (const { id, landed } of operations) {
    if (landed === undefined || landed.blockNumber > head.number) continue
    if ((await blockAt(landed.blockNumber)).hash !== landed.blockHash) moved.add(id)
  }
  return moved
}

/** The newest final block, asked for only where something waits for it. */
async function finalBlock(
  { chain, head, blockAt }: View,
  operations: readonly FollowedOperation[],
): Promise<EvmBlock | undefined> {
  if (operations.every(({ state }) => state === 'sending' || state === 'sent')) return undefined
  try {
    return await chain.rpc.block('finalized')
  } catch (error) {
    if (!(error instanceof EvmRpcError) || error.code === 'transport') throw error
    return head.number > finalDepth ? blockAt(head.number - finalDepth) : undefined
  }
}

const depthOf = ({ head }: View, { blockNumber }: Landing): bigint => head.number - blockNumber + 1n

/** Whether the EntryPoint has used the operation's nonce: its key is in the upper 192 bits. */
async function isNonceTaken({ rpc }: EvmChain, { sender, nonce }: FollowedOperation): Promise<boolean> {
  const answer: Hex = await rpc.call({ to: entryPoint, data: encodeGetNonce(sender, nonce >> 64n) })
  const [next] = decodeWords(answer)
  return next !== undefined && next > nonce
}
