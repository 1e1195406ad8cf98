import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { numberToHex } from 'viem'
import { type GuardedProcess, guardedProcess } from '../postgres/guarded-process.ts'
import { anvilBinary } from './anvil-binary.ts'
import type { ChainState } from './chain-state.ts'
import type { JsonRpc } from './json-rpc.ts'

const bootMs = 15_000
const pauseMs = { first: 20, last: 2_000 }

/** A running node that is started again, from its last saved state, whenever it dies. */
export type EvmNode = {
  /** Ends it for good, gently. */
  stop(): Promise<void>
}

/**
 * The program. The node puts past states and other files into `cacheFolder`, which is emptied at every start;
 * `onUp` is called after every restart, `isStalled` says whether blocks are held back on purpose.
 */
export type EvmNodeOptions = {
  chainId: number
  port: number
  rpc: JsonRpc
  state: ChainState
  cacheFolder: string
  log: (line: string) => void
  isStalled: () => boolean
  onUp: () => void
}

/**
 * Starts anvil (hardfork prague) on the loopback interface with the saved state, its clock where it was: no block is
 * mined before, so chain time never goes back. Rejects when it does not come up; an unreadable state is put aside.
 */
export async function startEvmNode(options: EvmNodeOptions): Promise<EvmNode> {
  const { state, log, onUp } = options
  let isStopping = false
  let running = await boot(options).catch((error: unknown) => {
    if (!(error instanceof UnreadableState)) throw error
    log(
      `the saved chain could not be loaded (${error.message}): starting a new one; the old one is ${state.setAside()}`,
    )
    return boot(options)
  })
  const supervision = supervise()
  return {
    async stop() {
      isStopping = true
      running.process.stdin?.destroy()
      await supervision
    },
  }

  async function supervise(): Promise<void> {
    let waitMs = pauseMs.first
    for (;;) {
      const ending = await running.ended
      if (isStopping) return
      log(`anvil stopped (${ending}), restarting it`)
      running.process.stdin?.destroy()
      for (;;) {
        await sleep(waitMs)
        if (isStopping) return
        try {
          running = await boot(options)
          break
        } catch (error) {
          waitMs = Math.min(waitMs * 2, pauseMs.last)
          log(error instanceof Error ? error.message : String(error))
        }
      }
      waitMs = pauseMs.first
      if (isStopping) running.process.stdin?.destroy()
      else onUp()
    }
  }
}

type Running = { process: GuardedProcess; ended: Promise<string> }

/** The state file is there and the node does not take it. */
class UnreadableState extends Error {}

async function boot(options: EvmNodeOptions): Promise<Running> {
  const { chainId, port, state, cacheFolder } = options
  rmSync(cacheFolder, { recursive: true, force: true })
  const saved = await state.unpack().catch((error: Error) => {
    throw new UnreadableState(error.message)
  })
  const child = guardedProcess(
    [
      anvilBinary(),
      ...['--host', '127.0.0.1', '--port', String(port), '--chain-id', String(chainId)],
      // Blocks begin once the clock is right.
      ...['--hardfork', 'prague', '--no-mining', '--silent'],
      // Otherwise every block leaves a file of a quarter of a megabyte, for good.
      ...['--cache-path', cacheFolder, '--max-persisted-states', '128'],
      ...(saved === undefined ? [] : ['--load-state', saved.file]),
    ],
    { env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin', HOME: cacheFolder } },
  )
  let lastWords = ''
  let end: string | undefined
  const ended = new Promise<string>((resolve) => {
    child.stderr?.on('data', (chunk: Buffer) => {
      lastWords = (lastWords + chunk.toString()).slice(-1_000)
    })
    child.on('error', (error) => resolve(error.message))
    child.on('exit', (code, signal) => resolve(signal ?? `code ${code}`))
  }).then((reason) => {
    end = reason
    return reason
  })
  try {
    await untilUp(options, () => {
      if (end === undefined) return
      const words = `anvil stopped while starting (${end}): ${lastWords.trim()}`
      throw /load-state|state/i.test(lastWords) && saved !== undefined
        ? new UnreadableState(words)
        : new Error(words)
    })
    await setClock(options, saved?.timestampS)
    return { process: child, ended }
  } catch (error) {
    child.stdin?.destroy()
    throw error
  } finally {
    state.discardUnpacked()
  }
}

/** Waits for the node to answer; `check` throws once it has ended. */
async function untilUp({ rpc, chainId, port }: EvmNodeOptions, check: () => void): Promise<void> {
  const deadline = performance.now() + bootMs
  for (;;) {
    check()
    const answered = await rpc.call<string>('eth_chainId').then(Number, () => undefined)
    if (answered === chainId) return
    if (answered !== undefined) throw new Error(`Another chain (${answered}) answers on port ${port}`)
    if (performance.now() > deadline) throw new Error(`anvil did not start within ${bootMs / 1000} s`)
    await sleep(10)
  }
}

/** Puts clock and base fee where they were, never before the last saved block, and lets blocks begin. */
async function setClock(
  { rpc, state, isStalled }: EvmNodeOptions,
  savedS: number | undefined,
): Promise<void> {
  const { offsetS, baseFee } = state.settings()
  const nowS = Math.floor(Date.now() / 1000)
  const aheadS = Math.max(offsetS, savedS === undefined ? 0 : savedS + 1 - nowS)
  if (aheadS > 0) await rpc.call('evm_increaseTime', [aheadS])
  const putBaseFee = () => rpc.call('anvil_setNextBlockBaseFeePerGas', [numberToHex(baseFee)])
  await putBaseFee()
  if (isStalled()) return
  await rpc.call('evm_setAutomine', [true])
  await rpc.call('evm_mine')
  // That block was empty, so the fee would sink for a transaction that comes before the pacer has met a block.
  await putBaseFee()
}
