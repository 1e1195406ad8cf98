import { decodeSignedTransaction, type Hex } from '@symbolon/networks/evm'
import * as z from 'zod'
import { type EvmLog, type EvmRpc, EvmRpcError } from '../../ports/evm-rpc.ts'
import type { Log } from '../../ports/log.ts'
import { Block, FeeHistory, Logs, Receipt, readResult } from './evm-rpc-answers.ts'
import { failureReason, type JsonRpc, type JsonRpcAnswer, JsonRpcFailure, refusalText } from './json-rpc.ts'
import { type Attempt, isPassing, jsonRpcFailover } from './json-rpc-failover.ts'
import { matchesFilter } from './matches-filter.ts'
import type { MeasureCall } from './measure-call.ts'
import { revertOf } from './revert-of.ts'
import { Data, Hash, Quantity, quantityHex } from './rpc-values.ts'

const timeoutDefaultMs = 3_500
const feeBlocks = 10n
const tipPercentile = 50
// The rest of a send's time is for asking whether it arrived.
const sendShare = 0.65
const internalError = -32603
// Geth, Erigon and Reth; Nethermind; Parity and its heirs; anvil.
const alreadyKnown = /already[\s_]?(?:known|imported|exists)|known transaction/i

type Nodes = {
  all: readonly JsonRpc[]
  failover: ReturnType<typeof jsonRpcFailover>
  timeoutMs: number
}

/**
 * An EVM chain behind one or more nodes, in order of preference. When a node gives no proper answer, the call moves on to the next one;
 * a node's refusal is final. The chain of `nodes` has been checked.
 */
export function evmRpcHttp(options: {
  nodes: readonly JsonRpc[]
  measure: MeasureCall
  log: Log
  timeoutMs?: number
}): EvmRpc {
  const { measure, timeoutMs = timeoutDefaultMs } = options
  const failover = jsonRpcFailover(options.nodes, options.log)
  const nodes = { all: options.nodes, failover, timeoutMs }

  const ask = <value>(method: string, attempt: Attempt<value>): Promise<value> =>
    measure(method, async () => {
      try {
        return await failover(method, timeoutMs, attempt)
      } catch (error) {
        throw portError(error)
      }
    })

  /** One call to one node; rejects with `EvmRpcError`. */
  const read = <schema extends z.ZodType>(method: string, params: readonly unknown[], schema: schema) =>
    ask(method, (node, endsAt) => readFrom(node, method, params, schema, endsAt))

  return {
    block: (tag) =>
      ask('eth_getBlockByNumber', async (node, endsAt) => {
        const params = [typeof tag === 'bigint' ? quantityHex(tag) : tag, false]
        const block = await readFrom(node, 'eth_getBlockByNumber', params, Block.nullable(), endsAt)
        if (block === null) throw new JsonRpcFailure('behind', true)
        if (typeof tag === 'bigint' && block.number !== tag) throw new JsonRpcFailure('malformed', true)
        return block
      }),
    call: (call) => read('eth_call', [call, 'latest'], Data),
    estimateGas: ({ value, ...call }) =>
      read('eth_estimateGas', [{ ...call, value: quantityHex(value) }], Quantity),
    pendingNonce: (address) => read('eth_getTransactionCount', [address, 'pending'], Quantity),
    minedNonce: (address) => read('eth_getTransactionCount', [address, 'latest'], Quantity),
    code: (address) => read('eth_getCode', [address, 'latest'], Data),
    balance: (address) => read('eth_getBalance', [address, 'latest'], Quantity),
    pendingBalance: (address) => read('eth_getBalance', [address, 'pending'], Quantity),
    receipt: async (hash) =>
      (await read('eth_getTransactionReceipt', [hash], Receipt.nullable())) ?? undefined,
    isKnown: async (hash) => (await read('eth_getTransactionByHash', [hash], Found))?.hash === hash,
    fees: () => read('eth_feeHistory', [quantityHex(feeBlocks), 'latest', [tipPercentile]], FeeHistory),
    logs: ({ fromBlock, toBlock, ...filter }) =>
      ask('eth_getLogs', async (node, endsAt) => {
        // Asked first: a node that has not reached the range answers as if it were empty.
        const head = await readFrom(node, 'eth_blockNumber', [], Quantity, endsAt)
        if (head < toBlock) throw new JsonRpcFailure('behind', true)
        const range = { fromBlock: quantityHex(fromBlock), toBlock: quantityHex(toBlock) }
        const logs = await readFrom(node, 'eth_getLogs', [{ ...filter, ...range }], Logs, endsAt)
        const isAsked = (log: EvmLog) =>
          log.blockNumber >= fromBlock && log.blockNumber <= toBlock && matchesFilter(log, filter)
        if (!logs.every(isAsked)) throw new JsonRpcFailure('malformed', true)
        return logs
      }),
    send: (raw) => measure('eth_sendRawTransaction', () => send(nodes, raw)),
  }
}

