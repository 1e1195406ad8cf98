/** What a payload does to the wallet, as policies evaluate it. */
export type EffectKind = 'transfer' | 'approval' | 'call' | 'admin' | 'unknown'

/**
 * One effect of a payload.
 * `asset` is the native symbol or a token id, `amount` its smallest unit (`null`: unlimited or unknown),
 * `from` whose assets move, `to` the recipient, spender or called contract (`null`: a new contract, or anybody who takes an offer).
 */
export type Effect = {
  readonly kind: EffectKind
  readonly asset: string | null
  readonly amount: bigint | null
  readonly from: string
  readonly to: string | null
}

/** An effect with what a person needs to recognise it: amount for display, method and named arguments. */
export type Action = Effect & {
  readonly amountDisplay: string | null
  readonly method: string | null
  readonly args: Readonly<Record<string, string>> | null
}

/**
 * A payload taken apart: title, actions (each an effect), worst-case fee in the native asset, warnings, and when the
 * network stops taking it (milliseconds since 1970), where its bytes say so. `from` is the account that acts where that
 * is not the wallet's address (a named Near account): the effects of the wallet are `from` it.
 */
export type Decoded = {
  readonly title: string
  readonly from?: string | undefined
  readonly actions: readonly Action[]
  readonly fee: { readonly asset: string; readonly amount: bigint } | null
  readonly warnings: readonly string[]
  readonly expiresAtMs?: number | undefined
}
