import type { Chain } from '../chain.ts'
import { nativeDisplay } from '../preview/amount-display.ts'
import type { DescribedAction } from '../preview/summarize.ts'

/** Whose contract it is (T…), and on which chain. */
export type ContractScope = { readonly chain: Chain; readonly owner: string }

/** What actions are called besides plain payments; contracts of the virtual machine name their own methods. */
export type TronMethod =
  | 'buyToken'
  | 'cancelUnfreeze'
  | 'create'
  | 'createAccount'
  | 'delegateResource'
  | 'freeze'
  | 'setAccountId'
  | 'undelegateResource'
  | 'unfreeze'
  | 'updateAccount'
  | 'updatePermissions'
  | 'vote'
  | 'withdrawRewards'
  | 'withdrawUnfrozen'

/** Named arguments of an action. */
export type Args = Readonly<Record<string, string>>

const bare = { asset: null, amount: null, amountDisplay: null } as const

/** TRX that moves from the owner to another (`null`: a new contract). */
export function sentNative(
  { chain, owner }: ContractScope,
  to: string | null,
  amount: bigint,
  method: TronMethod | null = null,
): DescribedAction {
  const amountDisplay = nativeDisplay(amount, chain.nativeAsset)
  const asset = chain.nativeAsset.symbol
  return {
    action: { kind: 'transfer', asset, amount, from: owner, to, amountDisplay, method, args: null },
    title: `Send ${amountDisplay}`,
  }
}

/** A TRC-10 token that moves, by its id; the bytes do not contain its decimals. */
export function sentToken(
  { owner }: ContractScope,
  to: string | null,
  id: string,
  amount: bigint,
): DescribedAction {
  const details = { amountDisplay: null, method: null, args: null }
  return {
    action: { kind: 'transfer', asset: id, amount, from: owner, to, ...details },
    title: `Send token ${id}`,
  }
}

/** Something that moves no assets to another. */
export function called(
  { owner }: ContractScope,
  method: TronMethod,
  title: string,
  to: string | null = owner,
  args: Args | null = null,
  warning?: string,
): DescribedAction {
  const action = { ...bare, kind: 'call', from: owner, to, method, args } as const
  return { action, title, ...(warning !== undefined && { warning }) }
}

/** A change of who controls the account or of what it is. */
export function administered(
  { owner }: ContractScope,
  method: TronMethod,
  title: string,
  to: string,
  args: Args,
  warning: string,
): DescribedAction {
  return { action: { ...bare, kind: 'admin', from: owner, to, method, args }, title, warning }
}

/** Something whose effects are not known. */
export function unknown(
  { owner }: ContractScope,
  title: string,
  to: string | null,
  method: string | null,
  args: Args | null,
): DescribedAction {
  const action = { ...bare, kind: 'unknown', from: owner, to, method, args } as const
  return { action, title, warning: 'The effects of this call are unknown.' }
}
