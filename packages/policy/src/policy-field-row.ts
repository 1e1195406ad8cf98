/** The members of every field. */
type About = {
  /** On the wire, and in the code. */
  readonly name: string
  /** Whose field it is: the agent's and each session's, or the organization's. */
  readonly layers: readonly ['agent', 'session'] | readonly ['organization']
  /** The mint of a session has to name it. */
  readonly isRequiredToMint?: true
  /** The field of the effective policy that shows it, folded into that field's own value; null: none. Missing: its own. */
  readonly shownIn?: string | null
  /** What going against it is called (`reasons.ts`); null: nothing is refused for it. */
  readonly reason: string | null
  /** For OpenAPI and the guide; `missing` is what its absence means. */
  readonly description: string
  readonly missing: string
  readonly example?: string
  /** How the portal's editor names it, what it says below, and where it stands. */
  readonly label: string
  readonly help: string
  readonly group: 'scope' | 'amounts' | 'targets' | 'signatures'
}

/**
 * How an editor lets people leave a field open: the words of the choice, of the open field in the facts of a policy, what is said while
 * it is open (`openHelp`), and what an open or an empty one comes to.
 */
type Choice = {
  readonly open: string
  readonly closed: string
  readonly everything?: string
  readonly openHelp?: string
  readonly openWarning?: string
  readonly emptyWarning?: string
}

/** A choice between words: what the portal calls each, and says of it. */
type Words = Readonly<Record<string, { readonly title: string; readonly text: string }>>

/** What `evaluate` compares with a number: a function of `measures.ts` says how much of it a payload has. */
type Cap =
  | { readonly of: 'native' | 'fee'; readonly per: 'transaction' }
  | { readonly of: 'native' | 'transactions'; readonly per: 'session' }

/**
 * One field. The kind says how it is read, how layers intersect and how it is shown (`field-kinds.ts`): numbers the least, allow-lists what
 * is on each, deny-lists what is on any, flags all, the earliest expiry, the strictest word of a mode (strictest first).
 */
export type PolicyFieldRow = About &
  (
    | { readonly kind: 'amount'; readonly cap: Cap; readonly choice?: Choice }
    | {
        readonly kind: 'count'
        readonly min: number
        readonly max: number
        readonly unit?: 'seconds'
        readonly cap: Cap | null
      }
    | { readonly kind: 'expiry' }
    | { readonly kind: 'flag' }
    | { readonly kind: 'mode'; readonly words: Words; readonly default: string }
    | {
        readonly kind: 'allow-list'
        readonly items: 'chain' | 'account'
        readonly itemsMax: number
        /** The deny-list whose items it never has. */
        readonly without: string
        readonly choice: Choice
      }
    | { readonly kind: 'method-list'; readonly words: Words }
    | { readonly kind: 'deny-list'; readonly items: 'chain' | 'account'; readonly itemsMax: number }
    | {
        readonly kind: 'token-list' | 'contract-list' | 'domain-list'
        readonly itemsMax: number
        readonly choice: Choice
      }
    | { readonly kind: 'asset-caps'; readonly itemsMax: number; readonly cap: Cap }
  )
