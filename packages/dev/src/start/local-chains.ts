import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type DevChainHandle, devChainIds } from '../chain/chain-handles.ts'
import { freePort, isFree } from '../postgres/free-port.ts'

/** A local chain's name and the loopback ports of its node, bundler and paymaster. */
export type LocalChain = {
  handle: DevChainHandle
  rpcPort: number
  bundlerPort: number
  paymasterPort: number
}

/** The file in the chains' folder that has the process id of a chain's bundler. */
export const bundlerPidFile = (folder: string, { handle }: Pick<LocalChain, 'handle'>): string =>
  path.join(folder, handle, 'bundler.pid')

/** EUR per ETH that gas is sponsored at, unless the developer sets SYMBOLON_PRICE__ETH or a feed. */
const ethEur = '3000'

/**
 * The chains that a start runs: those whose node, bundler and paymaster the developer has not set. They keep their ports
 * from start to start as long as nobody else has taken them, so that a developer's settings elsewhere stay valid.
 */
export async function localChains(
  folder: string,
  environment: Readonly<Record<string, string>>,
): Promise<LocalChain[]> {
  const wanted = wantedHandles(environment)
  const file = path.join(folder, 'ports.json')
  const former = readPorts(file)
  const chains: LocalChain[] = []
  for (const handle of wanted) {
    const kept = former.find((chain) => chain.handle === handle)
    chains.push({
      handle,
      rpcPort: await keptOrFree(kept?.rpcPort),
      bundlerPort: await keptOrFree(kept?.bundlerPort),
      paymasterPort: await keptOrFree(kept?.paymasterPort),
    })
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeFileSync(file, `${JSON.stringify(chains)}\n`, { mode: 0o600 })
  return chains
}

/** The chains of which the developer has set nothing. */
export const wantedHandles = (environment: Readonly<Record<string, string>>): DevChainHandle[] =>
  (Object.keys(devChainIds) as DevChainHandle[]).filter(
    (handle) => !variables(handle).some((name) => environment[name]),
  )

/** Where a local chain's node, bundler and paymaster are reached. */
export type LocalChainUrls = {
  handle: DevChainHandle
  rpcUrl: string
  bundlerUrl: string
  paymasterUrl: string
}

/** A local chain by its URLs. */
export function localUrls({ handle, rpcPort, bundlerPort, paymasterPort }: LocalChain): LocalChainUrls {
  const on = (port: number) => `http://127.0.0.1:${port}`
  return { handle, rpcUrl: on(rpcPort), bundlerUrl: on(bundlerPort), paymasterUrl: on(paymasterPort) }
}

/** The variables that wire the API to local chains; a price that the developer set stays. */
export function chainEnvironment(
  chains: readonly LocalChainUrls[],
  environment: Readonly<Record<string, string>> = {},
): Record<string, string> {
  if (chains.length === 0) return {}
  const isPriced = ['SYMBOLON_PRICE__ETH', 'SYMBOLON_PRICE_FEED__ETH'].some((name) => environment[name])
  return {
    ...(isPriced ? {} : { SYMBOLON_PRICE__ETH: ethEur }),
    ...Object.fromEntries(
      chains.flatMap(({ handle, rpcUrl, bundlerUrl, paymasterUrl }) => {
        const [rpc, bundler, paymaster] = variables(handle)
        return [
          [rpc, rpcUrl],
          [bundler, bundlerUrl],
          [paymaster, paymasterUrl],
        ]
      }),
    ),
    SYMBOLON_LOCAL_CHAINS: JSON.stringify(chains),
  }
}

function variables(handle: DevChainHandle): [string, string, string] {
  const suffix = handle.toUpperCase().replaceAll('-', '_')
  return [`SYMBOLON_RPC__${suffix}`, `SYMBOLON_BUNDLER__${suffix}`, `SYMBOLON_PAYMASTER__${suffix}`]
}

function readPorts(file: string): LocalChain[] {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as LocalChain[]
  } catch {
    return []
  }
}

async function keptOrFree(port: number | undefined): Promise<number> {
  return port !== undefined && (await isFree(port)) ? port : freePort()
}
