import type { Sign } from '../client/sign.ts'
import type { Accounts } from './accounts.ts'
import { type CallsCtx, getCallsStatus, getCapabilities, sendCalls, showCallsStatus } from './calls/calls.ts'
import { landed, sendOperation } from './calls/operations.ts'
import type { EvmChain, EvmChains } from './evm-chains.ts'
import { personalSignParams, recoverParams, typedDataParams } from './message-params.ts'
import { dataOf, invalidParams, ProviderRpcError, providerCodes, unsupported } from './provider-error.ts'
import { type WantedTransaction, wantedTransaction } from './transaction-params.ts'
import type { WalletTransactions } from './wallet-transactions.ts'

/** The context of one provider's methods. */
export type MethodsCtx = {
  readonly isSmart: boolean
  readonly accounts: Accounts
  readonly chains: EvmChains
  readonly sign: Sign
  /** The two ways to send: as a transaction of the wallet, or as an operation of the smart account. */
  readonly transactions: WalletTransactions
  readonly calls: CallsCtx
  /** Runs what signs one after another, in the order of the requests. */
  readonly inTurn: <value>(run: () => Promise<value>) => Promise<value>
  readonly announce: {
    accounts(addresses: readonly string[]): void
    chain(chainId: string): void
  }
}

type Method = (ctx: MethodsCtx, params: readonly unknown[], method: string) => Promise<unknown>

/** The JSON-RPC methods that the provider serves itself; reads of the chain go to a node. */
export const methods: Readonly<Record<string, Method>> = {
  eth_requestAccounts: requestedAccounts,
  eth_accounts: currentAccounts,
  eth_coinbase: async (ctx) => (await currentAccounts(ctx))[0] ?? null,
  wallet_requestPermissions: async (ctx) => permissions(await requestedAccounts(ctx)),
  wallet_getPermissions: async (ctx) => permissions(await currentAccounts(ctx)),
  async wallet_revokePermissions({ accounts, announce }) {
    accounts.revoke()
    announce.accounts([])
    return null
  },
  eth_chainId: async ({ chains }) => (await chains.current()).chainId,
  net_version: async ({ chains }) => BigInt((await chains.current()).chainId).toString(),
  web3_clientVersion: async () => 'Symbolon/0.1.0',
  async wallet_switchEthereumChain(ctx, params) {
    if (await chooseChain(ctx, params)) return null
    throw new ProviderRpcError(providerCodes.unknownChain, 'The platform does not have this chain.')
  },
  async wallet_addEthereumChain(ctx, params, method) {
    if (await chooseChain(ctx, params)) return null
    throw unsupported(method, 'chains are configured on the platform')
  },
  personal_sign: inTurn(signMessage),
  async personal_ecRecover(_ctx, params) {
    const { message, signature } = recoverParams(params)
    // Few pages ask: the hash function comes when one does.
    const { recoverAddress } = await import('./recover-address.ts')
    const address = recoverAddress(message, signature)
    if (address === undefined) throw invalidParams('The signature is not valid.')
    return address
  },
  eth_signTypedData_v4: inTurn(signTypedData),
  eth_signTransaction: inTurn(signTransaction),
  eth_sendTransaction: sendTransaction,
  // viem tries it after -32602, and shows the first error only if this one is -32601.
  async wallet_sendTransaction() {
    throw new ProviderRpcError(providerCodes.unknownMethod, 'Use eth_sendTransaction.')
  },
  wallet_sendCalls: ({ calls }, [param]) => sendCalls(calls, param),
  wallet_getCallsStatus: ({ calls }, [id]) => getCallsStatus(calls, id),
  wallet_showCallsStatus: ({ calls }, [id]) => showCallsStatus(calls, id),
  async wallet_getCapabilities({ accounts, calls }, [address, chainIds]) {
    await accounts.own(address)
    return getCapabilities(calls, chainIds)
  },
}

/** A method that signs: it waits for those that were asked before. */
function inTurn(serve: Method): Method {
  return (ctx, params, method) => ctx.inTurn(() => serve(ctx, params, method))
}

function requestedAccounts(ctx: MethodsCtx): Promise<readonly string[]> {
  return announced(ctx, ctx.accounts.request())
}

function currentAccounts(ctx: MethodsCtx): Promise<readonly string[]> {
  return announced(ctx, ctx.accounts.current())
}

async function announced(
  { announce }: MethodsCtx,
  addresses: Promise<readonly string[]>,
): Promise<readonly string[]> {
  const known = [...(await addresses)]
  announce.accounts(known)
  return known
}

async function signMessage(ctx: MethodsCtx, params: readonly unknown[]): Promise<unknown> {
  const { message, account } = personalSignParams(params)
  await ctx.accounts.own(account)
  return dataOf(await ctx.sign.message(message, await signer(ctx))).signature
}

async function signTypedData(ctx: MethodsCtx, params: readonly unknown[]): Promise<unknown> {
  const { typedData, account } = typedDataParams(params)
  await ctx.accounts.own(account)
  return dataOf(await ctx.sign.typedData(typedData, await signer(ctx))).signature
}

async function signTransaction(ctx: MethodsCtx, [param]: readonly unknown[]): Promise<unknown> {
  if (ctx.isSmart) throw unsupported('eth_signTransaction', 'a smart account sends operations')
  return ctx.transactions.sign(...(await wanted(ctx, param)))
}

async function sendTransaction(ctx: MethodsCtx, [param]: readonly unknown[]): Promise<unknown> {
  if (ctx.isSmart) {
    const hash = await ctx.inTurn(async () => {
      const [transaction, chain] = await wanted(ctx, param)
      if (transaction.accessList !== undefined) throw invalidParams('A smart account takes no access list.')
      return (await sendOperation(ctx.calls, [transaction], chain)).user_op_hash
    })
    // The next request does not wait for the chain.
    return landed(ctx.calls, hash)
  }
  // To the broadcast, so that the next one gets the next nonce.
  return ctx.inTurn(async () => ctx.transactions.send(...(await wanted(ctx, param))))
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
    throw invalidParams('The `chainId` of the transaction is not the current chain.')
  return [transaction, chain, own]
}

/** Switches to a chain of the platform; false where the platform does not have it. */
async function chooseChain({ chains, announce }: MethodsCtx, [param]: readonly unknown[]): Promise<boolean> {
  const chain = await chains.find((param as { chainId?: unknown } | undefined)?.chainId)
  if (chain === undefined) return false
  if ((await chains.current()).chainId !== chain.chainId) {
    chains.choose(chain)
    announce.chain(chain.chainId)
  }
  return true
}

/** The permissions of EIP-2255. */
function permissions(addresses: readonly string[]): unknown[] {
  if (addresses.length === 0) return []
  const caveats = [{ type: 'restrictReturnedAccounts', value: addresses }]
  return [{ parentCapability: 'eth_accounts', invoker: globalThis.location?.origin, caveats }]
}
