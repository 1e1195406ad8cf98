import type { Fail, RecoveryState } from '@symbolon/api'
import { completeRecovery } from './complete-recovery.ts'
import { initiateRecovery } from './initiate-recovery.ts'
import { ownedProcess, type RecoveryCaller } from './owned-process.ts'
import type { RecoveryPorts } from './recovery-ports.ts'
import { verifyRecovery } from './verify-recovery.ts'

/** A recovery as its owner may look at it. */
type RecoveryStatus = {
  recovery_process_id: string
  wallet_id: string
  state: RecoveryState
  expires_at: string
}

/** The recovery of client wallets: a mailed code opens both shares of the server's side, new ones replace them. */
export function recovery(ports: RecoveryPorts) {
  return {
    initiate: initiateRecovery(ports),
    verify: verifyRecovery(ports),
    complete: completeRecovery(ports),

    async read(
      principal: RecoveryCaller,
      processId: string,
      fail: Fail<'signing_mode_mismatch' | 'wallet_not_found' | 'not_found'>,
    ): Promise<RecoveryStatus> {
      const { id, walletId, state, expiresAt } = await ownedProcess(ports.sql, principal, processId, fail)
      return { recovery_process_id: id, wallet_id: walletId, state, expires_at: expiresAt.toISOString() }
    },
  }
}

export type Recovery = ReturnType<typeof recovery>
