import { policyFields } from '@symbolon/policy/fields'
import * as z from 'zod'
import { Amount, GivenTimestamp, Timestamp, VisibleAscii } from './formats.ts'

export { policyFields } from '@symbolon/policy/fields'

type Field = (typeof policyFields)[number]

/** Addresses and tokens of all networks. */
const text = VisibleAscii.min(1).max(256)

/** A chain's handle within a policy; whether the chain exists is checked where the policy is stored. */
const PolicyChain = VisibleAscii.min(1).max(64)

/** What an agent may do: messages (also typed data and hashes), or whatever becomes a transaction. */
export const AgentMethod = z.enum(wordsOf('allowed_methods')).meta({ id: 'AgentMethod' })

/** How tokens may move: not at all, those on allow-lists, or any that no allow-list forbids. */
export const TokenMode = z.enum(wordsOf('token_mode')).meta({ id: 'TokenMode' })

/** A token that may be spent, with its own caps in its smallest unit; a missing cap is none. */
export const AllowedToken = z
  .strictObject({
    chain: PolicyChain,
    token: text.meta({
      description:
        'ERC-20 address, SPL mint, TRC-20 address or TRC-10 id, `CODE:ISSUER`, denom, fungible-asset metadata address, NEP-141 account.',
    }),
    max_per_tx: Amount.meta({ description: 'Per payload. Unlimited if missing.' }).exactOptional(),
    max_total: Amount.meta({
      description: 'For all payloads together. Unlimited if missing.',
    }).exactOptional(),
  })
  .meta({ id: 'AllowedToken' })

/** A contract that may be called; without selectors, every method that does nothing but call. */
export const AllowedContract = z
  .strictObject({
    chain: PolicyChain,
    address: text,
    selectors: z
      .array(
        z
          .string()
          .regex(
            /^(?:0x(?:[0-9a-fA-F]{2}|[0-9a-fA-F]{8}|[0-9a-fA-F]{16})|(?!0x)[A-Za-z0-9_.$-]{1,128}(?:::[A-Za-z0-9_]{1,128})?)$/,
            'must be a selector of its chain',
          ),
      )
      .max(64)
      .meta({
        description:
          '4-byte selectors in 0x hex on EVM chains and Tron, method names on Near, CosmWasm and Soroban, `module::function` on Aptos, the first 1, 4 or 8 bytes of the instruction data in 0x hex on Solana. Every method if missing.',
      })
      .exactOptional(),
  })
  .meta({ id: 'AllowedContract' })

/** A cap on one native asset, which is named as in `spent`. */
export const AssetCap = z
  .strictObject({
    asset: VisibleAscii.min(1).max(32).meta({ description: 'A native asset: `ETH`, `BTC`.' }),
    max: Amount.meta({ description: 'In the smallest unit.' }),
  })
  .meta({ id: 'AssetCap' })

/** The schema of a field in requests. */
type GivenOf<field extends Field> = {
  amount: typeof Amount
  count: z.ZodInt
  expiry: typeof GivenTimestamp
  flag: z.ZodBoolean
  mode: typeof TokenMode
  'allow-list': z.ZodArray<typeof text>
  'method-list': z.ZodArray<typeof AgentMethod>
  'deny-list': z.ZodArray<typeof text>
  'token-list': z.ZodArray<typeof AllowedToken>
  'contract-list': z.ZodArray<typeof AllowedContract>
  'domain-list': z.ZodArray<typeof text>
  'asset-caps': z.ZodArray<typeof AssetCap>
}[field['kind']]

/** The schema of a field in answers. */
type ShownOf<field extends Field> = {
  amount: z.ZodNullable<typeof Amount>
  count: z.ZodNullable<z.ZodInt>
  expiry: z.ZodNullable<typeof Timestamp>
  flag: z.ZodBoolean
  mode: typeof TokenMode
  'allow-list': z.ZodNullable<z.ZodArray<typeof text>>
  'method-list': z.ZodNullable<z.ZodArray<typeof AgentMethod>>
  'deny-list': z.ZodArray<typeof text>
  'token-list': z.ZodNullable<z.ZodArray<typeof AllowedToken>>
  'contract-list': z.ZodArray<typeof AllowedContract>
  'domain-list': z.ZodNullable<z.ZodArray<typeof text>>
  'asset-caps': z.ZodNullable<z.ZodArray<typeof AssetCap>>
}[field['kind']]

function givenOf(field: Field): z.ZodType {
  switch (field.kind) {
    case 'amount':
      return Amount
    case 'count':
      return z.int().min(field.min).max(field.max)
    case 'expiry':
      return GivenTimestamp
    case 'flag':
      return z.boolean()
    case 'mode':
      return TokenMode
    case 'method-list':
      return z.array(AgentMethod).max(AgentMethod.options.length)
    default:
      return z.array(itemOf(field)).max(field.itemsMax)
  }
}

