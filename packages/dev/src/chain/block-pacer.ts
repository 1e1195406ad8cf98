import { type Hex, numberToHex } from 'viem'
import { type FeeBlock, nextBaseFee } from './base-fee.ts'
import type { JsonRpc } from './json-rpc.ts'

/** keccak256 of the RLP of nothing: the transactions root of an empty block. */
const emptyRoot = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'
const confirmMs = 150
const busyForMs = 20 * 60_000
/** Time has to pass on the chain too: operations expire by its latest block. Slower where nothing has happened for long. */
const beatMs = { busy: 10_000, idle: 60_000 }
const reconnectMs = 50

/** What sets the rhythm of a chain. */
export type BlockPacer = {
  /** Runs something that no block of the pacer's may fall into. */
  apart<result>(work: () => Promise<result>): Promise<result>
  /** The base fee that blocks are meant to have, in wei. */
  baseFee(): bigint
  /** Mines a block with that base fee, which all further ones keep. */
  setBaseFee(wei: bigint): Promise<void>
  stop(): Promise<void>
}

/** The node, which may go away and come back; the base fee to begin with; whom to tell of every block. */
export type BlockPacerOptions = { rpcUrl: string; rpc: JsonRpc; baseFee: bigint; onBlock: () => void }

type Head = { transactionsRoot: Hex; baseFeePerGas: Hex; gasUsed: Hex; gasLimit: Hex }

/**
 * Follows a block with transactions by an empty one, so that it gets confirmed, and mines one from time to time when
 * nothing happens; never while automine is off, which somebody did on purpose. The base fee stays where it was put (also
 * by `anvil_setNextBlockBaseFeePerGas`), instead of sinking with every empty block.
 */
export function blockPacer({ rpcUrl, rpc, baseFee, onBlock }: BlockPacerOptions): BlockPacer {
  let isStopped = false
  let socket: WebSocket | undefined
  let confirmation: NodeJS.Timeout | undefined
  let reconnection: NodeJS.Timeout | undefined
  let beat: NodeJS.Timeout | undefined
  let busyUntil = performance.now() + busyForMs
  let last: FeeBlock | undefined
  let queue: Promise<unknown> = Promise.resolve()
  connect()

  return {
    apart,
    baseFee: () => baseFee,
    setBaseFee: (wei) =>
      apart(async () => {
        baseFee = wei
        await keepBaseFee()
        await rpc.call('evm_mine')
        // Whoever asks for a price right after this gets the one of the blocks to come.
        await keepBaseFee()
      }),
    async stop() {
      isStopped = true
      for (const timer of [confirmation, reconnection, beat]) clearTimeout(timer)
      socket?.close()
      await queue
    },
  }

  function apart<result>(work: () => Promise<result>): Promise<result> {
    const done = queue.then(work)
    queue = done.catch(() => {})
    return done
  }

  function connect(): void {
    const opened = new WebSocket(rpcUrl.replace('http', 'ws'))
    socket = opened
    opened.onopen = () => {
      opened.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] }))
      last = undefined
      void keepBaseFee().catch(() => {})
      // Whatever came before the subscription.
      scheduleConfirmation()
      scheduleBeat()
      onBlock()
    }
    opened.onmessage = ({ data }) => {
      const { params } = JSON.parse(String(data)) as { params?: { result: Head } }
      if (params !== undefined && !isStopped) follow(params.result)
    }
    opened.onclose = () => {
      if (isStopped || socket !== opened) return
      reconnection = setTimeout(connect, reconnectMs)
    }
  }

  function follow(head: Head): void {
    onBlock()
    const block = {
      baseFeePerGas: BigInt(head.baseFeePerGas),
      gasUsed: BigInt(head.gasUsed),
      gasLimit: BigInt(head.gasLimit),
    }
    // Neither kept nor the rule's: somebody set it. News of a block before a change must not take the change back.
    const { baseFeePerGas: fee } = block
    if (last !== undefined && fee !== last.baseFeePerGas && fee !== nextBaseFee(last)) baseFee = fee
    last = block
    void keepBaseFee().catch(() => {})
    scheduleBeat()
    if (head.transactionsRoot === emptyRoot) return
    busyUntil = performance.now() + busyForMs
    scheduleConfirmation()
  }

  async function keepBaseFee(): Promise<void> {
    await rpc.call('anvil_setNextBlockBaseFeePerGas', [numberToHex(baseFee)])
  }

  function scheduleConfirmation(): void {
    clearTimeout(confirmation)
    confirmation = setTimeout(mine, confirmMs)
  }

  function scheduleBeat(): void {
    clearTimeout(beat)
    const waitMs = performance.now() < busyUntil ? beatMs.busy : beatMs.idle
    beat = setTimeout(() => {
      mine()
      scheduleBeat()
    }, waitMs)
  }

  function mine(): void {
    void apart(async () => {
      if (isStopped || !(await rpc.call<boolean>('anvil_getAutomine'))) return
      await rpc.call('evm_mine')
    }).catch(() => {})
  }
}
