import * as z from 'zod'
import { Amount, GivenTimestamp, Timestamp, VisibleAscii } from './formats.ts'

/** Addresses and tokens of all networks. */
const text = VisibleAscii.min(1).max(256)

/** A chain's handle within a policy; whether the chain exists is checked where the policy is stored. */
const PolicyChain = VisibleAscii.min(1).max(64)

/** What an agent may do: messages (also typed data and hashes), or whatever becomes a transaction. */
export const AgentMethod = z.enum(['signMessage', 'sendTransaction']).meta({ id: 'AgentMethod' })

/** A token that may be spent, with its own caps in its smallest unit; a missing cap is none. */
export const AllowedToken = z
  .strictObject({
    chain: PolicyChain,
    token: text.meta({
      description:
        'ERC-20 address, SPL mint, TRC-20 address or TRC-10 id, `CODE:ISSUER`, denom, fungible-asset metadata address, NEP-141 account.',
    }),
    max_per_tx: Amount.meta({ description: 'Of one payload. Missing: no limit.' }).exactOptional(),
    max_total: Amount.meta({ description: 'Of all payloads together. Missing: no limit.' }).exactOptional(),
  })
  .meta({ id: 'AllowedToken' })

/** A contract that may be called; without selectors every method of it that does no more than a call. */
export const AllowedContract = z
  .strictObject({
    chain: PolicyChain,
    address: text,
    selectors: z
      .array(z.string().regex(/^0x[0-9a-fA-F]{8}$/, 'not a 4-byte selector in 0x hex'))
      .max(64)
      .exactOptional(),
  })
  .meta({ id: 'AllowedContract' })

/** The fields of the agent's and of the session's layer; a missing number is unlimited, a missing list everything, an empty one nothing. */
export const policyFields = {
  max_spend_per_tx_native: Amount.meta({
    description:
      'Native value of one payload at most, in the smallest unit (wei, lamports, satoshi). Fees do not count.',
    examples: ['100000000000000000'],
  }).exactOptional(),
  max_spend_total_native: Amount.meta({
    description:
      'Native value of all payloads together at most, over the whole life of the session, per native asset. Fees do not count.',
    examples: ['250000000000000000'],
  }).exactOptional(),
  allowed_chains: z
    .array(PolicyChain)
    .max(64)
    .meta({ description: 'Handles of chains, as `GET /v1/chains` lists them. Empty: none.' })
    .exactOptional(),
  allowed_methods: z
    .array(AgentMethod)
    .max(2)
    .meta({
      description:
        '`signMessage`: messages, typed data and hashes; `sendTransaction`: transactions and operations. Empty: nothing.',
    })
    .exactOptional(),
  allowed_recipients: z
    .array(text)
    .max(256)
    .meta({
      description:
        "Who may get anything, on any network; of a token's transfer the decoded recipient. Missing: everybody. Empty: nobody.",
    })
    .exactOptional(),
  allowed_tokens: z.array(AllowedToken).max(128).exactOptional().meta({
    description: 'Missing: no token, unless the organization’s `token_mode` is `any`.',
  }),
  allowed_contracts: z
    .array(AllowedContract)
    .max(128)
    .exactOptional()
    .meta({ description: 'Missing: none.' }),
  max_fee_per_tx_native: Amount.meta({
    description: 'Fee of one transaction in the worst case, in the smallest unit. Missing: no limit.',
  }).exactOptional(),
  max_tx_count: z
    .int()
    .min(0)
    .max(1_000_000_000)
    .meta({
      description: 'Transactions and operations, over the whole life of the session. Missing: no limit.',
    })
    .exactOptional(),
  expires_at: GivenTimestamp.meta({
    description: 'From when on nothing is signed: RFC 3339, with a time zone.',
  }).exactOptional(),
}

/** The policy of an agent: a closed schema. */
export const AgentPolicy = z.strictObject(policyFields).meta({ id: 'AgentPolicy' })

/** How tokens may move: not at all, those on allow-lists, or any that no allow-list forbids. */
export const TokenMode = z.enum(['none', 'allowlist', 'any']).meta({ id: 'TokenMode' })

/** The global rules of an organization, which all its agents obey. */
export const OrganizationRules = z
  .strictObject({
    blocked_chains: z.array(PolicyChain).max(64).exactOptional(),
    blocked_recipients: z.array(text).max(1024).exactOptional().meta({
      description:
        'Accounts, contracts and tokens of any network; what can be the name of none of them is `invalid_request`, since it would block nobody.',
    }),
    max_native_per_tx_cap: Amount.exactOptional(),
    max_native_total_cap: Amount.exactOptional().meta({ description: 'Per session and native asset.' }),
    token_mode: TokenMode.exactOptional().meta({ description: 'Default `allowlist`.' }),
    allow_raw_hash: z.boolean().exactOptional().meta({ description: 'Default `false`.' }),
    max_session_ttl_seconds: z.int().min(60).max(3_153_600_000).exactOptional(),
  })
  .meta({ id: 'OrganizationRules' })

/** The rules with the time of their last change; null while nobody has set any. */
export const StoredRules = z
  .strictObject({ rules: OrganizationRules, updated_at: Timestamp.nullable() })
  .meta({ id: 'StoredRules' })

/** What is left of all layers: null is unlimited, or everything. */
export const EffectivePolicy = z
  .strictObject({
    max_spend_per_tx_native: Amount.nullable(),
    max_spend_total_native: Amount.nullable(),
    allowed_chains: z.array(PolicyChain).nullable(),
    allowed_methods: z.array(AgentMethod).nullable(),
    allowed_recipients: z.array(text).nullable(),
    allowed_tokens: z.array(AllowedToken).nullable().meta({
      description: 'Null, which only `token_mode` `any` knows: every token, without caps.',
    }),
    allowed_contracts: z.array(AllowedContract),
    max_fee_per_tx_native: Amount.nullable(),
    max_tx_count: z.int().nullable(),
    expires_at: Timestamp.nullable(),
    blocked_chains: z.array(PolicyChain),
    blocked_recipients: z.array(text),
    token_mode: TokenMode,
    allow_raw_hash: z.boolean(),
  })
  .meta({ id: 'EffectivePolicy' })

/** A policy as the wire has it. */
export type AgentPolicy = z.output<typeof AgentPolicy>
/** Rules as the wire has them. */
export type OrganizationRules = z.output<typeof OrganizationRules>
/** The meet of all layers. */
export type EffectivePolicy = z.output<typeof EffectivePolicy>
