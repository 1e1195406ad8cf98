import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import {
  type DevChain,
  type DevChainHandle,
  type DevChainOptions,
  fund,
  jsonRpc,
  startDevChain,
} from '@symbolon/dev/testing/chain'
import { inject } from 'vitest'

/** A chain that all test files of a run use at once: it can be used, not harmed. */
export type SharedChain = Omit<DevChain, 'faults' | 'flush' | 'stop'>

/** The run's chain of that name with bundler and paymaster, started by whoever asks first (one to three seconds). */
export async function sharedChain(handle: DevChainHandle = 'local'): Promise<SharedChain> {
  const answer = await fetch(`${inject('chainsUrl')}/${handle}`)
  if (!answer.ok) throw new Error(`The chain did not start: ${await answer.text()}`)
  const chain = (await answer.json()) as Omit<SharedChain, 'fund'>
  return {
    ...chain,
    async fund(address, wei) {
      const rpc = jsonRpc(chain.rpcUrl)
      try {
        return await fund(rpc, address, wei)
      } finally {
        rpc.close()
      }
    },
  }
}

/** A chain of the caller's own, to stall, reorganise or count on; `stop()` also removes its folder unless it was given. */
export async function ownChain(options: Partial<DevChainOptions> = {}): Promise<DevChain> {
  const folder = options.folder ?? mkdtempSync(path.join(tmpdir(), 'symbolon-chain-'))
  const chain = await startDevChain({
    handle: 'local',
    log: (line) => process.stderr.write(`${line}\n`),
    cacheFolder: inject('chainCacheFolder'),
    ...options,
    folder,
  })
  return {
    ...chain,
    async stop() {
      await chain.stop()
      if (options.folder === undefined) rmSync(folder, { recursive: true, force: true })
    },
  }
}
