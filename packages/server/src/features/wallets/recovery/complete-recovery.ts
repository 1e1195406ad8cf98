import { ApiError, type Fail } from '@symbolon/api'
import { wipe } from '@symbolon/crypto'
import type { GivenShares, SharePair } from '../shares/share-pair.ts'
import type { SwitchErrors } from '../shares/share-switch.ts'
import { outOfState, ownedProcess, type RecoveryCaller, recoveryEvent } from './owned-process.ts'
import { type RecoveryProcess, recoveryStore } from './recovery.store.ts'
import { recoveredMail } from './recovery-mails.ts'
import type { RecoveryPorts } from './recovery-ports.ts'

type CompleteErrors =
  | SwitchErrors
  | 'signing_mode_mismatch'
  | 'invalid_share'
  | 'not_found'
  | 'process_state'
  | 'expired'

/** Puts the new shares of a verified recovery into force, and tells the owner by mail. */
export function completeRecovery(ports: RecoveryPorts) {
  const { sql, audit, outbox, switchShares, readSharePair } = ports

  async function complete(
    principal: RecoveryCaller,
    process: RecoveryProcess,
    pair: SharePair,
    fail: Fail<CompleteErrors>,
  ): Promise<void> {
    const { id, organizationId, walletId, curve } = process
    await switchShares(
      {
        organizationId,
        identityId: principal.identity.id,
        curve,
        walletId,
        token: principal.token,
        pair,
        claim: (claim) => recoveryStore.claim(sql, { ...claim, id }),
        unclaim: (attemptId) => recoveryStore.unclaim(sql, { id, attemptId }),
        take: (tx, attemptId) => recoveryStore.complete(tx, { id, attemptId }),
        finish: (tx, switched) =>
          recoveryStore.queueMail(tx, outbox.seal({ to: process.email, ...recoveredMail(switched) })),
        refusal: async (state) => outOfState(state ?? (await stateNow(principal, id, fail)), fail),
        event: (version) => eventOf(process, version),
      },
      fail,
    )
    outbox.nudge()
  }

  /** Why an attempt that held the process has lost it. */
  async function stateNow(principal: RecoveryCaller, id: string, fail: Fail<CompleteErrors>) {
    return (await ownedProcess(sql, principal, id, fail)).state
  }

  return async (
    principal: RecoveryCaller,
    { processId, ...given }: GivenShares & { processId: string },
    fail: Fail<CompleteErrors>,
  ): Promise<void> => {
    const process = await ownedProcess(sql, principal, processId, fail)
    if (process.state !== 'verified') throw outOfState(process.state, fail)
    const pair = readSharePair(given, fail)
    try {
      if (process.walletStatus === 'archived') throw fail('wallet_archived')
      await complete(principal, process, pair, fail)
    } catch (error) {
      if (error instanceof ApiError && error.code !== 'unavailable')
        await audit.write({ ...eventOf(process), success: false, errorCode: error.code })
      throw error
    } finally {
      wipe(pair.provider)
      wipe(pair.recovery)
    }
  }
}

const eventOf = (process: RecoveryProcess, version?: number) => ({
  ...recoveryEvent(process),
  type: 'recovery.completed' as const,
  payload: {
    recovery_process_id: process.id,
    ...(version !== undefined && { polynomial_version: version }),
  },
})
