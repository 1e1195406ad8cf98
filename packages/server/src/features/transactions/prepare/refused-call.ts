import type { Chain } from '@symbolon/networks'
import type { Hex } from '@symbolon/networks/evm'
import type { EvmRpc } from '../../../ports/evm-rpc.ts'
import { amountText } from '../../spending/index.ts'

/** Why a call will not be made: a sentence, and what a program can act on. */
export type RefusedCall = { readonly message: string; readonly details: Readonly<Record<string, string>> }

/** What refused an estimate: a node or a bundler. `data` is there where the contract did, as far as it is known. */
export type EstimateRefusal = {
  readonly code: string
  readonly reason: string
  readonly data?: Hex | undefined
}

/** Whether the fees are in what is needed; the account does not pay sponsored ones. */
export type Fees = 'included' | 'not included' | 'sponsored'
/** What an account has and what it would take, in wei. */
export type Lack = { readonly balance: bigint; readonly needed: bigint; readonly fees: Fees }

const noReason = 'execution reverted'
const shownDecimals = 6
/** In units of the last shown decimal. */
const exactBelow = 1_000n

/** The contract's or the node's own reason, with nothing before it. */
export function refusedCall({ code, reason, data = '0x' }: EstimateRefusal): RefusedCall {
  return {
    message: words(reason),
    details: { reason, ...(code === 'reverted' && { data }) },
  }
}

function words(reason: string): string {
  if (reason === noReason) return 'The call reverts without a reason.'
  return reason.startsWith('0x') ? `The call reverts with the error ${reason}.` : reason
}

/** Says what is missing; undefined where nothing is. */
export function lackOfFunds(
  who: 'wallet' | 'smart account',
  { balance, needed, fees }: Lack,
  { symbol, decimals }: Chain['nativeAsset'],
): RefusedCall | undefined {
  if (balance >= needed) return undefined
  const has = `${amountText(rounded(balance, decimals, 0n), decimals)} ${symbol}`
  const needs = `${amountText(rounded(needed, decimals, 1n), decimals)} ${symbol}`
  const what =
    fees === 'sponsored' ? `this sends ${needs}. The fees are sponsored` : `this needs ${needs}, fees ${fees}`
  return {
    message: `Insufficient funds: the ${who} has ${has} and ${what}.`,
    details: { needed: needed.toString(), balance: balance.toString(), asset: symbol },
  }
}

/** Why a call is refused whose estimate was: the lack of money, where it is that. */
export async function explainRefusal(
  rpc: Pick<EvmRpc, 'pendingBalance'>,
  who: 'wallet' | 'smart account',
  call: { from: Hex; needed: bigint; fees: Fees },
  { refusal, asset }: { refusal: EstimateRefusal; asset: Chain['nativeAsset'] },
): Promise<RefusedCall> {
  // What cannot be read does not hide the refusal itself.
  const balance = await rpc.pendingBalance(call.from).catch(() => undefined)
  const lack = balance === undefined ? undefined : lackOfFunds(who, { ...call, balance }, asset)
  return lack ?? refusedCall(refusal)
}

/** Rounded to a few decimals: a balance down and a need up, so that the two never look equal. Small amounts stay what they are. */
function rounded(amount: bigint, decimals: number, up: 0n | 1n): bigint {
  const unit = 10n ** BigInt(Math.max(0, decimals - shownDecimals))
  if (amount < exactBelow * unit) return amount
  return ((amount + up * (unit - 1n)) / unit) * unit
}
