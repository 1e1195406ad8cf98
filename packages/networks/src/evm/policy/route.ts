/**
 * Tokens of the sender that a call takes; without `token` those of the called contract. `isByValue`: the native value that goes along stands
 * for them where they are the chain's wrapped native asset.
 */
export type Taken = { readonly amount: bigint; readonly token?: string; readonly isByValue?: true }

/**
 * Who gets what a call hands on, and what it takes for that. `isPartial`: a part of the call that nobody reads may name others, so that it
 * is for those only who name the method.
 */
export type Route = {
  readonly receivers: readonly string[]
  readonly taken: readonly Taken[]
  readonly isPartial?: boolean
}

/** The call's arguments, and the native value that goes along. */
export type RouteReader = (data: Uint8Array, value: bigint) => Route
