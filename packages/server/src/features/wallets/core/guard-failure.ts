import { type Failure, failure } from '../../../runtime/failure.ts'
import type { BrokenGuard } from '../../audit/index.ts'

/** What a guard on a wallet and a user's login fails with. */
export type GuardFailure = Failure<
  'wallet_not_found' | 'wallet_archived' | 'token_revoked' | 'token_expired' | 'unauthorized'
>

/** The failure of a broken guard: what was not found is the wallet. */
export const guardFailure = (broken: BrokenGuard): GuardFailure =>
  failure(broken === 'not_found' ? 'wallet_not_found' : broken)
