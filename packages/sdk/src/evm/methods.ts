import type { Sign } from '../client/sign.ts'
import type { Result } from '../result.ts'
import type { Accounts } from './accounts.ts'
import { type CallsCtx, getCallsStatus, getCapabilities, sendCalls, sendOneCall } from './calls.ts'
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

/** What the methods of one provider work with. */
export type MethodsCtx = {
  readonly isSmart: boolean
  readonly accounts: Accounts
  readonly chains: EvmChains
  readonly sign: Sign
  /** Ways to send: as a transaction of the wallet, or as an operation of the smart account. */
  readonly via: { readonly transactions: WalletTransactions; readonly calls: CallsCtx }
  readonly announce: {
    accounts(addresses: readonly string[]): void
    chain(chainId: string): void
  }
}

type Method = (ctx: MethodsCtx, params: readonly unknown[]) => Promise<unknown>

/** The JSON-RPC methods that the provider serves itself; reads of the chain go to a node. */
export const methods: Readonly<Record<string, Method>> = {
  eth_requestAccounts: (ctx) => connected(ctx, ctx.accounts.request()),
  eth_accounts: (ctx) => connected(ctx, ctx.accounts.current()),
  eth_coinbase: async (ctx) => (await connected(ctx, ctx.accounts.current()))[0] ?? null,
  wallet_requestPermissions: async (ctx) => permissions(await connected(ctx, ctx.accounts.request())),
  wallet_getPermissions: async (ctx) => permissions(await connected(ctx, ctx.accounts.current())),
  wallet_revokePermissions: async ({ accounts, announce }) => {
    accounts.revoke()
    announce.accounts([])
    return null
  },
  eth_chainId: async ({ chains }) => (await chains.current()).chainId,
  net_version: async ({ chains }) => BigInt((await chains.current()).chainId).toString(),
  web3_clientVersion: async () => 'Symbolon/0.1.0',
  wallet_switchEthereumChain: (ctx, params) =>
    chooseChain(
      ctx,
      params,
      () => new ProviderRpcError(providerCodes.unknownChain, 'The platform does not have this chain.'),
    ),
  wallet_addEthereumChain: (ctx, params) =>
    chooseChain(ctx, params, () =>
      unsupported('wallet_addEthereumChain', 'chains are configured on the platform'),
    ),
  personal_sign: signMessage,
  eth_signTypedData_v4: signTypedData,
  eth_signTransaction: signTransaction,
  eth_sendTransaction: sendTransaction,
  wallet_sendCalls: async (ctx, [param]) => sendCalls(smartCalls(ctx, 'wallet_sendCalls'), param),
  wallet_getCallsStatus: async (ctx, [id]) => getCallsStatus(smartCalls(ctx, 'wallet_getCallsStatus'), id),
  wallet_getCapabilities: async ({ accounts, isSmart, via }, [address, chainIds]) => {
    await accounts.own(address)
    return isSmart ? getCapabilities(via.calls, chainIds) : {}
  },
}

async function signMessage(ctx: MethodsCtx, params: readonly unknown[]): Promise<unknown> {
  const { message, account } = personalSignParams(params)
  await ctx.accounts.own(account)
  return signature(ctx.sign.message(message, await signer(ctx)))
}

async function signTypedData(ctx: MethodsCtx, params: readonly unknown[]): Promise<unknown> {
  const { typedData, account } = typedDataParams(params)
  await ctx.accounts.own(account)
  const chainId = domainChainId(typedData)
  if (chainId !== undefined && chainId !== BigInt((await ctx.chains.current()).chainId))
    throw invalidParams('The `chainId` of the domain is not the current chain. Switch the chain first.')
  return signature(ctx.sign.typedData(typedData, await signer(ctx)))
}

async function signTransaction(ctx: MethodsCtx, [param]: readonly unknown[]): Promise<unknown> {
  if (ctx.isSmart) throw unsupported('eth_signTransaction', 'a smart account sends operations')
  return ctx.via.transactions.sign(...(await wanted(ctx, param)))
}

async function sendTransaction(ctx: MethodsCtx, [param]: readonly unknown[]): Promise<unknown> {
  const [transaction, chain, own] = await wanted(ctx, param)
  const { calls, transactions } = ctx.via
  return ctx.isSmart ? sendOneCall(calls, transaction, chain) : transactions.send(transaction, chain, own)
}

async function connected(
  { announce }: MethodsCtx,
  addresses: Promise<readonly string[]>,
): Promise<readonly string[]> {
  const known = [...(await addresses)]
  announce.accounts(known)
  return known
}

async function signature(signed: Promise<Result<{ signature?: string }>>): Promise<string | undefined> {
  const { data, error } = await signed
  if (error !== null) throw providerError(error)
  return data.signature
}

async function signer({ chains, isSmart }: MethodsCtx) {
  const { handle } = await chains.current()
  return { chain: handle, ...(isSmart && { smart_account: true }) }
}

/** The transaction with its chain and account, once the page has named the right ones. */
async function wanted(
  { accounts, chains }: MethodsCtx,
  param: unknown,
): Promise<[WantedTransaction, EvmChain, string]> {
  const transaction = wantedTransaction(param)
  const own = await accounts.own(transaction.from)
  const chain = await chains.current()
  if (transaction.chainId !== undefined && BigInt(transaction.chainId) !== BigInt(chain.chainId))
    throw invalidParams('The `chainId` of the transaction is not the current chain. Switch the chain first.')
  return [transaction, chain, own]
}

function smartCalls({ isSmart, via }: MethodsCtx, method: string): CallsCtx {
  if (!isSmart) throw unsupported(method, 'this account is not a smart account')
  return via.calls
}

async function chooseChain(
  { chains, announce }: MethodsCtx,
  [param]: readonly unknown[],
  unknownChain: () => Error,
): Promise<null> {
  const chain = await chains.find((param as { chainId?: unknown } | undefined)?.chainId)
  if (chain === undefined) throw unknownChain()
  if ((await chains.current()).chainId !== chain.chainId) {
    chains.choose(chain)
    announce.chain(chain.chainId)
  }
  return null
}

/** The permissions of EIP-2255. */
function permissions(addresses: readonly string[]): unknown[] {
  if (addresses.length === 0) return []
  const caveats = [{ type: 'restrictReturnedAccounts', value: addresses }]
  return [{ parentCapability: 'eth_accounts', invoker: globalThis.location?.origin, caveats }]
}
