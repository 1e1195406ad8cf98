import type { Chain } from '../chain.ts'
import type { DescribedAction } from '../preview/summarize.ts'
import { checkedCoin, type RawCoin } from './coins.ts'

/** A message within another one. */
export type AnyMessage = { readonly type_url: string; readonly value: Uint8Array }

/** Where a message is described: chain, prefix of its addresses, and how messages within it are described. */
export type MessageScope = {
  readonly chain: Chain
  readonly prefix: string
  readonly describeInner: (message: AnyMessage) => readonly DescribedAction[]
}

/** Named arguments of an action. */
export type Args = Readonly<Record<string, string>>

/** What the actions of messages are called. Contracts name their own methods, and messages that are not known are called by their type. */
export type MessageMethod =
  | 'addAuthenticator'
  | 'cancelProposal'
  | 'cancelUndelegation'
  | 'clearAdmin'
  | 'delegate'
  | 'deposit'
  | 'exec'
  | 'fee'
  | 'fundCommunityPool'
  | 'funds'
  | 'grant'
  | 'grantAllowance'
  | 'ibcTransfer'
  | 'instantiate'
  | 'migrate'
  | 'redelegate'
  | 'removeAuthenticator'
  | 'revoke'
  | 'revokeAllowance'
  | 'send'
  | 'setWithdrawAddress'
  | 'submitProposal'
  | 'swap'
  | 'undelegate'
  | 'updateAdmin'
  | 'vote'
  | 'withdrawCommission'
  | 'withdrawReward'

/** Who acts on whom, by which message. */
export type Parties<method extends string = MessageMethod> = {
  readonly from: string
  readonly to: string | null
  readonly method: method
}

const bare = { asset: null, amount: null, amountDisplay: null } as const

/** Coins that move, each an action of its own; a call that moves nothing where there are none. */
export function moved(
  { chain }: MessageScope,
  parties: Parties,
  coins: readonly (RawCoin | undefined)[],
  args: Args | null = null,
  verb = 'Send',
): readonly DescribedAction[] {
  if (coins.length === 0) return [called(parties, `${verb} nothing`, args)]
  return coins.map((raw) => {
    const { asset, amount, display, label } = checkedCoin(raw, chain)
    const title = `${verb} ${display === null && label.length > 40 ? 'tokens' : label}`
    return { action: { ...parties, kind: 'transfer', asset, amount, amountDisplay: display, args }, title }
  })
}

/** Something that moves no assets to another. */
export function called(
  parties: Parties,
  title: string,
  args: Args | null = null,
  warning?: string,
): DescribedAction {
  const action = { ...bare, ...parties, kind: 'call', args } as const
  return { action, title, ...(warning !== undefined && { warning }) }
}

/** A change of who may act for an account or take what is its own. */
export function administered(parties: Parties, title: string, args: Args, warning: string): DescribedAction {
  return { action: { ...bare, ...parties, kind: 'admin', args }, title, warning }
}

/** Something whose effects are not known. */
export function unknown(
  parties: Parties<string>,
  title: string,
  args: Args | null,
  warning: string,
): DescribedAction {
  return { action: { ...bare, ...parties, kind: 'unknown', args }, title, warning }
}

/** The coins of a list in words. */
export function coinsText(coins: readonly RawCoin[], { chain }: MessageScope): string {
  return coins.map((coin) => checkedCoin(coin, chain).label).join(', ')
}
