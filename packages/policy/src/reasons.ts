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
    readonly limit?: string | null
    readonly sentence: string
  }[]
  readonly what: string
  readonly fix: string
}

/** The reasons, as the guide lists them: those of the policy's fields, then those that hold for every agent. */
export const policyReasonRows = [
  {
    code: 'per_tx_cap_exceeded',
    sentence: '{who} allows [{limit} per transaction|less][, but this moves {actual}], in the smallest unit',
    what: 'It would have sent more at once than the cap for one transaction.',
    fix: 'Send less at once, or raise the cap per transaction.',
  },
  {
    code: 'total_cap_exceeded',
    sentence:
      '{who} allows [{limit} in all, fees included|less][, but this would make it {actual}], in the smallest unit',
    what: 'It would have exceeded the budget of the session.',
    fix: 'Mint a session with a fresh budget, or a larger one.',
  },
  {
    code: 'chain_not_allowed',
    sentence: '{who} allows [the chains {limit}|no chains][, but this is on {actual}]',
    what: 'The chain is not on the list of allowed chains.',
    fix: 'Add it to the agent and mint a session that lists it.',
  },
  {
    code: 'method_not_allowed',
    sentence: '{who} allows [the methods {limit}|no methods][, but this is {actual}]',
    what: 'The session does not allow this method.',
    fix: 'Allow the method (messages, or transactions) in the session and its agent.',
  },
  {
    code: 'recipient_not_allowed',
    sentence: '{who} allows [the recipients {limit}|no recipients][, but this goes to {actual}]',
    what: 'The recipient is not on the list of allowed recipients.',
    fix: 'Check who the recipient is. If you meant to pay them, add the address to the list. Spenders of approvals must be on it too; offers to anyone are refused. If a contract call doesn’t show who receives what it makes, name its method in the `selectors` of the allowed contract.',
  },
  {
    code: 'token_not_allowed',
    sentence: '{who} allows [the tokens {limit}|no tokens][, but this moves {actual}]',
    variants: [
      {
        limit: null,
        sentence: 'neither the session nor the policy of an agent lists tokens[, but this moves {actual}]',
      },
    ],
    what: 'The token is not on a list of allowed tokens.',
    fix: 'Add it, with caps in its smallest unit, to the agent or the session.',
  },
  {
    code: 'token_cap_exceeded',
    sentence:
      '{who} allows [{limit} of the token|less][, but this would make it {actual}], in the smallest unit',
    what: 'It would have moved more of this token than its cap allows.',
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
          'the effect of [{actual}|this call] is unknown and its contract is in allowed_tokens or is handed the wallet’s signature, so {who} must list the method in selectors',
      },
    ],
    what: 'The contract, or this method of it, is not on a list of allowed contracts.',
    fix: 'Add the contract and its selector to the allowed contracts, if you know what the method does. A contract that `allowed_tokens` lists needs its selector for methods that cannot be priced. On Aptos, name the function (`module::function`). For an IBC transfer, list the contract `transfer/channel-N`.',
  },
  {
    code: 'fee_cap_exceeded',
    sentence: '{who} allows [a fee of {limit}|less][, but this may cost {actual}], in the smallest unit',
    what: 'The fee could exceed its cap.',
    fix: 'Wait until fees are lower, or raise the cap on fees.',
  },
  {
    code: 'tx_count_exceeded',
    sentence: '{who} allows [{limit}|fewer] transaction{s}[, but this would be number {actual}]',
    what: 'The number of transactions is used up.',
    fix: 'Mint another session, or one that allows more transactions.',
  },
  {
    code: 'chain_blocked',
    sentence:
      'the organization blocks the chains [{limit}|on its list], but this is valid on [{actual}|one of them]',
    what: 'Your rules block this chain.',
    fix: 'Remove the chain from the blocked chains in Rules.',
  },
  {
    code: 'recipient_blocked',
    sentence: 'the organization blocks [{actual}|what may be the recipient]',
    what: 'Your rules block this recipient.',
    fix: 'Find out why it is blocked before you remove it from the list in Rules. The list also stops contracts, tokens and spenders. If it has a Solana address, token accounts of unknown holders are blocked too: list the allowed recipients.',
  },
  {
    code: 'org_per_tx_cap_exceeded',
    sentence: '{who} allows [{limit} per transaction|less][, but this moves {actual}], in the smallest unit',
    what: 'It would have sent more at once than your rules allow per transaction.',
    fix: 'Send less at once, or raise the cap in Rules.',
  },
  {
    code: 'org_total_cap_exceeded',
    sentence:
      '{who} allows [{limit} in all, fees included|less][, but this would make it {actual}], in the smallest unit',
    what: 'It would have exceeded the total that your rules allow per session.',
    fix: 'Mint another session, or raise the cap in Rules.',
  },
  {
    code: 'token_transfers_disabled',
    sentence: 'the organization does not let agents move tokens, but this moves [{actual}|one]',
    what: 'Your rules don’t let agents move tokens.',
    fix: 'Set tokens to “Listed ones” in Rules.',
  },
  {
    code: 'raw_hash_not_allowed',
    sentence: 'the organization does not let agents sign bare hashes',
    variants: [
      { limit: 'true', sentence: 'this hash stands for a payload with effects, so sign the payload itself' },
    ],
    what: 'It asked to sign a bare hash, which could be anything.',
    fix: 'Send the message or transaction itself. Rules can allow bare hashes, but nothing shows what such a hash signs.',
  },
  {
    code: 'approval_not_allowed',
    sentence: 'agents approve finite amounts of tokens only; that is built in[, and this approves {actual}]',
    what: 'It would have let someone take tokens without a limit.',
    fix: 'Approve a finite amount within the token’s caps.',
  },
  {
    code: 'contract_creation_not_allowed',
    sentence: 'agents never create contracts; that is built in',
    what: 'It would have deployed a contract, which agents may never do.',
    fix: 'Deploy from your backend with a secret key.',
  },
  {
    code: 'account_admin_not_allowed',
    sentence: 'agents never change who controls an account; that is built in',
    what: 'It would have changed who owns or controls an account, which agents may never do.',
    fix: 'Change owners and permissions from your backend.',
  },
  {
    code: 'authorization_not_allowed',
    sentence: 'agents never let other code control their account (EIP-7702); that is built in',
    what: 'It would have let other code control the account (EIP-7702), which agents may never do.',
    fix: 'Authorize from your backend with a secret key.',
  },
  {
    code: 'typed_data_not_allowed',
    sentence: 'agents sign only typed data whose effects are known; that is built in',
    what: 'The typed data could move value in a way that cannot be priced.',
    fix: 'Use a known kind of typed data (permits, transfers with authorization), or sign from your backend.',
  },
  {
    code: 'sign_in_not_allowed',
    sentence: '{who} allows sign-ins to [{limit}|no domain][, but this is one to {actual}]',
    what: 'It would have logged in to a domain that is not listed, or the message was for another address or host.',
    fix: 'Add the domain to `allowed_sign_in_domains`. If the message names another host or address, investigate who asked for it.',
  },
  {
    code: 'message_not_allowed',
    sentence: 'agents never sign a message whose signature becomes a key; that is built in',
    what: 'The message asked for a signature that a key is derived from.',
    fix: 'Create such keys from a wallet that people control.',
  },
  {
    code: 'message_is_transaction',
    sentence: 'agents never sign a message that could be a transaction or its hash; that is built in',
    what: 'The message was a transaction or an operation in disguise.',
    fix: 'Send it as a transaction or operation, so that it counts against the budget. If nobody meant to send one, investigate the agent.',
  },
  {
    code: 'payload_undecodable',
    sentence:
      'agents sign only payloads whose bytes show their whole effect, and these do not; that is built in',
    what: 'The effects of the bytes are unknown.',
    fix: 'Use a plain transfer or a known call, or list the contract that it calls.',
  },
  {
    code: 'wallet_archived',
    sentence: 'the wallet is archived',
    what: 'The wallet is archived.',
    fix: 'If it should sign again, restore it on the Wallets page.',
  },
  {
    code: 'wallet_mismatch',
    sentence: 'the session signs for its own wallet[ {limit}] only, but this names [{actual}|another one]',
    what: 'It named a wallet other than the session’s.',
    fix: 'Leave out `wallet_id`, or mint a session for that wallet.',
  },
] as const satisfies readonly ReasonRow[]
