import { wipe } from '@symbolon/crypto'
import type { UserPrincipal } from '../../../http/principal.ts'
import { type Failure, failure, isFailure } from '../../../runtime/failure.ts'
import { enqueue } from '../../outbox/index.ts'
import { type GivenShares, readSharePair, type SharePair } from '../shares/share-pair.ts'
import { type SwitchFailure, switchShares } from '../shares/share-switch.ts'
import { type RecoveryProcess, recoveryStore } from './recovery.store.ts'
import { recoveredMail } from './recovery-mails.ts'
import {
  type NotOwned,
  type OutOfState,
  outOfState,
  outOfStateNow,
  type RecoveryCtx,
  recoveryEvent,
  usableProcess,
} from './recovery-process.ts'

type CompleteFailure = SwitchFailure | NotOwned | OutOfState

/** Puts the new shares of a verified recovery into force, and notifies the owner by email. */
export async function completeRecovery(
  ctx: RecoveryCtx,
  principal: UserPrincipal,
  { processId, device, ...given }: GivenShares & { processId: string; device: string | undefined },
): Promise<undefined | CompleteFailure | Failure<'invalid_share' | 'invalid_request'>> {
  const { audit } = ctx.shares
  const process = await usableProcess(ctx, principal, processId, device)
  if (isFailure(process)) return process
  if (process.state !== 'verified') return outOfState(process.state)
  const pair = readSharePair(given)
  if (isFailure(pair)) return pair
  try {
    const refused = await complete(ctx, principal, process, pair)
    if (refused !== undefined && refused.code !== 'unavailable')
      await audit.write({ ...eventOf(process), success: false, errorCode: refused.code })
    return refused
  } finally {
    wipe(pair.provider, pair.recovery)
  }
}

async function complete(
  { shares, outbox }: RecoveryCtx,
  principal: UserPrincipal,
  process: RecoveryProcess,
  pair: SharePair,
): Promise<undefined | CompleteFailure> {
  const { id, organizationId, walletId, curve } = process
  if (process.walletStatus === 'archived') return failure('wallet_archived')
  const refused = await switchShares(shares, {
    organizationId,
    identityId: principal.identity.id,
    curve,
    walletId,
    token: principal.token,
    pair,
    claim: (claim) => recoveryStore.claim(shares.sql, { ...claim, id }),
    unclaim: (attemptId) => recoveryStore.unclaim(shares.sql, { id, attemptId }),
    consume: (tx, attemptId) => recoveryStore.complete(tx, { id, attemptId }),
    finish: async (tx, switched) => {
      await enqueue(
        tx,
        'mail',
        outbox.seal({ to: process.email, ...recoveredMail(switched) }),
        process.organizationId,
      )
      return undefined
    },
    refusal: async (sql, state) =>
      state === undefined ? outOfStateNow(sql, principal, id) : outOfState(state),
    event: (version) => eventOf(process, version),
  })
  if (refused === undefined) outbox.nudge()
  return refused
}

const eventOf = (process: RecoveryProcess, version?: number) => ({
  ...recoveryEvent(process),
  type: 'recovery.completed' as const,
  payload: {
    recovery_process_id: process.id,
    ...(version !== undefined && { polynomial_version: version }),
  },
})
