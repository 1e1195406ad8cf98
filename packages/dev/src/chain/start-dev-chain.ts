import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { type Hex, numberToHex } from 'viem'
import { freePort } from '../postgres/free-port.ts'
import { blockPacer } from './block-pacer.ts'
import { type BundlerProcess, bundlerProcess } from './bundler-process.ts'
import { chainDeployments, type DevChainContracts } from './chain-contracts.ts'
import { type DevChainHandle, devChainIds } from './chain-handles.ts'
import { chainState } from './chain-state.ts'
import { startEvmNode } from './evm-node.ts'
import { fund } from './fund.ts'
import { jsonRpc } from './json-rpc.ts'
import { paymasterService } from './paymaster-service.ts'
import { prepareChain } from './prepare-chain.ts'
import { stateSaver } from './state-saver.ts'

/** `folder` keeps the chain; ports are free ones where none is given; `withBundler: false` leaves the bundler dead. */
export type DevChainOptions = {
  handle: DevChainHandle
  folder: string
  rpcPort?: number
  bundlerPort?: number
  paymasterPort?: number
  log: (line: string) => void
  withBundler?: boolean
  /** Keeps the bundler's compiled code; a folder of the chain's own otherwise. */
  cacheFolder?: string
}

/** Ways to make life hard for whoever uses the chain. */
export type DevChainFaults = {
  /** No block any more: transactions stay in the pool until `resumeMining`. */
  stallMining(): Promise<void>
  resumeMining(): Promise<void>
  /** The base fee of all blocks from now on. */
  setBaseFee(wei: bigint): Promise<void>
  /** Replaces the last blocks by empty ones; their transactions are gone. */
  reorganise(depth: number): Promise<void>
  /** Moves the chain's clock on, and mines a block that says so. */
  advanceTime(seconds: number): Promise<void>
  /** Kills the bundler (SIGKILL), with all that it has not yet sent. */
  stopBundler(): Promise<void>
  startBundler(): Promise<void>
}

/** A local EVM chain with an ERC-4337 bundler and an ERC-7677 paymaster, all on the loopback interface. */
export type DevChain = {
  handle: DevChainHandle
  chainId: number
  rpcUrl: string
  bundlerUrl: string
  paymasterUrl: string
  /** The VerifyingPaymaster that sponsors. */
  paymaster: Hex
  contracts: DevChainContracts
  faults: DevChainFaults
  /** Answers the transaction's hash. */
  fund(address: Hex, wei: bigint): Promise<Hex>
  /** Resolves once everything up to now survives a crash. */
  flush(): Promise<void>
  stop(): Promise<void>
}

/**
 * Starts a chain where it was when it ended, all of its processes supervised and ended with this one. It mines a
 * transaction at once and follows it with a further block within 300 ms. Resolves once everything serves.
 */
export async function startDevChain(options: DevChainOptions): Promise<DevChain> {
  const { handle, log } = options
  const chainId = devChainIds[handle]
  const folder = path.resolve(options.folder)
  // The bundler reads settings from the folder it runs in, so that is an empty one.
  const emptyFolder = path.join(folder, 'bundler')
  mkdirSync(emptyFolder, { recursive: true, mode: 0o700 })
  const rpcPort = options.rpcPort ?? (await freePort())
  const bundlerPort = options.bundlerPort ?? (await freePort())
  const paymasterPort = options.paymasterPort ?? (await freePort())
  const [rpcUrl, bundlerUrl, paymasterUrl] = [rpcPort, bundlerPort, paymasterPort].map(
    (port) => `http://127.0.0.1:${port}`,
  ) as [string, string, string]
  const rpc = jsonRpc(rpcUrl)
  const bundlerRpc = jsonRpc(bundlerUrl)
  const state = chainState(folder)
  const deployments = chainDeployments()
  const paymaster = deployments.paymaster.address
  let isStalled = false
  /** What to stop, in the order it was started. */
  const stops: (() => Promise<void> | void)[] = [() => rpc.close(), () => bundlerRpc.close()]
  const startBundler = () =>
    bundlerProcess({
      rpcUrl,
      port: bundlerPort,
      rpc: bundlerRpc,
      paymaster,
      folder: emptyFolder,
      cacheFolder: options.cacheFolder ?? path.join(folder, 'cache'),
      log,
    })
  let bundler: BundlerProcess | undefined = options.withBundler === false ? undefined : startBundler()
  stops.push(() => bundler?.stop())

  try {
    const node = await startEvmNode({
      chainId,
      port: rpcPort,
      rpc,
      state,
      cacheFolder: path.join(folder, 'states'),
      log,
      isStalled: () => isStalled,
      // What is set on a node directly is not in a state of before.
      onUp: () => void prepareChain(rpc, deployments).catch((error) => log(String(error))),
    })
    stops.push(() => node.stop())
    const [service] = await Promise.all([
      paymasterService({ port: paymasterPort, chainId, paymaster, chain: rpc }),
      prepareChain(rpc, deployments),
    ])
    stops.push(() => service.stop())
    bundler?.go()
    const saver = stateSaver({ rpc, state, baseFee: () => pacer.baseFee(), log })
    const { baseFee } = state.settings()
    const pacer = blockPacer({ rpcUrl, rpc, baseFee, onBlock: saver.changed })
    stops.push(() => saver.stop())
    stops.push(() => pacer.stop())
    await bundler?.ready()
    await saver.flush()

    return {
      handle,
      chainId,
      rpcUrl,
      bundlerUrl,
      paymasterUrl,
      paymaster,
      contracts: Object.fromEntries(
        Object.entries(deployments.contracts).map(([name, { address }]) => [name, address]),
      ) as DevChainContracts,
      fund: (address, wei) => fund(rpc, address, wei),
      flush: saver.flush,
      stop,
      faults: {
        stallMining: () =>
          pacer.apart(async () => {
            isStalled = true
            await rpc.call('evm_setAutomine', [false])
          }),
        resumeMining: () =>
          pacer.apart(async () => {
            isStalled = false
            await rpc.call('evm_setAutomine', [true])
            await rpc.call('evm_mine')
          }),
        setBaseFee: pacer.setBaseFee,
        reorganise: (depth) =>
          pacer.apart(async () => {
            await rpc.call('anvil_reorg', [depth, []])
            saver.changed()
          }),
        advanceTime: (seconds) =>
          pacer.apart(async () => {
            await rpc.call('evm_increaseTime', [numberToHex(seconds)])
            await rpc.call('evm_mine')
          }),
        stopBundler: async () => {
          await bundler?.kill()
        },
        startBundler: async () => {
          bundler ??= startBundler()
          bundler.go()
          await bundler.start()
        },
      },
    }
  } catch (error) {
    await stop().catch(() => {})
    throw error
  }

  async function stop(): Promise<void> {
    for (const end of stops.splice(0).reverse()) await end()
  }
}
