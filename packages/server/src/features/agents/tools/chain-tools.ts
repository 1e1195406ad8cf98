import { ChainHandle, EvmAddress, Hex32 } from '@symbolon/api'
import { decodeWords, encodeBalanceOf, type Hex } from '@symbolon/networks/evm'
import * as z from 'zod'
import type { EvmChain, EvmChains } from '../../../ports/evm-chains.ts'
import { EvmRpcError } from '../../../ports/evm-rpc.ts'
import { unsupportedChain } from '../../../ports/unsupported-chain.ts'
import { type Failure, failure, isFailure } from '../../../runtime/failure.ts'
import type { EvmWallets } from '../../wallets/index.ts'
import type { AgentActor } from '../signing/signing-request.ts'
import { type AgentTool, agentTool, readingHints } from './agent-tool.ts'
import type { ToolHolder } from './tool-holder.ts'

/** The context of the tools that read a chain. */
export type ChainToolsCtx = { chains: EvmChains; wallets: EvmWallets }

const BalanceInput = z.strictObject({
  chain: ChainHandle,
  address: EvmAddress.optional(),
  token: EvmAddress.optional().describe('Address of an ERC-20 contract.'),
})
const TransactionInput = z.strictObject({ chain: ChainHandle, tx_hash: Hex32 })

/** The tools that only read a chain. */
export const chainTools = (ctx: ChainToolsCtx): readonly AgentTool[] => [
  agentTool({
    name: 'get_balance',
    chainsFor: (holder) => readableChains(ctx, holder),
    description:
      'Reads a balance on an EVM chain, in the smallest unit: of your wallet or `address`, in the native asset or `token`.',
    skill: {
      name: 'Read balances',
      description: 'Reads balances of native assets and ERC-20 tokens on EVM chains.',
    },
    hints: readingHints(true),
    input: BalanceInput,
    run: (input, { actor }) => readBalance(ctx, input, actor),
  }),
  agentTool({
    name: 'get_transaction',
    chainsFor: (holder) => readableChains(ctx, holder),
    description:
      'Returns the status of a transaction on an EVM chain: confirmed, reverted, pending, or unknown to its nodes.',
    skill: {
      name: 'Look up transactions',
      description: 'Says whether a transaction on an EVM chain is confirmed, reverted or pending.',
    },
    hints: readingHints(true),
    input: TransactionInput,
    run: (input, { actor }) => readTransaction(ctx, input, actor),
  }),
]

const readableChains = ({ chains }: ChainToolsCtx, { supportedNetworks }: ToolHolder): readonly string[] =>
  supportedNetworks.includes('evm') ? [...chains.keys()] : []

async function readBalance(
  { chains, wallets }: ChainToolsCtx,
  { chain: handle, address, token }: z.output<typeof BalanceInput>,
  actor: AgentActor,
) {
  const wired = wiredChain(chains, actor, handle)
  if (isFailure(wired)) return wired
  const { chain, rpc } = wired
  const owned = address ?? (await ownAddress(wallets, actor))
  if (isFailure(owned)) return owned
  const owner = lower(owned)
  const balance = await asked(() =>
    token === undefined ? rpc.balance(owner) : tokenBalance(rpc, lower(token), owner),
  )
  if (isFailure(balance)) return balance
  const { symbol, decimals } = chain.nativeAsset
  return {
    chain: handle,
    address: owner,
    asset: token ?? symbol,
    balance: balance.toString(),
    ...(token === undefined && { decimals }),
  }
}

async function readTransaction(
  { chains }: ChainToolsCtx,
  { chain: handle, tx_hash }: z.output<typeof TransactionInput>,
  actor: AgentActor,
) {
  const wired = wiredChain(chains, actor, handle)
  if (isFailure(wired)) return wired
  const { rpc } = wired
  const receipt = await asked(() => rpc.receipt(lower(tx_hash)))
  if (isFailure(receipt)) return receipt
  if (receipt === undefined) {
    const isKnown = await asked(() => rpc.isKnown(lower(tx_hash)))
    return isFailure(isKnown) ? isKnown : { chain: handle, tx_hash, status: isKnown ? 'pending' : 'unknown' }
  }
  return {
    chain: handle,
    tx_hash,
    status: receipt.succeeded ? 'confirmed' : 'reverted',
    block_number: receipt.blockNumber.toString(),
    gas_used: receipt.gasUsed.toString(),
  }
}

/** The chain, if the organization has EVM chains and this one is wired. */
function wiredChain(
  chains: EvmChains,
  { organization: { supportedNetworks } }: AgentActor,
  handle: string,
): EvmChain | Failure<'chain_unsupported'> {
  const chain = supportedNetworks.includes('evm') ? chains.get(handle) : undefined
  return chain ?? failure('chain_unsupported', { message: unsupportedChain(handle, supportedNetworks) })
}

async function ownAddress(
  wallets: EvmWallets,
  { organization, session }: AgentActor,
): Promise<Hex | Failure<'wallet_not_found' | 'wallet_not_evm'>> {
  const wallet = await wallets.byId(organization.id, session.walletId)
  if (wallet === undefined) return failure('wallet_not_found')
  return wallet.evmAddress ?? failure('wallet_not_evm')
}

/** A node that does not answer may be asked again; a contract's refusal is reported. */
async function asked<value>(
  read: () => Promise<value>,
): Promise<value | Failure<'rpc_failed' | 'invalid_request'>> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof EvmRpcError)) throw error
    if (error.code === 'transport') return failure('rpc_failed', { cause: error })
    return failure('invalid_request', { message: `The chain refused: ${error.reason}`, cause: error })
  }
}

async function tokenBalance({ call }: EvmChain['rpc'], token: Hex, owner: Hex): Promise<bigint> {
  const answer = await call({ to: token, data: encodeBalanceOf(owner) })
  const [balance] = answer.length === 66 ? decodeWords(answer) : []
  if (balance === undefined) throw new EvmRpcError('reverted', 'the contract is not an ERC-20 token')
  return balance
}

const lower = (hex: string): Hex => hex.toLowerCase() as Hex
