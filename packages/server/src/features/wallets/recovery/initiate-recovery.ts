import type { Curve } from '@symbolon/networks'
import type { RateGrant } from '../../../http/limiter.ts'
import type { UserPrincipal } from '../../../http/principal.ts'
import { type Failure, failure, isFailure } from '../../../runtime/failure.ts'
import { needsMode } from '../../../runtime/needs-mode.ts'
import { checkStartCap, makeCode, startWithCode } from '../../mailed-codes/index.ts'
import { enabledCurves } from '../core/enabled-curves.ts'
import { deviceOf, mayEndDelayed } from '../delay/delay.ts'
import { walletSharesStore } from '../shares/wallet-shares.store.ts'
import { recoveryStore } from './recovery.store.ts'
import { recoveryCodeMail } from './recovery-mails.ts'
import { type RecoveryCtx, recoveryEvent } from './recovery-process.ts'

type InitiateErrors =
  | 'signing_mode_mismatch'
  | 'invalid_curve'
  | 'no_email'
  | 'wallet_not_found'
  | 'wallet_archived'
  | 'rate_limited'
  | 'invalid_request'

/** Starts a recovery: emails a code to the address of the login, as often as the wallet's caps allow. Returns the process's id. */
export async function initiateRecovery(
  { shares: { sql, attempts, audit }, codes, outbox, delay }: RecoveryCtx,
  { organization, identity }: Pick<UserPrincipal, 'organization' | 'identity'>,
  { curve, device: header }: { curve: Curve; device: string | undefined },
  rate: (grant: RateGrant) => void,
): Promise<string | Failure<InitiateErrors>> {
  if (organization.signingMode !== 'client') return needsMode('client')
  if (!enabledCurves(organization).has(curve)) return failure('invalid_curve')
  const { email } = identity
  if (email === null) return failure('no_email')
  const wallet = await walletSharesStore.ofUser(sql, organization.id, identity.id, curve)
  if (wallet === undefined) return failure('wallet_not_found')
  if (wallet.status === 'archived') return failure('wallet_archived')
  const { walletId } = wallet
  const device = deviceOf(delay, organization.id, header)
  if (isFailure(device)) return device

  const subject = { ...recoveryStore.startsOf(walletId), limit: 'recovery-start' } as const
  const refused = await checkStartCap(codes, subject, rate)
  if (refused !== undefined) return refused

  const id = attempts.ids.next()
  const { code, ...stored } = makeCode(codes, 'recovery-code', id)
  const mail = outbox.seal({ to: email, ...recoveryCodeMail(code) })
  const organizationId = organization.id
  const process = { id, organizationId, userIdentityId: identity.id, walletId, email, device }
  const started = await startWithCode(codes, { ...subject, organizationId }, rate, async (tx) => {
    const endsDelayed = await mayEndDelayed(tx, process)
    await recoveryStore.start(tx, { ...process, ...stored, endsDelayed }, mail)
    await audit.append(tx, {
      ...recoveryEvent(process),
      type: 'recovery.initiated',
      payload: { curve, recovery_process_id: id },
    })
  })
  if (isFailure(started)) return started
  outbox.nudge()
  return id
}
