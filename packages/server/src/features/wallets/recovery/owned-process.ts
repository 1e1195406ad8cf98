import type { Fail } from '@symbolon/api'
import type { Sql } from '../../../db/pool.ts'
import type { Identity, Organization, UserToken } from '../../../http/principal.ts'
import { type RecoveryProcess, recoveryStore } from './recovery.store.ts'

/** The user whose wallet it is. */
export type RecoveryCaller = { organization: Organization; identity: Identity; token: UserToken }

/** The caller's process; one of somebody else is as good as none. */
export async function ownedProcess(
  sql: Sql,
  { organization, identity }: RecoveryCaller,
  id: string,
  fail: Fail<'signing_mode_mismatch' | 'wallet_not_found' | 'not_found'>,
): Promise<RecoveryProcess> {
  if (organization.signingMode !== 'client') throw fail('signing_mode_mismatch')
  const process = await recoveryStore.find(sql, {
    organizationId: organization.id,
    identityId: identity.id,
    id,
  })
  if (process !== undefined) return process
  const hasWallet = await recoveryStore.hasWallet(sql, organization.id, identity.id)
  throw fail(hasWallet ? 'not_found' : 'wallet_not_found')
}

/** What a call gets that asks for a process in another state. */
export const outOfState = (state: string, fail: Fail<'expired' | 'process_state'>) =>
  fail(state === 'expired' ? 'expired' : 'process_state')

/** What the audit log says of a step of a recovery. */
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
