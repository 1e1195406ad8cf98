import type { Curve, Wallet } from '../generated/answers.ts'
import type { Result } from '../result.ts'
import type { ApiCode } from './context.ts'
import type { Wallets } from './wallets.ts'

/**
 * The user's active wallet of a curve; null where there is none. It is looked up among all of them: `get` answers 404 before there is one,
 * which browsers show as an error in the console.
 */
export async function activeWallet(
  wallets: Pick<Wallets, 'list'>,
  curve: Curve,
): Promise<Result<Wallet | null, ApiCode<'GET /v1/wallets/me/all'>>> {
  const { data, error } = await wallets.list()
  if (error !== null) return { data: null, error }
  return {
    data: data.find((wallet) => wallet.curve === curve && wallet.status === 'active') ?? null,
    error: null,
  }
}
