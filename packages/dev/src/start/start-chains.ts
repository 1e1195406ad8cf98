import { devChainIds } from '../chain/chain-handles.ts'
import type { DevFile } from './dev-file.ts'
import { httpCall, untilServed } from './http-call.ts'
import { type LocalChain, localUrls } from './local-chains.ts'
import type { LogFile } from './log-file.ts'
import { programEntry } from './program-entry.ts'
import { supervisedNode } from './supervised-node.ts'

const servedWithinMs = 60_000
const deathsReported = 3

/** Which chains, the folder that keeps them, the API that is wired to them, and the receiver of problem reports. */
export type StartChainsOptions = {
  chains: readonly LocalChain[]
  folder: string
  environment: Record<string, string>
  baseUrl: string
  log: LogFile
  report: (line: string) => void
}

/** The chains' process, started again whenever it dies: the platform works without it, so it is given every chance. */
export type StartedChains = {
  /** Resolves once the API finds all chains up and their clocks are right; rejects when that takes over a minute. */
  served(): Promise<void>
  pid(): number | undefined
  stop(): Promise<void>
}

/** Starts the local chains in a process of their own. */
export function startChains(options: StartChainsOptions): StartedChains {
  const { chains, folder, environment, baseUrl, log, report } = options
  let deaths = 0
  const node = supervisedNode({
    entry: programEntry('chain'),
    environment: {
      ...environment,
      PATH: process.env['PATH'] ?? '',
      SYMBOLON_CHAIN_DIR: folder,
      SYMBOLON_LOCAL_PORTS: JSON.stringify(chains),
    },
    log,
    onDeath(reason) {
      deaths += 1
      if (deaths > deathsReported) return
      report(`local chain: stopped (${reason}${lastWords(reason, log)}), restarting it; see ${log.path}`)
    },
  })
  node.markReady()
  return {
    async served() {
      await untilServed(`${baseUrl}/v1/ready`, { withinMs: servedWithinMs, everyMs: 100 })
      // The platform's clock may have been moved while the chains were off.
      await httpCall(`${baseUrl}/dev/clock`, { method: 'POST', body: { advance_ms: 0 } })
    },
    pid: node.pid,
    stop: () => node.stop(),
  }
}

/** Why a process ended by itself, such as a port that is in use; nothing where a signal ended it. */
function lastWords(reason: string, log: LogFile): string {
  if (!reason.startsWith('exit')) return ''
  const error = log
    .tail()
    .split('\n')
    .findLast((line) => /^\w*Error\b/.test(line))
  return error === undefined ? '' : `, ${error}`
}

/** How `dev.json` shows the chain that tests and tools use first. */
export function chainEntry(chain: LocalChain): NonNullable<DevFile['chain']> {
  const { handle, rpcUrl, bundlerUrl, paymasterUrl } = localUrls(chain)
  return {
    handle,
    chain_id: devChainIds[handle],
    rpc_url: rpcUrl,
    bundler_url: bundlerUrl,
    paymaster_url: paymasterUrl,
  }
}
