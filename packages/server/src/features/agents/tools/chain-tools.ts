import { ChainHandle, type ErrorCode, EvmAddress, type Fail, Hex32 } from '@symbolon/api'
import { decodeWords, encodeBalanceOf, type Hex } from '@symbolon/networks/evm'
import * as z from 'zod'
import type { EvmChain, EvmChains } from '../../../ports/evm-chains.ts'
import { EvmRpcError } from '../../../ports/evm-rpc.ts'
import { unsupportedChain } from '../../../ports/unsupported-chain.ts'
import type { EvmWallets } from '../../wallets/index.ts'
import { type AgentTool, agentTool, readingHints, type ToolContext } from './agent-tool.ts'

/** The tools that only look at a chain. */
export function chainTools({
  chains,
  wallets,
}: {
  chains: EvmChains
  wallets: EvmWallets
}): readonly AgentTool[] {
  return [
    agentTool({
      name: 'get_balance',
      description:
        'Reads a balance on an EVM chain, in the smallest unit: of the own wallet or `address`, in the native asset or `token`.',
      hints: readingHints(true),
      input: z.strictObject({
        chain: ChainHandle,
        address: EvmAddress.optional(),
        token: EvmAddress.optional().describe('An ERC-20 contract.'),
      }),
      async run({ chain: handle, address, token }, context, fail) {
        const { chain, rpc } = wiredChain(chains, context, handle, fail)
        const owner = lower(address ?? (await ownAddress(wallets, context, fail)))
        const balance = await asked(fail, () =>
          token === undefined ? rpc.balance(owner) : tokenBalance(rpc, lower(token), owner),
        )
        const asset = token ?? chain.nativeAsset.symbol
        const { decimals } = chain.nativeAsset
        return {
          chain: handle,
          address: owner,
          asset,
          balance: balance.toString(),
          ...(token === undefined && { decimals }),
        }
      },
    }),
    agentTool({
      name: 'get_transaction',
      description:
        'Tells what became of a transaction on an EVM chain: confirmed, reverted, pending, or unknown to its nodes.',
      hints: readingHints(true),
      input: z.strictObject({ chain: ChainHandle, tx_hash: Hex32 }),
      async run({ chain: handle, tx_hash }, context, fail) {
        const { rpc } = wiredChain(chains, context, handle, fail)
        const receipt = await asked(fail, () => rpc.receipt(lower(tx_hash)))
        if (receipt === undefined) {
          const isKnown = await asked(fail, () => rpc.isKnown(lower(tx_hash)))
          return { chain: handle, tx_hash, status: isKnown ? 'pending' : 'unknown' }
        }
        return {
          chain: handle,
          tx_hash,
          status: receipt.succeeded ? 'confirmed' : 'reverted',
          block_number: receipt.blockNumber.toString(),
          gas_used: receipt.gasUsed.toString(),
        }
      },
    }),
  ]
}

/** The chain, if the organization has EVM chains and this one is wired. */
function wiredChain(
  chains: EvmChains,
  { organization }: ToolContext,
  handle: string,
  fail: Fail<'chain_unsupported'>,
): EvmChain {
  const { supportedNetworks } = organization
  const chain = supportedNetworks.includes('evm') ? chains.get(handle) : undefined
  if (chain === undefined)
    throw fail('chain_unsupported', { message: unsupportedChain(handle, supportedNetworks) })
  return chain
}

async function ownAddress(
  wallets: EvmWallets,
  { organization, session }: ToolContext,
  fail: Fail<ErrorCode>,
) {
  const wallet = await wallets.byId(organization.id, session.walletId)
  if (wallet === undefined) throw fail('wallet_not_found')
  if (wallet.evmAddress === null) throw fail('wallet_not_evm')
  return wallet.evmAddress
}

/** What a node does not answer may be asked later; what a contract refuses is told. */
async function asked<value>(fail: Fail<ErrorCode>, read: () => Promise<value>): Promise<value> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof EvmRpcError)) throw error
    if (error.code === 'transport') throw fail('rpc_failed', { cause: error })
    throw fail('invalid_request', { message: `The chain refused: ${error.reason}`, cause: error })
  }
}

async function tokenBalance({ call }: EvmChain['rpc'], token: Hex, owner: Hex): Promise<bigint> {
  const answer = await call({ to: token, data: encodeBalanceOf(owner) })
  const [balance] = answer.length === 66 ? decodeWords(answer) : []
  if (balance === undefined) throw new EvmRpcError('reverted', 'this is no token')
  return balance
}

const lower = (hex: string): Hex => hex.toLowerCase() as Hex
