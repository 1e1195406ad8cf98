import * as z from 'zod'
import { Spent } from './agent-decision.ts'
import { EffectivePolicy, mintShape } from './agent-policy.ts'
import { ChainHandle, DisplayName, EvmAddress, Hex, Id, Timestamp, Wei } from './formats.ts'
import { SignatureReceipt, WantsReceipt } from './receipt.ts'
import { SignRequest } from './sign-request.ts'
import { page } from './wallet-list.ts'

/** What a session is minted with: wallet, name and policy; `agent_id` binds its token to an agent, for A2A. */
export const MintAgentSession = z
  .strictObject({
    ...mintShape,
    wallet_id: Id.meta({ description: 'The TEE wallet that the token signs with.' }),
    name: DisplayName.meta({ description: 'Shown in the portal.' }),
    agent_id: Id.meta({
      description:
        'Binds the token to an agent of this wallet: the agent’s policy applies too, and the token can give it tasks (A2A, MCP).',
    }).exactOptional(),
  })
  .meta({ id: 'MintAgentSession' })

/** Where a session stands; `exhausted` when a native total or the count of transactions is used up. */
export const AgentSessionStatus = z
  .enum(['active', 'revoked', 'expired', 'exhausted'])
  .meta({ id: 'AgentSessionStatus' })

const shape = {
  id: Id,
  organization_id: Id,
  agent_id: Id.nullable(),
  wallet_id: Id,
  name: z.string(),
  status: AgentSessionStatus,
  token_hint: z.string().nullable().meta({
    description: 'The last four characters. Null for the session of the agent’s own runs.',
  }),
  max_spend_per_tx_native: EffectivePolicy.shape.max_spend_per_tx_native,
  max_spend_total_native: EffectivePolicy.shape.max_spend_total_native,
  spent_total_native: z.string().meta({ description: 'For the native asset with the least left.' }),
  reserved_native: z.string(),
  remaining_native: z.string().nullable(),
  allowed_chains: EffectivePolicy.shape.allowed_chains,
  allowed_methods: EffectivePolicy.shape.allowed_methods,
  allowed_recipients: EffectivePolicy.shape.allowed_recipients,
  allowed_tokens: EffectivePolicy.shape.allowed_tokens,
  effective_policy: EffectivePolicy,
  clipped: z.array(z.string()).meta({
    description: 'The fields that another layer limits further than this session asked for.',
  }),
  spent: z.array(Spent).meta({ description: 'One row per native asset, then one per token.' }),
  transactions: z.strictObject({ count: z.int(), reserved: z.int(), max: z.int().nullable() }),
  expires_at: Timestamp.nullable(),
  created_at: Timestamp,
  last_used_at: Timestamp.nullable(),
  revoked_at: Timestamp.nullable(),
}

/** A session without its token. */
export const AgentSession = z.strictObject(shape).meta({ id: 'AgentSession' })

/** Something about a new session to look at. `assets_differ`: one cap meets chains with different native assets. */
export const MintWarning = z
  .strictObject({ code: z.enum(['assets_differ']), message: z.string() })
  .meta({ id: 'MintWarning' })

/** A new session with its token, which is returned only here. */
export const MintedAgentSession = z
  .strictObject({
    ...shape,
    token: z.string().meta({ description: '`as_live_…`, shown once.' }),
    warnings: z.array(MintWarning).meta({ description: 'Where the policy may not mean what you expect.' }),
  })
  .meta({ id: 'MintedAgentSession' })

/** Page and filters of the list of sessions. */
export const ListAgentSessions = z.strictObject({
  ...page,
  agent_id: Id.exactOptional(),
  wallet_id: Id.exactOptional(),
  status: AgentSessionStatus.exactOptional(),
})

/** A page of sessions, newest first. */
export const AgentSessionPage = z
  .strictObject({ items: z.array(AgentSession), total: z.int(), limit: z.int(), offset: z.int() })
  .meta({ id: 'AgentSessionPage' })

/** A transaction that an agent has made: prepared, signed and sent for it. */
export const SendAgentTransaction = z
  .strictObject({
    chain: ChainHandle,
    to: z.string().meta({ description: 'The recipient or contract: 20 bytes in hex with 0x.' }),
    value: Wei.meta({ description: 'In wei, decimal. Defaults to 0.' }).exactOptional(),
    data: Hex.meta({ description: 'Calldata. Defaults to none.' }).exactOptional(),
    receipt: WantsReceipt.exactOptional(),
  })
  .meta({ id: 'SendAgentTransaction' })

/** What was sent. */
export const SentAgentTransaction = z
  .strictObject({
    tx_hash: Hex,
    chain: z.string(),
    chain_id: z.int(),
    nonce: z.string().meta({ description: '0x hex.' }),
    from: EvmAddress,
    receipt: SignatureReceipt.optional(),
  })
  .meta({ id: 'SentAgentTransaction' })

/** What an agent asks to have signed; with its token `wallet_id` may be named, and has to be its own. */
export const AgentSignRequest = SignRequest

/** A session as the API returns it. */
export type AgentSession = z.output<typeof AgentSession>
/** A warning of a mint. */
export type MintWarning = z.output<typeof MintWarning>
/** A mint request, parsed. */
export type MintAgentSession = z.output<typeof MintAgentSession>
/** A transaction request, parsed. */
export type SendAgentTransaction = z.output<typeof SendAgentTransaction>
