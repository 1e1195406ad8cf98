import type { SmartAccount, SmartAccounts as SmartAccountList } from '../generated/answers.ts'
import type { CreateSmartAccount } from '../generated/requests.ts'
import type { Result } from '../result.ts'
import type { ApiCode, Context } from './context.ts'

/** The ERC-4337 accounts of the user's wallet: one per EVM chain, all at the same address. */
export type SmartAccounts = {
  list(): Promise<Result<SmartAccountList, ApiCode<'GET /v1/wallets/me/smart-accounts'>>>
  /** Provisions the account of a chain. Calling it again returns the same account. */
  create(
    options: CreateSmartAccount,
  ): Promise<Result<SmartAccount, ApiCode<'POST /v1/wallets/me/smart-accounts'>>>
}

/** The smart accounts of a client. */
export function smartAccounts({ call }: Pick<Context, 'call'>): SmartAccounts {
  return {
    list: () => call('GET /v1/wallets/me/smart-accounts', {}),
    create: (body) => call('POST /v1/wallets/me/smart-accounts', { body }),
  }
}
