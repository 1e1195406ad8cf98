import { wipe } from '@symbolon/crypto'
import { lockOrganization } from '../../../db/organization-lock.ts'
import type { RateGrant } from '../../../http/limiter.ts'
import type { UserPrincipal } from '../../../http/principal.ts'
import { RecoveryShareError } from '../../../ports/recovery-share-store.ts'
import { type Failure, failure, isFailure } from '../../../runtime/failure.ts'
import { giveGuessBack, guessCode, throttleGuesses } from '../../mailed-codes/index.ts'
import { type GuardFailure, guardFailure } from '../core/guard-failure.ts'
import { holdBack } from '../delay/delay.ts'
import { openShare } from '../shares/share-envelopes.ts'
import type { SharesCtx } from '../shares/share-switch.ts'
import { type ClientWallet, walletSharesStore } from '../shares/wallet-shares.store.ts'
import { type RecoveryProcess, recoveryStore } from './recovery.store.ts'
import {
  type NotOwned,
  type OutOfState,
  outOfState,
  outOfStateNow,
  type RecoveryCtx,
  recoveryEvent,
  usableProcess,
} from './recovery-process.ts'

type ReleaseFailure = NotOwned | OutOfState | GuardFailure | Failure<'recovery_webhook_failed'>

/** The shares that rebuild the key, returned once. */
type RecoveredShares = {
  wallet_id: string
  provider_share: string
  recovery_share: string
  polynomial_version: number
}

/** Trades a recovery code for both shares. A process takes five guesses and answers its right code once. */
export async function verifyRecovery(
  ctx: RecoveryCtx,
  principal: UserPrincipal,
  given: { processId: string; code: string; address: string; device: string | undefined },
  rate: (grant: RateGrant) => void,
): Promise<
  | RecoveredShares
  | ReleaseFailure
  | Failure<'invalid_code' | 'rate_limited' | 'invalid_request' | 'recovery_delayed'>
> {
  const { shares, codes } = ctx
  const process = await usableProcess(ctx, principal, given.processId, given.device)
  if (isFailure(process)) return process
  if (process.walletStatus === 'archived') return refuse(shares, process, failure('wallet_archived'))
  if (process.state !== 'open' && process.state !== 'delayed') return outOfState(process.state)
  const { id, organizationId } = process
  const guesser = { organizationId, userId: principal.identity.id, address: given.address }
  const throttled = await throttleGuesses(codes, guesser, rate)
  if (throttled !== undefined) return throttled

  const guess = await guessCode(codes, { place: 'recovery', purpose: 'recovery-code', id }, given.code)
  if (guess === 'spent') return outOfStateNow(shares.sql, principal, id)
  if (guess === 'wrong') return refuse(shares, process, failure('invalid_code'))

  const held = await holdBack(ctx.delay, { ...process, place: 'recovery' })
  if (held !== undefined) {
    const delayed = failure('recovery_delayed', { details: { ready_at: held.readyAt.toISOString() } })
    if (held.isNew) return refuse(shares, process, delayed)
    await giveGuessBack(codes, 'recovery', id)
    return delayed
  }
  const outcome = await release(shares, principal, process).catch(async (error: unknown) => {
    await giveGuessBack(codes, 'recovery', id)
    throw error
  })
  if (!isFailure(outcome)) return outcome
  await giveGuessBack(codes, 'recovery', id)
  return refuse(shares, process, outcome)
}

/** Answers the shares if the process can still be verified, the wallet is active and the login stands: all in one commit. */
async function release(
  ctx: SharesCtx,
  principal: UserPrincipal,
  process: RecoveryProcess,
): Promise<RecoveredShares | ReleaseFailure> {
  const { organization, identity } = principal
  const wallet = await walletSharesStore.ofUser(ctx.sql, organization.id, identity.id, process.curve)
  if (wallet === undefined) return failure('wallet_not_found')
  const fetched = await fetchShares(ctx, wallet)
  if (isFailure(fetched)) return fetched
  const { providerShare, recoveryShare } = fetched
  try {
    const refused = await recordRelease(ctx, principal, process, wallet)
    if (refused !== undefined) return refused
    return {
      wallet_id: wallet.walletId,
      provider_share: Buffer.from(providerShare).toString('base64'),
      recovery_share: Buffer.from(recoveryShare).toString('base64'),
      polynomial_version: wallet.polynomialVersion,
    }
  } finally {
    wipe(providerShare, recoveryShare)
  }
}

async function fetchShares({ kms, recoveryShares }: SharesCtx, wallet: ClientWallet) {
  const position = { ...wallet, shareIndex: wallet.providerIndex }
  const providerShare = await openShare(kms, 'provider', position, wallet.providerEnvelope)
  try {
    const ref = { ...wallet, shareIndex: wallet.recoveryIndex }
    return { providerShare, recoveryShare: await recoveryShares.fetch(ref, wallet.recoveryPlace) }
  } catch (error) {
    wipe(providerShare)
    if (error instanceof RecoveryShareError) return failure('recovery_webhook_failed', { cause: error })
    throw error
  }
}

/** Turns the process into a verified one, with its event, while wallet and login stand. */
function recordRelease(
  { sql, audit }: SharesCtx,
  principal: UserPrincipal,
  process: RecoveryProcess,
  { polynomialVersion }: ClientWallet,
): Promise<undefined | ReleaseFailure> {
  const { id, walletId } = process
  return sql.begin(async (tx) => {
    await lockOrganization(tx, principal.organization.id)
    if (!(await recoveryStore.verify(tx, id))) return outOfStateNow(tx, principal, id)
    const event = eventOf(process, { polynomial_version: polynomialVersion })
    const broken = await audit.appendIf(tx, event, { walletId, token: principal.token })
    return broken && guardFailure(broken)
  })
}

/** Records the refusal and returns it. */
async function refuse<refused extends Failure>(
  { audit }: SharesCtx,
  process: RecoveryProcess,
  refusal: refused,
): Promise<refused> {
  await audit.write({ ...eventOf(process), success: false, errorCode: refusal.code })
  return refusal
}

const eventOf = (process: RecoveryProcess, payload: Record<string, unknown> = {}) => ({
  ...recoveryEvent(process),
  type: 'recovery.verified' as const,
  payload: { recovery_process_id: process.id, ...payload },
})
