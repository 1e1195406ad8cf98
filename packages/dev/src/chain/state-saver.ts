import { setTimeout as sleep } from 'node:timers/promises'
import type { Hex } from 'viem'
import type { ChainState } from './chain-state.ts'
import type { JsonRpc } from './json-rpc.ts'

/** Saving takes a fifth of the time, as long as that leaves no more than a second unsaved. */
const share = 0.2
const pauseMs = { min: 20, max: 1_000 }

/** Keeps the saved state close behind the chain. */
export type StateSaver = {
  /** Something changed: it is saved at once, or after the save that is under way. */
  changed(): void
  /** Resolves once everything up to now is saved. */
  flush(): Promise<void>
  stop(): Promise<void>
}

/** The node and where to keep it; `baseFee` returns the one to continue with. */
export type StateSaverOptions = {
  rpc: JsonRpc
  state: ChainState
  baseFee: () => bigint
  log: (line: string) => void
}

/** Saves a node's whole state after changes. A node that is down is not asked again before the next change. */
export function stateSaver({ rpc, state, baseFee, log }: StateSaverOptions): StateSaver {
  let isStopped = false
  let isChanged = false
  let saving: Promise<void> | undefined

  return {
    changed() {
      isChanged = true
      if (!isStopped) saving ??= saveAll()
    },
    flush: save,
    async stop() {
      isStopped = true
      await saving
      await save().catch((error: unknown) => log(`the chain was not saved: ${String(error)}`))
    },
  }

  async function saveAll(): Promise<void> {
    while (isChanged && !isStopped) {
      isChanged = false
      const startedAt = performance.now()
      await save().catch(() => {})
      const tookMs = performance.now() - startedAt
      if (isStopped) break
      await sleep(Math.min(Math.max(pauseMs.min, (tookMs * (1 - share)) / share), pauseMs.max))
    }
    saving = undefined
  }

  async function save(): Promise<void> {
    const [dump, pending] = await Promise.all([
      rpc.call<Hex>('anvil_dumpState'),
      rpc.call<{ timestamp: Hex }>('eth_getBlockByNumber', ['pending', false]),
    ])
    const offsetS = Number(pending.timestamp) - Math.floor(Date.now() / 1000)
    state.save(Buffer.from(dump.slice(2), 'hex'), {
      offsetS: offsetS > 1 ? offsetS : 0,
      baseFee: baseFee(),
    })
  }
}