/** Broadcasts a signed transaction; resolves when a node has it or the chain has mined it. */
async function send(nodes: Nodes, raw: Hex): Promise<Hex> {
  const { failover, timeoutMs } = nodes
  const hash = hashOf(raw)
  const endsAt = performance.now() + timeoutMs
  try {
    return await failover('eth_sendRawTransaction', timeoutMs * sendShare, async (node, attemptEndsAt) => {
      const limits = { timeoutMs: attemptEndsAt - performance.now(), isFresh: true }
      const answer = await node.call('eth_sendRawTransaction', [raw], limits)
      if ('error' in answer && alreadyKnown.test(answer.error.message)) return hash
      if (readResult(Hash, resultOf(answer)) !== hash) throw new JsonRpcFailure('malformed', true)
      return hash
    })
  } catch (error) {
    // A transaction that was mined meanwhile is refused for its nonce, and a lost answer says nothing: ask the nodes.
    const wasSent = !(error instanceof JsonRpcFailure) || error.wasSent
    const isThere = wasSent ? await isWithNodes(nodes, hash, endsAt - performance.now()) : false
    if (isThere) return hash
    // A node that cannot be asked may have it: the refusal must not be final, or the payment would be made again.
    if (isThere === undefined && error instanceof EvmRpcError)
      throw new EvmRpcError('transport', error.reason, { cause: error })
    throw portError(error)
  }
}

/** Whether one of the nodes has the transaction; undefined when none of those that answer has it, and not all of them answer. */
async function isWithNodes(
  { all, failover }: Nodes,
  hash: Hex,
  leftMs: number,
): Promise<boolean | undefined> {
  const without = new Set<JsonRpc>()
  try {
    return await failover('eth_getTransactionByHash', leftMs, async (node, endsAt) => {
      const found = await readFrom(node, 'eth_getTransactionByHash', [hash], Found, endsAt)
      if (found?.hash === hash) return true
      if (found === null) without.add(node)
      // Another node may have it.
      throw new JsonRpcFailure('behind', true)
    })
  } catch {
    return without.size === all.length ? false : undefined
  }
}

const Found = z.object({ hash: Hash }).nullable()

function hashOf(raw: Hex): Hex {
  try {
    return decodeSignedTransaction(Buffer.from(raw.slice(2), 'hex')).hash
  } catch (cause) {
    throw new EvmRpcError('rejected', 'not a signed transaction of type 0x02', { cause })
  }
}

async function readFrom<schema extends z.ZodType>(
  node: JsonRpc,
  method: string,
  params: readonly unknown[],
  schema: schema,
  endsAt: number,
): Promise<z.output<schema>> {
  const answer = await node.call(method, params, { timeoutMs: endsAt - performance.now() })
  return readResult(schema, resultOf(answer))
}

/** The result of an answer, or the refusal as an error: of the contract, of the node, or of a node that broke. */
function resultOf(answer: JsonRpcAnswer): unknown {
  if ('result' in answer) return answer.result
  const { error } = answer
  const revert = revertOf(error)
  if (revert !== undefined) throw new EvmRpcError('reverted', revert.reason, revert)
  if (error.code === internalError || isPassing(error))
    throw new JsonRpcFailure('refused_status', true, refusalText(error))
  throw new EvmRpcError('rejected', refusalText(error))
}

function portError(error: unknown): unknown {
  if (!(error instanceof JsonRpcFailure)) return error
  return new EvmRpcError('transport', failureReason(error), { cause: error })
}
