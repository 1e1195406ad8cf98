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

const session = ['agent', 'session'] as const
const organization = ['organization'] as const

/**
 * The fields of policies, in the order of the wire. Parsing, intersection, clipping, JSON, validation, OpenAPI, the portal and the guide
 * read this table: a new cap is a row here, and where nothing measures it yet, a function in `measures.ts`.
 */
export const policyFields = [
  {
    name: 'max_spend_per_tx_native',
    layers: session,
    kind: 'amount',
    cap: { of: 'native', per: 'transaction' },
    isRequiredToMint: true,
    description:
      'The most native value that one payload may move, in the smallest unit (wei, lamports, satoshi), without its fee.',
    missing: 'no limit',
    example: '100000000000000000',
    group: 'amounts',
    label: 'Per transaction',
    help: 'The most that one transaction can send, without its fee. Leave empty for no limit.',
    reason: 'per_tx_cap_exceeded',
  },
  {
    name: 'max_spend_per_tx',
    layers: session,
    kind: 'asset-caps',
    itemsMax: 64,
    cap: { of: 'native', per: 'transaction' },
    description:
      'The most that one payload may move of single native assets, named as in `spent` (`ETH`, `BTC`), beside the cap for all.',
    missing: 'no limit',
    group: 'amounts',
    label: 'Per transaction and coin',
    help: 'One coin per line with its limit in the smallest unit, such as ETH 100000000000000000.',
    reason: 'per_tx_cap_exceeded',
  },
  {
    name: 'max_spend_total_native',
    layers: session,
    kind: 'amount',
    cap: { of: 'native', per: 'session' },
    isRequiredToMint: true,
    description:
      'The most that all payloads together may spend, value and fees in the worst case, over the whole life of the session, per native asset.',
    missing: 'no limit',
    example: '250000000000000000',
    group: 'amounts',
    label: 'Total',
    help: 'The most that a session can spend in its lifetime, fees included.',
    choice: {
      open: 'No limit',
      closed: 'At most',
      openWarning: 'It can spend all of the wallet’s native coins.',
    },
    reason: 'total_cap_exceeded',
  },
  {
    name: 'max_spend_total',
    layers: session,
    kind: 'asset-caps',
    itemsMax: 64,
    cap: { of: 'native', per: 'session' },
    description:
      'The most that all payloads together may spend of single native assets, value and fees, beside the cap for all.',
    missing: 'no limit',
    group: 'amounts',
    label: 'Total per coin',
    help: 'One coin per line with its limit in the smallest unit. Fees are included.',
    reason: 'total_cap_exceeded',
  },
  {
    name: 'allowed_chains',
    layers: session,
    kind: 'allow-list',
    items: 'chain',
    itemsMax: 64,
    without: 'blocked_chains',
    isRequiredToMint: true,
    description: 'Handles of chains, as `GET /v1/chains` lists them. Empty: none.',
    missing: 'all',
    group: 'scope',
    label: 'Chains',
    help: 'If all chains share one coin, you can enter the amounts below in that coin.',
    choice: {
      open: 'All',
      closed: 'Only these',
      everything: 'All',
      emptyWarning: 'No chain is selected, so the agent can’t sign anything.',
    },
    reason: 'chain_not_allowed',
  },
  {
    name: 'allowed_methods',
    layers: session,
    kind: 'method-list',
    words: {
      sendTransaction: {
        title: 'Send transactions',
        text: 'Payments, token transfers, contract calls and user operations.',
      },
      signMessage: {
        title: 'Sign messages',
        text: 'Texts and typed data. Messages that move value are checked like transactions, or refused.',
      },
    },
    isRequiredToMint: true,
    description:
      '`signMessage`: messages, typed data and hashes; `sendTransaction`: transactions and operations. Empty: nothing.',
    missing: 'both',
    group: 'scope',
    label: 'Methods',
    help: 'What it can sign.',
    reason: 'method_not_allowed',
  },
  {
    name: 'allowed_recipients',
    layers: session,
    kind: 'allow-list',
    items: 'account',
    itemsMax: 256,
    without: 'blocked_recipients',
    description:
      'Who may receive anything, on any network. For a token transfer, that is the decoded recipient; for vaults, withdrawals and swaps, it is whoever receives the shares or tokens. Missing: everyone. Empty: no one.',
    missing: 'everyone',
    group: 'targets',
    label: 'Recipients',
    help: 'Who receives coins and tokens in the end; not the token’s contract.',
    choice: {
      open: 'Anyone',
      closed: 'Only these',
      everything: 'Anyone',
      openWarning: 'Anyone who can make it send something gets paid.',
      emptyWarning: 'The list is empty, so the agent can’t send to any recipient.',
    },
    reason: 'recipient_not_allowed',
  },
  {
    name: 'allowed_tokens',
    layers: session,
    kind: 'token-list',
    itemsMax: 128,
    description:
      'Tokens that may be spent, each with its own caps. Missing in all layers: no token, unless the organization’s `token_mode` is `any`.',
    missing: 'what another layer lists',
    group: 'targets',
    label: 'Tokens',
    help: 'Limits are in the token’s smallest unit (1 USDC is 1000000). An empty list allows no tokens.',
    choice: {
      open: 'Not set here',
      closed: 'Only these',
      everything: 'Any, without limits',
      openHelp:
        'The session’s own list applies. Without one, no token can be spent unless your rules allow any.',
    },
    reason: 'token_not_allowed',
  },
  {
    name: 'allowed_contracts',
    layers: session,
    kind: 'contract-list',
    itemsMax: 128,
    description: 'Contracts that may be called, and with which methods. Missing in all layers: none.',
    missing: 'what another layer lists',
    group: 'targets',
    label: 'Contracts',
    help: 'For calls beyond payments and token transfers. A call can also send coins to the contract.',
    choice: {
      open: 'Not set here',
      closed: 'Only these',
      openHelp: 'The session’s own list applies. Without one, no contract can be called.',
    },
    reason: 'contract_call_not_allowed',
  },
  {
    name: 'max_fee_per_tx_native',
    layers: session,
    kind: 'amount',
    cap: { of: 'fee', per: 'transaction' },
    description:
      'The highest fee that one transaction may cost in the worst case, in the smallest unit. Fees also count against the totals. Missing in all layers: the chain’s ceiling, such as 0.05 ETH on Ethereum.',
    missing: 'the chain’s ceiling',
    group: 'amounts',
    label: 'Fee per transaction',
    help: 'The highest fee of one transaction. Leave empty for the chain’s own ceiling.',
    reason: 'fee_cap_exceeded',
  },
  {
    name: 'max_tx_count',
    layers: session,
    kind: 'count',
    min: 0,
    max: 1_000_000_000,
    cap: { of: 'transactions', per: 'session' },
    description:
      'The number of transactions and operations, over the whole life of the session. Missing: no limit.',
    missing: 'no limit',
    group: 'amounts',
    label: 'Number of transactions',
    help: 'Leave empty for no limit.',
    reason: 'tx_count_exceeded',
  },
  {
    name: 'allowed_sign_in_domains',
    layers: session,
    kind: 'domain-list',
    itemsMax: 64,
    description:
      'Where the agent may log in with a signed message (Sign-In with Ethereum or Solana): hosts as such a message names them, with their port. Missing in all layers: nowhere.',
    missing: 'what another layer lists',
    group: 'targets',
    label: 'Sign-in domains',
    help: 'One host per line, such as app.example.com. A sign-in message for any other host is refused.',
    choice: {
      open: 'Not set here',
      closed: 'Only these',
      openHelp: 'The session’s own list applies. Without one, the agent can’t log in anywhere.',
    },
    reason: 'sign_in_not_allowed',
  },
  {
    name: 'expires_at',
    layers: session,
    kind: 'expiry',
    isRequiredToMint: true,
    description: 'When the session ends and signs nothing any more: RFC 3339, with a time zone.',
    missing: 'never',
    group: 'amounts',
    label: 'Expires',
    help: 'In your local time. Leave empty for no expiry.',
    reason: null,
  },
  {
    name: 'blocked_chains',
    layers: organization,
    kind: 'deny-list',
    items: 'chain',
    itemsMax: 64,
    description: 'Handles of chains on which no agent may sign.',
    missing: 'none',
    group: 'targets',
    label: 'Blocked chains',
    help: 'No agent can sign for the selected chains.',
    reason: 'chain_blocked',
  },
  {
    name: 'blocked_recipients',
    layers: organization,
    kind: 'deny-list',
    items: 'account',
    itemsMax: 1024,
    description:
      'Accounts, contracts and tokens of any network. Text that can name none of these is refused with `invalid_request`.',
    missing: 'none',
    group: 'targets',
    label: 'Blocked recipients',
    help: 'One address per line. No agent can send coins, tokens, calls or approvals there.',
    reason: 'recipient_blocked',
  },
  {
    name: 'max_native_per_tx_cap',
    layers: organization,
    kind: 'amount',
    cap: { of: 'native', per: 'transaction' },
    shownIn: 'max_spend_per_tx_native',
    reason: 'org_per_tx_cap_exceeded',
    description:
      'The most native value that one payload may move, for every agent, in the smallest unit, without its fee.',
    missing: 'no limit',
    group: 'amounts',
    label: 'Per transaction',
    help: 'The most that any agent can send in one transaction. Leave empty for no limit.',
  },
  {
    name: 'max_native_total_cap',
    layers: organization,
    kind: 'amount',
    cap: { of: 'native', per: 'session' },
    shownIn: 'max_spend_total_native',
    reason: 'org_total_cap_exceeded',
    description:
      'The most that all payloads together may spend, value and fees, per session and native asset.',
    missing: 'no limit',
    group: 'amounts',
    label: 'Total per session',
    help: 'The most that any session can spend in its lifetime, fees included. Leave empty for no limit.',
  },
  {
    name: 'max_fee_per_tx_native_cap',
    layers: organization,
    kind: 'amount',
    cap: { of: 'fee', per: 'transaction' },
    shownIn: 'max_fee_per_tx_native',
    reason: 'fee_cap_exceeded',
    description:
      'The highest fee that one transaction of any agent may cost in the worst case, in the smallest unit.',
    missing: 'what agents and sessions say, or the chain’s ceiling',
    group: 'amounts',
    label: 'Fee per transaction',
    help: 'It only lowers what agents, sessions and chains allow. Leave empty for no limit.',
  },
  {
    name: 'token_mode',
    layers: organization,
    kind: 'mode',
    words: {
      none: { title: 'None', text: 'Agents can’t spend tokens, even listed ones.' },
      allowlist: {
        title: 'Listed tokens',
        text: 'Only tokens that the agent or the session lists, within their limits. The default.',
      },
      any: {
        title: 'Any token',
        text: 'Agents can spend any token, without limits unless a list sets them.',
      },
    },
    default: 'allowlist',
    reason: 'token_transfers_disabled',
    description: 'Which tokens may move. Default `allowlist`.',
    missing: '`allowlist`',
    group: 'signatures',
    label: 'Which tokens can agents spend?',
    help: '',
  },
  {
    name: 'allow_raw_hash',
    layers: organization,
    kind: 'flag',
    reason: 'raw_hash_not_allowed',
    description: 'Whether agents may sign bare hashes. Default `false`.',
    missing: '`false`',
    group: 'signatures',
    label: 'Agents can sign bare hashes',
    help: 'A hash can stand for anything. If you turn this on, limits can’t be guaranteed.',
  },
  {
    name: 'max_session_ttl_seconds',
    layers: organization,
    kind: 'count',
    min: 60,
    max: 3_153_600_000,
    unit: 'seconds',
    cap: null,
    shownIn: null,
    reason: null,
    description: 'The longest that a session may live. A session minted for longer is clipped.',
    missing: 'no limit',
    group: 'signatures',
    label: 'Longest session, in seconds',
    help: 'A week is 604800. Leave empty for no limit.',
  },
] as const satisfies readonly PolicyFieldRow[]
