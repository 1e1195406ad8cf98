import { least } from './bound.ts'
import type { AssetCapJson, ContractJson, TokenJson } from './entries-json.ts'
import { kindOf } from './field-kinds.ts'
import { policyFields } from './fields.ts'
import type { Effective, PolicyField, Rules } from './policy.ts'

type Shown = Exclude<PolicyField, { shownIn: string | null }>

type JsonOf<row extends Shown> = {
  amount: string | null
  count: number | null
  expiry: string | null
  flag: boolean
  mode: Rules['token_mode']
  'allow-list': readonly string[] | null
  'method-list': Effective['allowed_methods']
  'deny-list': readonly string[]
  'token-list': readonly TokenJson[] | null
  'contract-list': readonly ContractJson[]
  'domain-list': readonly string[] | null
  'asset-caps': readonly AssetCapJson[] | null
}[row['kind']]

/** An effective policy as the wire has it (`EffectivePolicy` of `@symbolon/api`). */
export type EffectiveJson = { readonly [row in Shown as row['name']]: JsonOf<row> }

/** An effective policy in wire form; the organization's caps are folded into the spend caps. */
export function effectiveToJson(effective: Effective): EffectiveJson {
  return Object.fromEntries(
    policyFields
      .filter((row): row is Shown => !('shownIn' in row))
      .map((row) => {
        const { toJson } = kindOf(row)
        return [row.name, toJson(row.kind === 'amount' ? folded(effective, row.name) : effective[row.name])]
      }),
  ) as EffectiveJson
}

/** The least of an amount and of those that it shows too. */
function folded(effective: Effective, name: string): bigint | null {
  return least(
    policyFields.flatMap((row) =>
      row.kind === 'amount' && (row.name === name || ('shownIn' in row && row.shownIn === name))
        ? [effective[row.name]]
        : [],
    ),
  )
}