function shownOf(field: Field): z.ZodType {
  switch (field.kind) {
    case 'amount':
      return Amount.nullable()
    case 'count':
      return z.int().nullable()
    case 'expiry':
      return Timestamp.nullable()
    case 'flag':
      return z.boolean()
    case 'mode':
      return TokenMode
    case 'method-list':
      return z.array(AgentMethod).nullable()
    case 'token-list':
      return z.array(AllowedToken).nullable().meta({
        description: 'Null, only with `token_mode` `any`: every token, without caps.',
      })
    case 'allow-list':
    case 'domain-list':
    case 'asset-caps':
      return z.array(itemOf(field)).nullable()
    default:
      return z.array(itemOf(field))
  }
}

function itemOf(field: Extract<Field, { itemsMax: number }>): z.ZodType {
  if (field.kind === 'token-list') return AllowedToken
  if (field.kind === 'contract-list') return AllowedContract
  if (field.kind === 'asset-caps') return AssetCap
  if (field.kind === 'domain-list') return text
  return field.items === 'chain' ? PolicyChain : text
}

/** The schemas of fields, by name. */
function shapeOf(fields: readonly Field[], schemaOf: (field: Field) => z.ZodType): z.ZodRawShape {
  return Object.fromEntries(fields.map((field) => [field.name, schemaOf(field)]))
}

function described(field: Field): z.ZodType {
  const examples = 'example' in field ? { examples: [field.example] } : {}
  return givenOf(field).meta({ description: field.description, ...examples })
}

type FieldOf<layer> = Extract<Field, { layers: layer }>
type OptionalShape<field extends Field> = {
  [one in field as one['name']]: z.ZodExactOptional<GivenOf<one>>
}

const ofAgent = policyFields.filter(({ layers }) => layers[0] === 'agent')
const ofOrganization = policyFields.filter(({ layers }) => layers[0] === 'organization')
const optional = (field: Field) => described(field).exactOptional()

/** The fields of the agent's and of the session's layer; a missing number is unlimited, a missing list everything, an empty one nothing. */
const agentShape = shapeOf(ofAgent, optional) as OptionalShape<FieldOf<readonly ['agent', 'session']>>

/** The fields of a new session: anything unlimited must be given explicitly. */
export const mintShape = {
  ...agentShape,
  ...(shapeOf(
    ofAgent.filter((field) => 'isRequiredToMint' in field),
    described,
  ) as { [one in Extract<Field, { isRequiredToMint: true }> as one['name']]: GivenOf<one> }),
}

/** The policy of an agent: a closed schema. */
export const AgentPolicy = z.strictObject(agentShape).meta({ id: 'AgentPolicy' })

/** The global rules of an organization, which all its agents obey. */
export const OrganizationRules = z
  .strictObject(shapeOf(ofOrganization, optional) as OptionalShape<FieldOf<readonly ['organization']>>)
  .meta({ id: 'OrganizationRules' })

/** The rules with the time of their last change; null while nobody has set any. */
export const StoredRules = z
  .strictObject({ rules: OrganizationRules, updated_at: Timestamp.nullable() })
  .meta({ id: 'StoredRules' })

/** What PUT takes: the rules themselves, or the form in which GET answers them; `updated_at` changes nothing. */
export const PutRules = OrganizationRules.extend({
  rules: OrganizationRules.exactOptional(),
  updated_at: Timestamp.nullable().exactOptional(),
})
  .refine(
    isOneForm,
    'must be the rules themselves, or `rules` with an optional `updated_at` and nothing else',
  )
  .meta({ id: 'PutRules' })

function isOneForm({
  rules,
  updated_at: updatedAt,
  ...bare
}: object & { rules?: object; updated_at?: unknown }) {
  return rules === undefined ? updatedAt === undefined : Object.keys(bare).length === 0
}

type Shown = Exclude<Field, { shownIn: string | null }>

/** The intersection of all layers: null is unlimited, or everything. */
export const EffectivePolicy = z
  .strictObject(
    shapeOf(
      policyFields.filter((field) => !('shownIn' in field)),
      shownOf,
    ) as { [one in Shown as one['name']]: ShownOf<one> },
  )
  .meta({ id: 'EffectivePolicy' })

/** A policy as the wire has it. */
export type AgentPolicy = z.output<typeof AgentPolicy>
/** Rules as the wire has them. */
export type OrganizationRules = z.output<typeof OrganizationRules>
export type PutRules = z.output<typeof PutRules>
export type StoredRules = z.output<typeof StoredRules>
/** The effective policy of all layers. */
export type EffectivePolicy = z.output<typeof EffectivePolicy>

function wordsOf<name extends Extract<Field, { words: object }>['name']>(name: name) {
  type Words = keyof Extract<Field, { name: name; words: object }>['words'] & string
  const field = policyFields.find((one) => one.name === name)
  return Object.keys(field !== undefined && 'words' in field ? field.words : {}) as Words[]
}
