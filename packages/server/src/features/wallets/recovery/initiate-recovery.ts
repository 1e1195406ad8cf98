import type { Fail } from '@symbolon/api'
import type { Curve } from '@symbolon/networks'
import type { RateGrant } from '../../../http/limiter.ts'
import { type RecoveryCaller, recoveryEvent } from './owned-process.ts'
import { recoveryStore } from './recovery.store.ts'
import { recoveryCodeMail } from './recovery-mails.ts'
import type { RecoveryPorts } from './recovery-ports.ts'

type InitiateErrors =
  | 'signing_mode_mismatch'
  | 'invalid_curve'
  | 'no_email'
  | 'wallet_not_found'
  | 'wallet_archived'
  | 'rate_limited'

/** Starts recoveries: mails a code to the address of the login, as often as the wallet's caps allow. */
export function initiateRecovery(ports: RecoveryPorts) {
  const { sql, ids, audit, outbox, codes, walletShares, enabledCurves } = ports

  return async (
    { organization, identity }: RecoveryCaller,
    curve: Curve,
    fail: Fail<InitiateErrors>,
    rate: (grant: RateGrant) => void,
  ): Promise<{ recovery_process_id: string }> => {
    if (organization.signingMode !== 'client') throw fail('signing_mode_mismatch')
    if (!enabledCurves(organization).has(curve)) throw fail('invalid_curve')
    const { email } = identity
    if (email === null) throw fail('no_email')
    const wallet = await walletShares.ofUser(sql, organization.id, identity.id, curve)
    if (wallet === undefined) throw fail('wallet_not_found')
    if (wallet.status === 'archived') throw fail('wallet_archived')
    const { walletId } = wallet

    const subject = recoveryStore.startsOf(walletId)
    await codes.refuseOverCap(subject, 'recovery-start', fail, rate)

    const id = ids.next()
    const { code, salt, codeHash } = codes.draw('recovery-code', id)
    const mail = outbox.seal({ to: email, ...recoveryCodeMail(code) })
    const process = {
      id,
      organizationId: organization.id,
      userIdentityId: identity.id,
      walletId,
      curve,
      email,
    }
    const starting = { ...subject, organizationId: organization.id, limit: 'recovery-start' } as const
    await codes.start(starting, fail, rate, async (tx) => {
      await recoveryStore.start(tx, { ...process, salt, codeHash }, mail)
      await audit.append(tx, {
        ...recoveryEvent(process),
        type: 'recovery.initiated',
        payload: { curve, recovery_process_id: id },
      })
    })
    outbox.nudge()
    return { recovery_process_id: id }
  }
}
