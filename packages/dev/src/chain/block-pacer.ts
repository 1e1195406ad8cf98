import { type Hex, numberToHex } from 'viem'
import { keptBaseFee } from './base-fee.ts'
import type { JsonRpc } from './json-rpc.ts'

/** keccak256 of the RLP of nothing: the transactions root of an empty block. */
const emptyRoot = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'
const confirmMs = 150
const busyForMs = 20 * 60_000
/** Time must pass on the chain too: operations expire by its latest block. Slower on an idle chain. */
const beatMs = { busy: 10_000, idle: 60_000 }
const reconnectMs = 50

/** The source of a chain's rhythm. */
export type BlockPacer = {
  /** Runs something that no block of the pacer's may fall into. */
  apart<result>(work: () => Promise<result>): Promise<result>
  /** The base fee that blocks are meant to have, in wei. */
  baseFee(): bigint
  /** Mines a block with that base fee, which all further ones keep. */
  setBaseFee(wei: bigint): Promise<void>
  stop(): Promise<void>
}

/** The node, which may go away and come back; the base fee to begin with; the listener for every block. */
export type BlockPacerOptions = { rpcUrl: string; rpc: JsonRpc; baseFee: bigint; onBlock: () => void }

type Head = { number: Hex; transactionsRoot: Hex; baseFeePerGas: Hex; gasUsed: Hex; gasLimit: Hex }

/**
 * Follows a block with transactions by an empty one, so that it gets confirmed, and mines one from time to time when
 * nothing happens; never while automine is off, which somebody did on purpose. The base fee stays where it was put (also
 * by `anvil_setNextBlockBaseFeePerGas`), instead of sinking with every empty block.
 */
export function blockPacer({ rpcUrl, rpc, baseFee, onBlock }: BlockPacerOptions): BlockPacer {
  let isStopped = false
  const kept = keptBaseFee(baseFee)
  const { apart, idle } = newTurns()
  const rhythm = newRhythm(mine)
  const keepBaseFee = () => rpc.call('anvil_setNextBlockBaseFeePerGas', [numberToHex(kept.fee())])
  const heads = newHeads(rpcUrl, {
    onOpen() {
      kept.forget()
      void keepBaseFee().catch(() => {})
      // Blocks from before the subscription.
      rhythm.confirm()
      rhythm.beat()
      onBlock()
    },
    onHead: follow,
  })

  return {
    apart,
    baseFee: kept.fee,
    setBaseFee: (wei) =>
      apart(async () => {
        kept.put(wei)
        await keepBaseFee()
        await rpc.call('evm_mine')
        // News that came meanwhile may have taken it back.
        kept.put(wei, BigInt(await rpc.call<Hex>('eth_blockNumber')))
        // A price request right after this gets the price of the next blocks.
        await keepBaseFee()
      }),
    async stop() {
      isStopped = true
      rhythm.stop()
      heads.stop()
      await idle()
    },
  }

  function follow(head: Head): void {
    onBlock()
    kept.follow(feeBlock(head))
    void keepBaseFee().catch(() => {})
    rhythm.beat()
    if (head.transactionsRoot !== emptyRoot) rhythm.confirm()
  }

  function mine(): void {
    void apart(async () => {
      if (isStopped || !(await rpc.call<boolean>('anvil_getAutomine'))) return
      await rpc.call('evm_mine')
    }).catch(() => {})
  }
}

/** Runs one piece of work after the other, even when one fails; `idle` resolves when the last one is over. */
function newTurns(): { apart: BlockPacer['apart']; idle(): Promise<unknown> } {
  let queue: Promise<unknown> = Promise.resolve()
  return {
    apart(work) {
      const done = queue.then(work)
      queue = done.catch(() => {})
      return done
    },
    idle: () => queue,
  }
}

function feeBlock({ number, baseFeePerGas, gasUsed, gasLimit }: Head) {
  return {
    number: BigInt(number),
    baseFeePerGas: BigInt(baseFeePerGas),
    gasUsed: BigInt(gasUsed),
    gasLimit: BigInt(gasLimit),
  }
}

/** When to mine: soon after a block that wants confirming, and from time to time, less often when nothing has happened for long. */
function newRhythm(mine: () => void): { confirm(): void; beat(): void; stop(): void } {
  let confirmation: NodeJS.Timeout | undefined
  let next: NodeJS.Timeout | undefined
  let busyUntil = performance.now() + busyForMs
  return {
    confirm() {
      busyUntil = performance.now() + busyForMs
      clearTimeout(confirmation)
      confirmation = setTimeout(mine, confirmMs)
    },
    beat,
    stop() {
      for (const timer of [confirmation, next]) clearTimeout(timer)
    },
  }

  function beat(): void {
    clearTimeout(next)
    const waitMs = performance.now() < busyUntil ? beatMs.busy : beatMs.idle
    next = setTimeout(() => {
      mine()
      beat()
    }, waitMs)
  }
}

/** Subscribes to the node's blocks, again whenever the connection ends. */
function newHeads(
  rpcUrl: string,
  { onOpen, onHead }: { onOpen(): void; onHead(head: Head): void },
): { stop(): void } {
  let isStopped = false
  let socket: WebSocket
  let reconnection: NodeJS.Timeout | undefined
  connect()
  return {
    stop() {
      isStopped = true
      clearTimeout(reconnection)
      socket.close()
    },
  }

  function connect(): void {
    const opened = new WebSocket(rpcUrl.replace('http', 'ws'))
    socket = opened
    opened.onopen = () => {
      opened.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] }))
      onOpen()
    }
    opened.onmessage = ({ data }) => {
      const { params } = JSON.parse(String(data)) as { params?: { result: Head } }
      if (params !== undefined && !isStopped) onHead(params.result)
    }
    opened.onclose = () => {
      if (!isStopped) reconnection = setTimeout(connect, reconnectMs)
    }
  }
}
