import type { PolicyReason, Refusal } from '@symbolon/policy'
import { limitList, shownActual } from './refusal-texts.ts'

/** The parts of a refusal as a sentence may say them: `limit` a bounded list or null, `actual` nothing dressed up, or null. */
type Said = { rule: string; who: string; limit: string | null; actual: string | null }

type Sentence = (said: Said) => string

const units = ', in the smallest unit'

/** What holds for every agent, whatever its policy: no rule of the organization could be changed. */
const builtIn = (what: string): Sentence => {
  return () => `${what}; that is built in`
}

/** A list of what is allowed, and what this is. */
const allows = (kind: string, verb: string): Sentence => {
  return ({ who, limit, actual }) =>
    `${who} allows ${limit === null ? `no ${kind}` : `the ${kind} ${limit}`}${actual === null ? '' : `, ${verb} ${actual}`}`
}

/** A number that may not be passed. */
const caps = (limitOf: (limit: string) => string, verb: string): Sentence => {
  return ({ who, limit, actual }) =>
    `${who} allows ${limit === null ? 'less' : limitOf(limit)}${actual === null ? '' : `, ${verb} ${actual}`}${units}`
}

const inAll = caps((limit) => `${limit} in all`, 'this would make it')
const perTransaction = caps((limit) => `${limit} per transaction`, 'this moves')
const contractCall: Sentence = ({ who, actual }) =>
  `${actual === null ? 'what is called' : `the call of ${actual}`} is not among the contracts that ${who} allows`
const unnamedMethod: Sentence = ({ who, actual }) =>
  `the contract of ${actual ?? 'this call'} is a token of allowed_tokens too, and what this method does to it cannot be told: ${who} has to name it in selectors`
const neverSuchCalls = builtIn('agents never make calls of this kind, whatever contracts are allowed')

/** One clear sentence per reason (agents.md "Policy"). */
const sentences: Readonly<Record<PolicyReason, Sentence>> = {
  wallet_archived: () => 'the wallet is archived',
  wallet_mismatch: ({ limit, actual }) =>
    `the session signs for its own wallet${limit === null ? '' : ` ${limit}`} only, this names ${actual ?? 'another one'}`,
  method_not_allowed: allows('methods', 'this is'),
  chain_blocked: ({ limit, actual }) =>
    `the organization blocks the chains ${limit ?? 'of its list'}, this is good on ${actual ?? 'one of them'}`,
  chain_not_allowed: allows('chains', 'this is on'),
  recipient_not_allowed: allows('recipients', 'this goes to'),
  recipient_blocked: ({ actual }) => `the organization blocks ${actual ?? 'the recipient, or may'}`,
  contract_creation_not_allowed: builtIn('agents never create contracts'),
  contract_call_not_allowed(said) {
    if (said.rule === 'allowed_contracts') return contractCall(said)
    return said.rule === 'allowed_contracts.selectors' ? unnamedMethod(said) : neverSuchCalls(said)
  },
  token_transfers_disabled: ({ actual }) =>
    `the organization lets agents move no tokens, this moves ${actual ?? 'one'}`,
  token_not_allowed: allows('tokens', 'this moves'),
  approval_not_allowed: (said) =>
    `${builtIn('agents approve finite amounts of tokens only')(said)}${said.actual === null ? '' : `, and this approves ${said.actual}`}`,
  account_admin_not_allowed: builtIn('agents never change who controls an account'),
  authorization_not_allowed: builtIn('agents never hand their account to code (EIP-7702)'),
  typed_data_not_allowed: builtIn('agents sign only typed data whose effects are known'),
  raw_hash_not_allowed: ({ limit }) =>
    limit === 'true'
      ? 'what this hash is of has effects, and is to be signed as what it is'
      : 'the organization lets agents sign no bare hashes',
  message_is_transaction: builtIn('agents never sign a message that could be a transaction or its hash'),
  payload_undecodable: builtIn('agents sign only what can be told from its bytes, and this cannot'),
  org_per_tx_cap_exceeded: perTransaction,
  per_tx_cap_exceeded: perTransaction,
  fee_cap_exceeded: caps((limit) => `a fee of ${limit}`, 'this may cost'),
  token_cap_exceeded: caps((limit) => `${limit} of the token`, 'this would make it'),
  total_cap_exceeded: inAll,
  org_total_cap_exceeded: inAll,
  tx_count_exceeded: ({ who, limit, actual }) =>
    `${who} allows ${limit ?? 'fewer'} transaction${limit === '1' ? '' : 's'}${actual === null ? '' : `, this would be number ${actual}`}`,
}

const ofChain: ReadonlySet<PolicyReason> = new Set(['chain_not_allowed', 'chain_blocked'])

/**
 * A refusal in one sentence for people and models, with its reason at the end; `details` has the rest. `assumedChain` is the
 * handle that was taken where the request named none.
 */
export function refusalMessage(
  { reason, layer, rule, limit, actual }: Refusal,
  { assumedChain }: { assumedChain?: string } = {},
): string {
  // The chains that a payload is good on are our own words.
  const shown = reason === 'chain_blocked' ? limitList(actual) : shownActual(actual)
  const said = { rule, who: `the ${layer}`, limit: limitList(limit), actual: shown }
  const assumed =
    assumedChain !== undefined && ofChain.has(reason)
      ? `; the request names no chain, so ${assumedChain} was assumed`
      : ''
  return `The policy refuses this: ${sentences[reason](said)}${assumed} (${reason}).`
}
