import type { Chain } from '@symbolon/networks'
import { decodeWords, type EvmCall, encodeDepositOf, entryPoint, type Hex } from '@symbolon/networks/evm'
import { BundlerError } from '../../ports/bundler.ts'
import type { EvmRpc } from '../../ports/evm-rpc.ts'
import { type Failure, failure } from '../../runtime/failure.ts'
import { amountText } from '../spending/index.ts'
import { explainRefusal, lackOfFunds } from '../transactions/index.ts'
import { type UnsignedOperation, worstCostWei } from './operation-json.ts'

type On = { readonly rpc: EvmRpc; readonly chain: Chain }
type Payer = { readonly address: Hex; readonly calls: readonly EvmCall[] }

/** Refuses an operation whose account cannot pay what its calls send and, without a paymaster, its gas. */
export async function unpaidOperation(
  { rpc, chain }: On,
  { address, calls }: Payer,
  operation: UnsignedOperation,
): Promise<Failure<'estimate_gas_reverted'> | undefined> {
  const isSponsored = operation.paymaster !== undefined
  const [balance, deposit] = await Promise.all([
    rpc.pendingBalance(address),
    isSponsored ? 0n : depositOf(rpc, address),
  ])
  const gas = isSponsored ? 0n : worstCostWei(operation) - deposit
  const needed = sent(calls) + (gas > 0n ? gas : 0n)
  const lack = lackOfFunds(
    'smart account',
    { balance, needed, fees: isSponsored ? 'sponsored' : 'included' },
    chain.nativeAsset,
  )
  return lack && failure('estimate_gas_reverted', lack)
}

/** The EntryPoint's refusal of an account that cannot pay its gas. */
const noPrefund = /\bAA21\b/

/** More than any operation costs, yet too little to overflow a balance. */
export const richWei = 2n ** 100n

/**
 * Says what an account that pays for itself lacks, if the bundler refuses the estimate because of that. `draft` estimates the operation once more,
 * as if the account had `richWei`; with a bundler that does not support that, the need stays unknown.
 */
export async function unpaidEstimate(
  { rpc, chain }: On,
  { address, calls }: Payer,
  { error, draft }: { error: unknown; draft: () => Promise<{ operation: UnsignedOperation }> },
): Promise<Failure<'estimate_gas_reverted'> | undefined> {
  if (!(error instanceof BundlerError)) return undefined
  const isUnfunded = noPrefund.test(error.reason)
  if (!isUnfunded && error.code !== 'reverted') return undefined
  const balance = await rpc.pendingBalance(address).catch(() => undefined)
  const needed = sent(calls)
  if (balance === undefined || !(isUnfunded || balance < needed)) return undefined
  const estimated = await draft().catch(() => undefined)
  const unpaid = estimated && (await unpaidOperation({ rpc, chain }, { address, calls }, estimated.operation))
  if (unpaid || !isUnfunded) return unpaid && { ...unpaid, cause: error }
  const lack = lackOfFunds('smart account', { balance, needed, fees: 'not included' }, chain.nativeAsset)
  const { symbol } = chain.nativeAsset
  const has = `${amountText(balance, chain.nativeAsset.decimals)} ${symbol}`
  const gas = {
    message: `Insufficient funds: the smart account has ${has}, too little for the fees of this operation.`,
    details: { needed: needed.toString(), balance: balance.toString(), asset: symbol },
  }
  return failure('estimate_gas_reverted', { ...(lack ?? gas), cause: error })
}

/** Why the bundler refuses an estimate, where a call reverts: the account may have less than it is to send. */
export async function revertedEstimate(
  { rpc, chain }: On,
  { address, calls }: Payer,
  { error, isSponsored }: { error: unknown; isSponsored: boolean },
): Promise<Failure<'estimate_gas_reverted'> | undefined> {
  if (!(error instanceof BundlerError) || error.code !== 'reverted') return undefined
  const fees = isSponsored ? 'sponsored' : 'not included'
  const call = { from: address, needed: sent(calls), fees } as const
  const why = await explainRefusal(rpc, 'smart account', call, { refusal: error, asset: chain.nativeAsset })
  return failure('estimate_gas_reverted', { ...why, cause: error })
}

const sent = (calls: readonly EvmCall[]): bigint => calls.reduce((sum, { value }) => sum + value, 0n)

async function depositOf(rpc: EvmRpc, account: Hex): Promise<bigint> {
  const [deposit = 0n] = decodeWords(await rpc.call({ to: entryPoint, data: encodeDepositOf(account) }))
  return deposit
}
