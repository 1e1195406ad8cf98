import { decodeWords, encodeGetNonce, entryPoint, type Hex } from '@symbolon/networks/evm'
import type { EvmChain } from '../../ports/evm-chains.ts'
import { type EvmBlock, EvmRpcError } from '../../ports/evm-rpc.ts'
import { type Confirmation, findConfirmations } from './confirmations.ts'
import { type FollowedOperation, settlementStore } from './settlement.store.ts'
import { submissionsStore } from './submissions.store.ts'
import { type SettlementCtx, submissionLeaseMs, submitToBundler } from './submit-to-bundler.ts'

/** The depth at which a chain without the `finalized` tag counts as final. */
const finalDepth = 64n
const atOnceMax = 8

/** One look at a chain; blocks are asked for once. */
type View = { chain: EvmChain; head: EvmBlock; blockAt(number: bigint): Promise<EvmBlock> }

/**
 * Looks once what became of the operations, records it, and submits again what is due. Returns whether anything has changed. Doing it
 * twice, or in two processes at once, does nothing more. Rejects with `EvmRpcError`.
 *
 * The truth is the EntryPoint's log at the chain's depth in a block that the chain has; bundlers are never asked. Whatever a node
 * hides or makes up, an end that turns out wrong is corrected as long as the operation is followed: until it is final that it
 * was confirmed, or that it cannot be.
 */
export async function followOperations(
  ctx: SettlementCtx,
  chain: EvmChain,
  operations: readonly FollowedOperation[],
): Promise<boolean> {
  if (operations.length === 0) return false
  const view = await look(chain)
  const moved = await movedOf(view, operations)
  const wanted = operations.filter(({ confirmed, id }) => confirmed === undefined || moved.has(id))
  const confirmations = await findConfirmations(chain.rpc, wanted, view.head, view.blockAt)
  const last = await finalBlock(view, operations)
  return inTurns(ctx, operations, async (operation) => {
    if (operation.confirmed !== undefined && !moved.has(operation.id)) {
      if (last !== undefined && operation.confirmed.blockNumber <= last.number)
        await settlementStore.unfollow(ctx.sql, operation)
      return false
    }
    return settle(ctx, view, operation, confirmations.get(operation.hash), last)
  })
}

async function settle(
  ctx: SettlementCtx,
  view: View,
  operation: FollowedOperation,
  confirmation: Confirmation | undefined,
  last: EvmBlock | undefined,
): Promise<boolean> {
  const { sql } = ctx
  if (confirmation !== undefined && depthOf(view, confirmation) >= BigInt(view.chain.confirmations)) {
    const hasChanged = await settlementStore.confirm(sql, operation, confirmation)
    return counted(ctx, view, confirmation.succeeded ? 'confirmed' : 'failed', hasChanged)
  }
  if (operation.confirmed !== undefined) {
    const hasChanged = await settlementStore.reopen(sql, operation, operation.confirmed.blockHash)
    return counted(ctx, view, 'reorganised', hasChanged)
  }
  if (confirmation !== undefined) return false
  if (operation.state === 'sending' || operation.state === 'sent') return chase(ctx, view, operation)
  if (last !== undefined && last.timestamp > operation.validUntil)
    await settlementStore.unfollow(sql, operation)
  return false
}

/** Decides what to do for an operation that no block has: end it, submit it again, or wait. */
async function chase(ctx: SettlementCtx, view: View, operation: FollowedOperation): Promise<boolean> {
  const { sql } = ctx
  const { chain, head } = view
  if (head.timestamp > operation.validUntil) {
    const depth = BigInt(chain.confirmations - 1)
    if (depth > head.number) return false
    const deep = await view.blockAt(head.number - depth)
    if (deep.timestamp <= operation.validUntil) return false
    return counted(ctx, view, 'expired', await settlementStore.end(sql, operation, 'expired'))
  }
  const { nonceTakenAtBlock } = operation
  if (!operation.isDue && nonceTakenAtBlock === undefined) return false
  if (await isNonceTaken(chain, operation)) {
    // If our own operation had used it, its log would have been seen by now.
    if (nonceTakenAtBlock === undefined) await settlementStore.noteNonceTaken(sql, operation, head.number)
    else if (head.number >= nonceTakenAtBlock + BigInt(chain.confirmations))
      return counted(ctx, view, 'replaced', await settlementStore.end(sql, operation, 'replaced'))
    return false
  }
  if (nonceTakenAtBlock !== undefined) await settlementStore.noteNonceTaken(sql, operation, undefined)
  return operation.isDue ? submitAgain(ctx, chain, operation) : false
}

async function submitAgain(
  ctx: SettlementCtx,
  { bundler }: EvmChain,
  { id }: FollowedOperation,
): Promise<boolean> {
  if (bundler === undefined) return false
  const claimed = await submissionsStore.claim(ctx.sql, id, {
    leaseMs: submissionLeaseMs,
    holder: ctx.holder,
  })
  if (claimed === undefined) return false
  const { outcome } = await submitToBundler(ctx, bundler, claimed, false)
  return outcome === 'rejected'
}

function counted({ metrics }: SettlementCtx, { chain }: View, outcome: string, hasChanged: boolean): boolean {
  if (hasChanged) metrics.operation(chain.chain.handle, outcome)
  return hasChanged
}

/** A few at a time; one that fails does not hold up the others. */
async function inTurns(
  { log }: SettlementCtx,
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

/** The operations whose block the chain has dropped. A shorter chain proves nothing yet. */
async function movedOf(
  { head, blockAt }: View,
  operations: readonly FollowedOperation[],
): Promise<ReadonlySet<string>> {
  const moved = new Set<string>()
  for (const { id, confirmed } of operations) {
    if (confirmed === undefined || confirmed.blockNumber > head.number) continue
    if ((await blockAt(confirmed.blockNumber)).hash !== confirmed.blockHash) moved.add(id)
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

const depthOf = ({ head }: View, { blockNumber }: Confirmation): bigint => head.number - blockNumber + 1n

/** Whether the EntryPoint has used the operation's nonce: its key is in the upper 192 bits. */
async function isNonceTaken({ rpc }: EvmChain, { sender, nonce }: FollowedOperation): Promise<boolean> {
  const answer: Hex = await rpc.call({ to: entryPoint, data: encodeGetNonce(sender, nonce >> 64n) })
  const [next] = decodeWords(answer)
  return next !== undefined && next > nonce
}
