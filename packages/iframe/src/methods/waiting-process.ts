import { readProcess } from '../api/user-api.ts'
import type { Wallet } from '../api/wallet.ts'
import { isFailure } from '../frame-failure.ts'
import type { UserSession } from './user-session.ts'
import type { Vault } from './vault.ts'

/** A process of this browser that waited when it was last seen. */
export type WaitingProcess = {
  readonly purpose: 'recovery' | 'export'
  /** The process, where it still waits or is ready. */
  find(): Promise<{ id: string; readyAt: Date } | undefined>
  keep(id: string): void
  forget(): void
}

/** What this browser remembers of a recovery or export of a wallet that waits. The code is not kept. */
export function waitingProcess(
  { notes }: Pick<Vault, 'notes'>,
  { api }: Pick<UserSession, 'api'>,
  { id: walletId }: Pick<Wallet, 'id'>,
  purpose: 'recovery' | 'export',
): WaitingProcess {
  const name = `${purpose} ${walletId}`
  return {
    purpose,
    async find() {
      const id = notes.get(name)
      if (id === null) return undefined
      try {
        const { state, readyAt } = await readProcess(api, purpose, id)
        if (state === 'delayed' && readyAt !== null) return { id, readyAt }
      } catch (error) {
        if (!isFailure(error, 'not_found')) throw error
      }
      notes.drop(name)
      return undefined
    },
    keep: (id) => notes.set(name, id),
    forget: () => notes.drop(name),
  }
}
