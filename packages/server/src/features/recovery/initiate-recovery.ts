import { type Fail, limits } from '@symbolon/api'
import type { Curve } from '@symbolon/networks'
import type { Permit } from '../../http/limiter.ts'
import { type RecoveryCaller, recoveryEvent } from './owned-process.ts'
import { recoveryStore } from './recovery.store.ts'
import { hashRecoveryCode } from './recovery-code.ts'
import { recoveryCodeMail } from './recovery-mails.ts'
import type { RecoveryPorts } from './recovery-ports.ts'

type InitiateErrors =
  | 'signing_mode_mismatch'
  | 'invalid_curve'
  | 'no_email'
  | 'wallet_not_found'
  | 'wallet_archived'
  | 'rate_limited'

const saltLength = 16

/** Starts recoveries: mails a code to the address of the login, as often as the wallet's caps allow. */
export function initiateRecovery(ports: RecoveryPorts) {
  const { sql, pepper, random, ids, audit, outbox, walletShares, drawCode, enabledCurves } = ports

  return async (
    { organization, identity }: RecoveryCaller,
    curve: Curve,
    fail: Fail<InitiateErrors>,
    rate: (permit: Permit) => void,
  ): Promise<{ recovery_process_id: string }> => {
    if (organization.signingMode !== 'client') throw fail('signing_mode_mismatch')
    if (!enabledCurves(organization).has(curve)) throw fail('invalid_curve')
    const { email } = identity
    if (email === null) throw fail('no_email')
    const wallet = await walletShares.ofUser(sql, organization.id, identity.id, curve)
    if (wallet === undefined) throw fail('wallet_not_found')
    if (wallet.status === 'archived') throw fail('wallet_archived')
    const { walletId } = wallet

    const refuse = (retrySeconds: number) => {
      const { burst } = limits['recovery-start']
      rate({ granted: false, burst, remaining: 0, retrySeconds, resetSeconds: retrySeconds })
      return fail('rate_limited', { retryAfterSeconds: retrySeconds })
    }
    // Who is over the cap is told so without taking the organization's lock.
    const waitSeconds = await recoveryStore.secondsUntilNext(sql, walletId)
    if (waitSeconds > 0) throw refuse(waitSeconds)

    const id = ids.next()
    const code = drawCode()
    const salt = random(saltLength)
    const codeHash = hashRecoveryCode(pepper, id, salt, code)
    const mail = outbox.seal({ to: email, ...recoveryCodeMail(code) })
    const process = {
      id,
      organizationId: organization.id,
      userIdentityId: identity.id,
      walletId,
      curve,
      email,
    }
    const remaining = await sql.begin(async (tx) => {
      await recoveryStore.lockOrganization(tx, organization.id)
      // Under the lock nobody else starts one.
      const lateSeconds = await recoveryStore.secondsUntilNext(tx, walletId)
      if (lateSeconds > 0) throw refuse(lateSeconds)
      await recoveryStore.start(tx, { ...process, salt, codeHash }, mail)
      await audit.append(tx, {
        ...recoveryEvent(process),
        type: 'recovery.initiated',
        payload: { curve, recovery_process_id: id },
      })
      return recoveryStore.startsLeft(tx, walletId)
    })
    outbox.nudge()
    const { burst, periodMs } = limits['recovery-start']
    rate({
      granted: true,
      burst,
      remaining,
      retrySeconds: 0,
      resetSeconds: (burst * periodMs) / 1000,
    })
    return { recovery_process_id: id }
  }
}
