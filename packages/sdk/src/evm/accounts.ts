import { activeWallet } from '../client/active-wallet.ts'
import type { Context } from '../client/context.ts'
import type { SmartAccounts } from '../client/smart-accounts.ts'
import type { Wallets } from '../client/wallets.ts'
import type { EvmChains } from './evm-chains.ts'
import { dataOf, loginError, ProviderRpcError, providerCodes } from './provider-error.ts'
import type { EthereumOptions } from './provider-types.ts'

/** Which address the page sees. */
export type Accounts = {
  /** The address, or none: nobody logged in, no wallet yet, or the page has given up its permission. */
  current(): Promise<readonly string[]>
  /** The address, after all it needs: login, a wallet, a smart account on the chosen chain. */
  request(): Promise<readonly string[]>
  /** Forgets the permission until the next `request`. */
  revoke(): void
  /** The chosen account, which `address` (if given) must equal; otherwise 4100. */
  own(address?: unknown): Promise<string>
}

type Parts = {
  readonly sessions: Context['sessions']
  readonly wallets: Wallets
  readonly smartAccounts: SmartAccounts
  readonly chains: EvmChains
}

/** Libraries that ask for permissions first ask for accounts at once after a failure: the user is not asked to log in twice. */
const repeatMs = 1_000

const unauthorized = (message: string) => new ProviderRpcError(providerCodes.unauthorized, message)

/** The app's login, with the provider's errors. */
function appLogin(login: EthereumOptions['login']): () => Promise<void> {
  let failed: { error: unknown; atMs: number } | undefined
  return async () => {
    if (failed !== undefined && performance.now() - failed.atMs < repeatMs) throw failed.error
    try {
      await login?.()
    } catch (error) {
      failed = { error: loginError(error), atMs: performance.now() }
      throw failed.error
    }
  }
}

/** The accounts of a provider. */
export function accounts(
  { sessions, wallets, smartAccounts, chains }: Parts,
  { account = 'wallet', login }: EthereumOptions,
): Accounts {
  const logIn = appLogin(login)
  let isPermitted = true
  let known: { token: string; addresses: readonly string[] } | undefined

  const walletAddress = async (): Promise<readonly string[]> => {
    const { data, error } = await activeWallet(wallets, 'secp256k1')
    if (error !== null) return dataOf({ data, error })
    const { evm } = data?.addresses ?? {}
    return evm === undefined ? [] : [evm]
  }
  const smartAddress = async (): Promise<readonly string[]> => {
    if ((await walletAddress()).length === 0) return []
    const { items } = dataOf(await smartAccounts.list())
    const { handle } = await chains.current()
    return items.filter(({ chain }) => chain === handle).map(({ address }) => address)
  }
  const current = async () => {
    const token = sessions.token()
    if (token === null || !isPermitted) return []
    if (known?.token === token) return known.addresses
    const addresses = await (account === 'wallet' ? walletAddress() : smartAddress())
    if (addresses.length > 0) known = { token, addresses }
    return addresses
  }
  const request = async () => {
    if (sessions.token() === null) await logIn()
    if (sessions.token() === null) throw unauthorized('Log in to use the wallet.')
    isPermitted = true
    const existing = await current()
    if (existing.length > 0) return existing
    const made = await wallets.create()
    if (made.error?.code !== 'wallet_exists') dataOf(made)
    if (account === 'smart_account')
      dataOf(await smartAccounts.create({ chain: (await chains.current()).handle }))
    return current()
  }

  return {
    current,
    request,
    revoke() {
      isPermitted = false
    },
    async own(address) {
      const [mine] = await current()
      if (mine === undefined) throw unauthorized('Connect the wallet first.')
      if (address !== undefined && String(address).toLowerCase() !== mine.toLowerCase())
        throw unauthorized(`The account is ${mine}, not ${String(address).slice(0, 42)}.`)
      return mine
    },
  }
}
