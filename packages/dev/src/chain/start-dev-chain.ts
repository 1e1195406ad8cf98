import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { type Hex, numberToHex } from 'viem'
import { freePort } from '../postgres/free-port.ts'
import { type BlockPacer, blockPacer } from './block-pacer.ts'
import { type BundlerProcess, bundlerProcess } from './bundler-process.ts'
import { type ChainDeployments, chainDeployments, type DevChainContracts } from './chain-contracts.ts'
import { type DevChainHandle, devChainIds } from './chain-handles.ts'
import { type ChainState, chainState } from './chain-state.ts'
import { startEvmNode } from './evm-node.ts'
import { fund } from './fund.ts'
import { type JsonRpc, jsonRpc } from './json-rpc.ts'
import { paymasterService } from './paymaster-service.ts'
import { prepareChain } from './prepare-chain.ts'
import { type StateSaver, stateSaver } from './state-saver.ts'

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
  /** Called with the bundler's process id whenever it is started. */
  onBundler?: (pid: number) => void
}

/** Faults to inject for the users of the chain. */
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

/** A chain of which only the bundler has begun to load. `stops` lists the parts to stop, in the order of their start. */
type Setup = {
  options: DevChainOptions
  chainId: number
  folder: string
  rpcPort: number
  paymasterPort: number
  urls: Pick<DevChain, 'rpcUrl' | 'bundlerUrl' | 'paymasterUrl'>
  rpc: JsonRpc
  state: ChainState
  deployments: ChainDeployments
  stops: (() => Promise<void> | void)[]
  isStalled: boolean
  bundler: BundlerProcess | undefined
  startBundler(): BundlerProcess
}

/**
 * Starts a chain where it was when it ended, all of its processes supervised and ended with this one. It mines a
 * transaction at once and follows it with a further block within 300 ms. Resolves once everything serves.
 */
export async function startDevChain(options: DevChainOptions): Promise<DevChain> {
  const setup = await newSetup(options)
  const { chainId, urls, rpc, deployments } = setup
  const stop = async () => {
    for (const end of setup.stops.splice(0).reverse()) await end()
  }
  try {
    await startNode(setup)
    const { pacer, saver } = startRhythm(setup)
    await setup.bundler?.ready()
    await saver.flush()
    return {
      handle: options.handle,
      chainId,
      ...urls,
      paymaster: deployments.paymaster.address,
      contracts: Object.fromEntries(
        Object.entries(deployments.contracts).map(([name, { address }]) => [name, address]),
      ) as DevChainContracts,
      fund: (address, wei) => fund(rpc, address, wei),
      flush: saver.flush,
      stop,
      faults: faultsOf(setup, pacer, saver),
    }
  } catch (error) {
    await stop().catch(() => {})
    throw error
  }
}

async function newSetup(options: DevChainOptions): Promise<Setup> {
  const folder = path.resolve(options.folder)
  // The bundler reads settings from the folder it runs in, so that is an empty one.
  const emptyFolder = path.join(folder, 'bundler')
  mkdirSync(emptyFolder, { recursive: true, mode: 0o700 })
  const rpcPort = options.rpcPort ?? (await freePort())
  const bundlerPort = options.bundlerPort ?? (await freePort())
  const paymasterPort = options.paymasterPort ?? (await freePort())
  const on = (port: number) => `http://127.0.0.1:${port}`
  const rpc = jsonRpc(on(rpcPort))
  const bundlerRpc = jsonRpc(on(bundlerPort))
  const deployments = chainDeployments()
  const startBundler = () =>
    bundlerProcess({
      rpcUrl: on(rpcPort),
      port: bundlerPort,
      rpc: bundlerRpc,
      paymaster: deployments.paymaster.address,
      folder: emptyFolder,
      cacheFolder: options.cacheFolder ?? path.join(folder, 'cache'),
      log: options.log,
      ...(options.onBundler && { onStart: options.onBundler }),
    })
  const setup: Setup = {
    options,
    chainId: devChainIds[options.handle],
    folder,
    rpcPort,
    paymasterPort,
    urls: { rpcUrl: on(rpcPort), bundlerUrl: on(bundlerPort), paymasterUrl: on(paymasterPort) },
    rpc,
    state: chainState(folder),
    deployments,
    stops: [() => rpc.close(), () => bundlerRpc.close()],
    isStalled: false,
    bundler: options.withBundler === false ? undefined : startBundler(),
    startBundler,
  }
  setup.stops.push(() => setup.bundler?.stop())
  return setup
}

/** Starts the node and the paymaster, brings the chain to where accounts work, and lets the bundler go. */
async function startNode(setup: Setup): Promise<void> {
  const { options, chainId, rpc, state, deployments, stops } = setup
  const node = await startEvmNode({
    chainId,
    port: setup.rpcPort,
    rpc,
    state,
    cacheFolder: path.join(setup.folder, 'states'),
    log: options.log,
    isStalled: () => setup.isStalled,
    // An older saved state lacks changes made on the node directly.
    onUp: () => void prepareChain(rpc, deployments).catch((error) => options.log(String(error))),
  })
  stops.push(() => node.stop())
  const paymaster = deployments.paymaster.address
  const [service] = await Promise.all([
    paymasterService({ port: setup.paymasterPort, chainId, paymaster, chain: rpc }),
    prepareChain(rpc, deployments),
  ])
  stops.push(() => service.stop())
  setup.bundler?.go()
}

function startRhythm({ options, rpc, state, stops, urls }: Setup): { pacer: BlockPacer; saver: StateSaver } {
  const saver = stateSaver({ rpc, state, baseFee: () => pacer.baseFee(), log: options.log })
  const { baseFee } = state.settings()
  const pacer = blockPacer({ rpcUrl: urls.rpcUrl, rpc, baseFee, onBlock: saver.changed })
  stops.push(() => saver.stop())
  stops.push(() => pacer.stop())
  return { pacer, saver }
}

function faultsOf(setup: Setup, pacer: BlockPacer, saver: StateSaver): DevChainFaults {
  const { rpc } = setup
  return {
    stallMining: () =>
      pacer.apart(async () => {
        setup.isStalled = true
        await rpc.call('evm_setAutomine', [false])
      }),
    resumeMining: () =>
      pacer.apart(async () => {
        setup.isStalled = false
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
      await setup.bundler?.kill()
    },
    startBundler: async () => {
      setup.bundler ??= setup.startBundler()
      setup.bundler.go()
      await setup.bundler.start()
    },
  }
}
