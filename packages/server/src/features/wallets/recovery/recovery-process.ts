import type { Queryable } from '../../../db/pool.ts'
import type { UserPrincipal } from '../../../http/principal.ts'
import { type Failure, failure, isFailure } from '../../../runtime/failure.ts'
import { needsMode } from '../../../runtime/needs-mode.ts'
import type { CodesCtx } from '../../mailed-codes/index.ts'
import type { Outbox } from '../../outbox/index.ts'
import { type DelayCtx, deviceOf, isSameDevice } from '../delay/delay.ts'
import type { SharesCtx } from '../shares/share-switch.ts'
import { type RecoveryProcess, recoveryStore } from './recovery.store.ts'

/** The context for recovering wallets. */
export type RecoveryCtx = { shares: SharesCtx; codes: CodesCtx; outbox: Outbox; delay: DelayCtx }

/** Why a user cannot reach a process. */
export type NotOwned = Failure<'signing_mode_mismatch' | 'wallet_not_found' | 'not_found'>

/** The state of a process does not allow the call. */
export type OutOfState = Failure<'expired' | 'process_state'>

/** The user's own process; another user's is not found. */
export async function ownedProcess(
  sql: Queryable,
  { organization, identity }: UserPrincipal,
  id: string,
): Promise<RecoveryProcess | NotOwned> {
  if (organization.signingMode !== 'client') return needsMode('client')
  const owned = { organizationId: organization.id, identityId: identity.id, id }
  const process = await recoveryStore.find(sql, owned)
  if (process !== undefined) return process
  const hasWallet = await recoveryStore.hasWallet(sql, organization.id, identity.id)
  return failure(hasWallet ? 'not_found' : 'wallet_not_found')
}

/** The user's own process, for the device that opened it; to any other device it does not exist. `header`: `X-Service-Device`. */
export async function usableProcess(
  { shares: { sql }, delay }: RecoveryCtx,
  principal: UserPrincipal,
  id: string,
  header: string | undefined,
): Promise<RecoveryProcess | NotOwned | Failure<'invalid_request'>> {
  const device = deviceOf(delay, principal.organization.id, header)
  if (isFailure(device)) return device
  const process = await ownedProcess(sql, principal, id)
  if (isFailure(process) || isSameDevice(process.device, device)) return process
  return failure('not_found')
}

/** The failure of a call that needs a process in another state. */
export const outOfState = (state: string): OutOfState =>
  failure(state === 'expired' ? 'expired' : 'process_state')

/** `outOfState` for the state that the process is in now. */
export async function outOfStateNow(
  sql: Queryable,
  principal: UserPrincipal,
  id: string,
): Promise<OutOfState | NotOwned> {
  const process = await ownedProcess(sql, principal, id)
  return isFailure(process) ? process : outOfState(process.state)
}

/** The event of a step of a recovery, without type and payload. */
export const recoveryEvent = (
  process: Pick<RecoveryProcess, 'organizationId' | 'userIdentityId' | 'walletId'>,
) =>
  ({
    organizationId: process.organizationId,
    userIdentityId: process.userIdentityId,
    walletId: process.walletId,
    actorType: 'end_user',
    actorId: process.userIdentityId,
    success: true,
  }) as const
