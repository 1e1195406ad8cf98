import type { Sign } from '../client/sign.ts'
import type { Result } from '../result.ts'
import type { Accounts } from './accounts.ts'
import type { Calls } from './calls.ts'
import type { EvmChain, EvmChains } from './evm-chains.ts'
import { domainChainId, personalSignParams, typedDataParams } from './message-params.ts'
import {
  invalidParams,
  ProviderRpcError,
  providerCodes,
  providerError,
  unsupported,
} from './provider-error.ts'
import { type WantedTransaction, wantedTransaction } from './transaction-params.ts'
import type { WalletTransactions } from './wallet-transactions.ts'

/** What the provider answers itself, by JSON-RPC method. */
export type Methods = Readonly<Record<string, (params: readonly unknown[]) => Promise<unknown>>>

type Parts = {
  readonly account: 'wallet' | 'smart_account'
  readonly accounts: Accounts
  readonly chains: EvmChains
  readonly sign: Sign
  readonly transactions: WalletTransactions
  readonly calls: Calls
  readonly announceAccounts: (addresses: readonly string[]) => void
  readonly announceChain: (chainId: string) => void
}

/** The methods of a provider; reads of the chain are not among them. */
export function methods(parts: Parts): Methods {
  const { account, accounts, chains, sign, transactions, calls } = parts
  const isSmart = account === 'smart_account'

  const connected = async (addresses: Promise<readonly string[]>) => {
    const known = [...(await addresses)]
    parts.announceAccounts(known)
    return known
  }
  const signature = async (signed: Promise<Result<{ signature?: string }>>) => {
    const { data, error } = await signed
    if (error !== null) throw providerError(error)
    return data.signature
  }
  const signer = async () => {
    const { handle } = await chains.current()
    return { chain: handle, ...(isSmart && { smart_account: true }) }
  }
  /** The transaction and its chain, once the page has named the right account and chain. */
  const wanted = async (param: unknown): Promise<[WantedTransaction, EvmChain, string]> => {
    const transaction = wantedTransaction(param)
    const own = await accounts.own(transaction.from)
    const chain = await chains.current()
    if (transaction.chainId !== undefined && BigInt(transaction.chainId) !== BigInt(chain.chainId))
      throw invalidParams('The chain of the transaction is not the chosen one.')
    return [transaction, chain, own]
  }
  const forSmartAccount =
    (method: string, serve: (params: readonly unknown[]) => Promise<unknown>) =>
    (params: readonly unknown[]) => {
      if (!isSmart) throw unsupported(method, 'this account is no smart account')
      return serve(params)
    }
  const choose = async ([param]: readonly unknown[], otherwise: () => never) => {
    const chain = await chains.find((param as { chainId?: unknown } | undefined)?.chainId)
    if (chain === undefined) return otherwise()
    if ((await chains.current()).chainId !== chain.chainId) {
      chains.choose(chain)
      parts.announceChain(chain.chainId)
    }
    return null
  }

  return {
    eth_requestAccounts: () => connected(accounts.request()),
    eth_accounts: () => connected(accounts.current()),
    eth_coinbase: async () => (await connected(accounts.current()))[0] ?? null,
    wallet_requestPermissions: async () => permissions(await connected(accounts.request())),
    wallet_getPermissions: async () => permissions(await connected(accounts.current())),
    async wallet_revokePermissions() {
      accounts.revoke()
      parts.announceAccounts([])
      return null
    },
    eth_chainId: async () => (await chains.current()).chainId,
    net_version: async () => BigInt((await chains.current()).chainId).toString(),
    web3_clientVersion: async () => 'Symbolon/0.1.0',
    wallet_switchEthereumChain: (params) =>
      choose(params, () => {
        throw new ProviderRpcError(providerCodes.unknownChain, 'The platform does not have this chain.')
      }),
    wallet_addEthereumChain: (params) =>
      choose(params, () => {
        throw unsupported('wallet_addEthereumChain', 'chains are configured on the platform')
      }),
    async personal_sign(params) {
      const { message, account: named } = personalSignParams(params)
      await accounts.own(named)
      return signature(sign.message(message, await signer()))
    },
    async eth_signTypedData_v4(params) {
      const { typedData, account: named } = typedDataParams(params)
      await accounts.own(named)
      const chainId = domainChainId(typedData)
      if (chainId !== undefined && chainId !== BigInt((await chains.current()).chainId))
        throw invalidParams('The `chainId` of the domain is not the chosen chain.')
      return signature(sign.typedData(typedData, await signer()))
    },
    async eth_signTransaction([param]) {
      if (isSmart) throw unsupported('eth_signTransaction', 'a smart account sends operations')
      return transactions.sign(...(await wanted(param)))
    },
    async eth_sendTransaction([param]) {
      const [transaction, chain, own] = await wanted(param)
      return isSmart ? calls.sendOne(transaction, chain) : transactions.send(transaction, chain, own)
    },
    wallet_sendCalls: forSmartAccount('wallet_sendCalls', ([param]) => calls.sendCalls(param)),
    wallet_getCallsStatus: forSmartAccount('wallet_getCallsStatus', ([id]) => calls.status(id)),
    async wallet_getCapabilities([address, chainIds]) {
      await accounts.own(address)
      return isSmart ? calls.capabilities(chainIds) : {}
    },
  }
}

/** EIP-2255. */
function permissions(addresses: readonly string[]): unknown[] {
  if (addresses.length === 0) return []
  const caveats = [{ type: 'restrictReturnedAccounts', value: addresses }]
  return [{ parentCapability: 'eth_accounts', invoker: globalThis.location?.origin, caveats }]
}
