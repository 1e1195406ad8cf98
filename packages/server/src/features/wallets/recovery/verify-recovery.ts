import { ApiError, type ErrorCode, type Fail } from '@symbolon/api'
import { wipe } from '@symbolon/crypto'
import type { RateGrant } from '../../../http/limiter.ts'
import { RecoveryShareError } from '../../../ports/recovery-share-store.ts'
import type { ClientWallet } from '../shares/wallet-shares.store.ts'
import { outOfState, ownedProcess, type RecoveryCaller, recoveryEvent } from './owned-process.ts'
import { type RecoveryProcess, recoveryStore } from './recovery.store.ts'
import type { RecoveryPorts } from './recovery-ports.ts'

type VerifyErrors =
  | 'signing_mode_mismatch'
  | 'invalid_code'
  | 'wallet_not_found'
  | 'not_found'
  | 'wallet_archived'
  | 'process_state'
  | 'expired'
  | 'rate_limited'
  | 'recovery_webhook_failed'
  | 'token_revoked'
  | 'token_expired'

/** What rebuilds the key, once. */
type RecoveredShares = {
  wallet_id: string
  provider_share: string
  recovery_share: string
  polynomial_version: number
}

/** Trades a recovery code for both shares; five guesses per process, one answer per right code. */
export function verifyRecovery(ports: RecoveryPorts) {
  const { sql, audit, codes, walletShares, provider, recoveryShares } = ports

  async function fetchShares(wallet: ClientWallet, fail: Fail<'recovery_webhook_failed'>) {
    const providerShare = await provider.open(
      { ...wallet, shareIndex: wallet.providerIndex },
      wallet.providerEnvelope,
    )
    try {
      const ref = { ...wallet, shareIndex: wallet.recoveryIndex }
      return { providerShare, recoveryShare: await recoveryShares.fetch(ref, wallet.recoveryPlace) }
    } catch (error) {
      wipe(providerShare)
      if (error instanceof RecoveryShareError) throw fail('recovery_webhook_failed', { cause: error })
      throw error
    }
  }

  /** Answers the shares if the process can still be verified, the wallet is active and the login stands: all in one commit. */
  async function release(
    principal: RecoveryCaller,
    process: RecoveryProcess,
    fail: Fail<VerifyErrors>,
  ): Promise<RecoveredShares> {
    const { organization, identity, token } = principal
    const wallet = await walletShares.ofUser(sql, organization.id, identity.id, process.curve)
    if (wallet === undefined) throw fail('wallet_not_found')
    const { providerShare, recoveryShare } = await fetchShares(wallet, fail)
    try {
      const event = {
        ...recoveryEvent(process),
        type: 'recovery.verified',
        payload: { recovery_process_id: process.id, polynomial_version: wallet.polynomialVersion },
      } as const
      await sql.begin(async (tx) => {
        await recoveryStore.lockOrganization(tx, organization.id)
        if (!(await recoveryStore.verify(tx, process.id))) {
          const now = await ownedProcess(sql, principal, process.id, fail)
          throw outOfState(now.state, fail)
        }
        const broken = await audit.appendIf(tx, event, { walletId: process.walletId, token })
        if (broken !== undefined)
          throw fail(broken === 'not_found' ? 'wallet_not_found' : (broken as VerifyErrors))
      })
      return {
        wallet_id: wallet.walletId,
        provider_share: Buffer.from(providerShare).toString('base64'),
        recovery_share: Buffer.from(recoveryShare).toString('base64'),
        polynomial_version: wallet.polynomialVersion,
      }
    } finally {
      wipe(providerShare)
      wipe(recoveryShare)
    }
  }

  return async (
    principal: RecoveryCaller,
    given: { processId: string; code: string; address: string },
    fail: Fail<VerifyErrors>,
    rate: (grant: RateGrant) => void,
  ): Promise<RecoveredShares> => {
    const process = await ownedProcess(sql, principal, given.processId, fail)
    const refuse = (errorCode: ErrorCode) =>
      audit.write({
        ...recoveryEvent(process),
        type: 'recovery.verified',
        payload: { recovery_process_id: process.id },
        success: false,
        errorCode,
      })
    if (process.walletStatus === 'archived') {
      await refuse('wallet_archived')
      throw fail('wallet_archived')
    }
    if (process.state !== 'open') throw outOfState(process.state, fail)
    const { organizationId } = process
    await codes.throttle({ organizationId, address: given.address }, fail, rate)

    const guess = await codes.guess('recovery', 'recovery-code', process.id, given.code)
    if (guess === 'spent') {
      const now = await ownedProcess(sql, principal, given.processId, fail)
      throw outOfState(now.state, fail)
    }
    if (guess === 'wrong') {
      await refuse('invalid_code')
      throw fail('invalid_code')
    }
    try {
      return await release(principal, process, fail)
    } catch (error) {
      await codes.giveBack('recovery', process.id)
      if (error instanceof ApiError && error.code !== 'unavailable') await refuse(error.code)
      throw error
    }
  }
}
