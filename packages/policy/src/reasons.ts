/**
 * Why a policy refuses, each reason once: its code on the wire, the sentence of the refusal's message, and for people what happened and
 * what to change. Plain data without imports.
 *
 * In a sentence `{who}` is the layer, `{limit}` what it allows, `{actual}` what was asked, `{s}` the plural of the limit. A part in brackets
 * is left out where a value in it is missing; `[this|that]` is that instead. The first of `variants` that fits the rule or limit of a
 * refusal goes before `sentence`.
 */
type ReasonRow = {
  readonly code: string
  readonly sentence: string
  readonly variants?: readonly {
    readonly rule?: string
    readonly limit?: string
    readonly sentence: string
  }[]
  readonly what: string
  readonly fix: string
}

/** The reasons, as the guide lists them: those of the policy's fields, then those that hold for every agent. */
export const policyReasonRows = [
  {
    code: 'per_tx_cap_exceeded',
    sentence: '{who} allows [{limit} per transaction|less][, this moves {actual}], in the smallest unit',
    what: 'It would have sent more at once than the cap for one transaction.',
    fix: 'Send less at once, or raise the cap per transaction.',
  },
  {
    code: 'total_cap_exceeded',
    sentence: '{who} allows [{limit} in all|less][, this would make it {actual}], in the smallest unit',
    what: 'It would have gone beyond the budget of the session.',
    fix: 'Mint a session with a fresh budget, or a larger one.',
  },
  {
    code: 'chain_not_allowed',
    sentence: '{who} allows [the chains {limit}|no chains][, this is on {actual}]',
    what: 'The chain is not on the list of allowed chains.',
    fix: 'Add it to the agent and mint a session that lists it.',
  },
  {
    code: 'method_not_allowed',
    sentence: '{who} allows [the methods {limit}|no methods][, this is {actual}]',
    what: 'The session does not allow this method.',
    fix: 'Allow the method (messages, or transactions) in the session and its agent.',
  },
  {
    code: 'recipient_not_allowed',
    sentence: '{who} allows [the recipients {limit}|no recipients][, this goes to {actual}]',
    what: 'The recipient is not on the list of allowed recipients.',
    fix: 'Check who the recipient is. If you meant to pay them, add the address to the list. Spenders of approvals must be on it too; offers to anybody are refused.',
  },
  {
    code: 'token_not_allowed',
    sentence: '{who} allows [the tokens {limit}|no tokens][, this moves {actual}]',
    what: 'The token is on no list of allowed tokens.',
    fix: 'Add it, with caps in its smallest unit, to the agent or the session.',
  },
  {
    code: 'token_cap_exceeded',
    sentence: '{who} allows [{limit} of the token|less][, this would make it {actual}], in the smallest unit',
    what: 'More of this token than its cap allows.',
    fix: 'Raise the token’s cap (`max_per_tx` or `max_total`), or mint a session with a fresh budget.',
  },
  {
    code: 'contract_call_not_allowed',
    sentence: 'agents never make calls of this kind, whatever contracts are allowed; that is built in',
    variants: [
      {
        rule: 'allowed_contracts',
        sentence: '[the call of {actual}|what is called] is not among the contracts that {who} allows',
      },
      {
        rule: 'allowed_contracts.selectors',
        sentence:
          'the contract of [{actual}|this call] is also in allowed_tokens and the effect of this method is unknown, so {who} must list it in selectors',
      },
    ],
    what: 'The contract, or this method of it, is on no list.',
    fix: 'Add the contract and its selector to the allowed contracts, if you know what the method does. A contract that `allowed_tokens` lists needs its selector for methods that cannot be priced. An IBC transfer is the contract `transfer/channel-N`.',
  },
  {
    code: 'fee_cap_exceeded',
    sentence: '{who} allows [a fee of {limit}|less][, this may cost {actual}], in the smallest unit',
    what: 'The fee could exceed its cap.',
    fix: 'Wait for a calmer network, or raise the cap on fees.',
  },
  {
    code: 'tx_count_exceeded',
    sentence: '{who} allows [{limit}|fewer] transaction{s}[, this would be number {actual}]',
    what: 'The number of transactions is used up.',
    fix: 'Mint another session, or one that may send more.',
  },
  {
    code: 'chain_blocked',
    sentence:
      'the organization blocks the chains [{limit}|of its list], this is good on [{actual}|one of them]',
    what: 'Your rules block this chain.',
    fix: 'Take the chain off the blocked ones in Rules.',
  },
  {
    code: 'recipient_blocked',
    sentence: 'the organization blocks [{actual}|the recipient, or may]',
    what: 'Your rules block this recipient.',
    fix: 'Find out why it is blocked before you take it off the list in Rules. The list also stops contracts, tokens and spenders. With an address of Solana on it, token accounts of an unknown holder are blocked too: list the allowed recipients.',
  },
  {
    code: 'org_per_tx_cap_exceeded',
    sentence: '{who} allows [{limit} per transaction|less][, this moves {actual}], in the smallest unit',
    what: 'It would have sent more at once than the cap of your rules for one transaction.',
    fix: 'Send less at once, or raise the cap in Rules.',
  },
  {
    code: 'org_total_cap_exceeded',
    sentence: '{who} allows [{limit} in all|less][, this would make it {actual}], in the smallest unit',
    what: 'It would have gone beyond what your rules allow a session in all.',
    fix: 'Mint another session, or raise the cap in Rules.',
  },
  {
    code: 'token_transfers_disabled',
    sentence: 'the organization lets agents move no tokens, this moves [{actual}|one]',
    what: 'Your rules let no token move.',
    fix: 'Set tokens to “Listed ones” in Rules.',
  },
  {
    code: 'raw_hash_not_allowed',
    sentence: 'the organization lets agents sign no bare hashes',
    variants: [
      { limit: 'true', sentence: 'this hash stands for a payload with effects, so sign the payload itself' },
    ],
    what: 'It asked to sign a bare hash, which could be anything.',
    fix: 'Send the message or transaction itself. Rules can allow bare hashes; think twice.',
  },
  {
    code: 'approval_not_allowed',
    sentence: 'agents approve finite amounts of tokens only; that is built in[, and this approves {actual}]',
    what: 'It would have let somebody take tokens without a limit.',
    fix: 'Approve a finite amount within the token’s caps.',
  },
  {
    code: 'contract_creation_not_allowed',
    sentence: 'agents never create contracts; that is built in',
    what: 'It would have deployed a contract. Agents never may.',
    fix: 'Deploy from your backend with a secret key.',
  },
  {
    code: 'account_admin_not_allowed',
    sentence: 'agents never change who controls an account; that is built in',
    what: 'It would have changed who owns or controls an account. Agents never may.',
    fix: 'Change owners and permissions from your backend.',
  },
  {
    code: 'authorization_not_allowed',
    sentence: 'agents never hand their account to code (EIP-7702); that is built in',
    what: 'It would have let other code control the account (EIP-7702). Agents never may.',
    fix: 'Authorize from your backend with a secret key.',
  },
  {
    code: 'typed_data_not_allowed',
    sentence: 'agents sign only typed data whose effects are known; that is built in',
    what: 'The typed data could move value in a way that cannot be priced.',
    fix: 'Use a kind that is known (permits, transfers with authorization), or sign from your backend.',
  },
  {
    code: 'message_is_transaction',
    sentence: 'agents never sign a message that could be a transaction or its hash; that is built in',
    what: 'The message was a transaction or an operation in disguise.',
    fix: 'Send it as what it is, so that it counts against the budget. If nobody meant that, investigate the agent.',
  },
  {
    code: 'payload_undecodable',
    sentence:
      'agents sign only payloads whose bytes show their whole effect, and these do not; that is built in',
    what: 'The effects of the bytes are unknown.',
    fix: 'Use a plain transfer, a known call, or list the contract that it calls.',
  },
  {
    code: 'wallet_archived',
    sentence: 'the wallet is archived',
    what: 'The wallet is archived.',
    fix: 'Take it out of the archive on the Wallets page, if it should sign again.',
  },
  {
    code: 'wallet_mismatch',
    sentence: 'the session signs for its own wallet[ {limit}] only, this names [{actual}|another one]',
    what: 'It named another wallet than the session’s.',
    fix: 'Leave wallet_id out, or mint a session for that wallet.',
  },
] as const satisfies readonly ReasonRow[]
