import fc from 'fast-check'
import { agentFields, organizationFields } from './field-rows.ts'
import type { PolicyFieldRow } from './fields.ts'
import type { AllowedContract, AllowedToken, Layers, Policy, Rules } from './policy.ts'
import { placeKey } from './policy-names.ts'
import { names, randomPolicy, randomRules } from './random-layers.fuzz.ts'

/**
 * Layers and the same with one rule more, less room in one rule, or one version more of a layer that is there: never
 * wider. A token that leaves the last list is a contract like any other from then on; a method of a listed token that is named for the first
 * time is asked for, and so is one of any contract where recipients are listed and the method does not say who is paid: none of that is less
 * room.
 */
export function tightened(layers: Layers): fc.Arbitrary<Layers> {
  const listed = tokensOf(layers)
  const hasRecipients = [...layers.agent, ...layers.session].some((one) => one.allowed_recipients !== null)
  const isNamingLess = (key: string) => !hasRecipients && !listed.has(key)
  const versions = fc.oneof(
    randomRules.map((rules) => ({ ...layers, organization: [...layers.organization, rules] })),
    randomPolicy.map((policy) => ({ ...layers, session: [...layers.session, policy] })),
    ...(layers.agent.length > 0
      ? [randomPolicy.map((policy) => ({ ...layers, agent: [...layers.agent, policy] }))]
      : []),
  )
  const rules = layers.organization.map((_, index) =>
    narrowRules(layers.organization[index] ?? fail()).map((narrow) => ({
      ...layers,
      organization: layers.organization.with(index, narrow),
    })),
  )
  const policies = (['agent', 'session'] as const).flatMap((layer) =>
    layers[layer].map((policy, index) =>
      narrowPolicy(policy, isNamingLess).map((narrow) => ({
        ...layers,
        [layer]: layers[layer].with(index, narrow),
      })),
    ),
  )
  return fc
    .oneof(versions, ...rules, ...policies)
    .filter((narrow) => [...listed].every((key) => tokensOf(narrow).has(key)))
}

/** The tokens that any layer lists. */
function tokensOf({ agent, session }: Layers): ReadonlySet<string> {
  return new Set(
    [...agent, ...session].flatMap(
      ({ allowed_tokens }) => allowed_tokens?.map(({ chain, token }) => placeKey(chain, token, names)) ?? [],
    ),
  )
}

function narrowRules(rules: Rules): fc.Arbitrary<Rules> {
  const other = randomRules
  return other.chain((drawn) =>
    fc.constantFrom<Rules>(
      { ...rules, blocked_chains: [...rules.blocked_chains, ...drawn.blocked_chains] },
      { ...rules, blocked_recipients: [...rules.blocked_recipients, ...drawn.blocked_recipients] },
      ...lessOfEach(organizationFields, rules, drawn),
      { ...rules, token_mode: rules.token_mode === 'any' ? 'allowlist' : 'none' },
      { ...rules, allow_raw_hash: false },
    ),
  )
}

function narrowPolicy(policy: Policy, isNamingLess: (key: string) => boolean): fc.Arbitrary<Policy> {
  return fc.tuple(randomPolicy, fc.nat(3)).chain(([drawn, n]) =>
    fc.constantFrom<Policy>(
      ...lessOfEach(agentFields, policy, drawn),
      { ...policy, max_tx_count: Math.min(policy.max_tx_count ?? n, n) },
      { ...policy, allowed_chains: fewer(policy.allowed_chains, drawn.allowed_chains, n) },
      { ...policy, allowed_methods: fewer(policy.allowed_methods, drawn.allowed_methods, n) },
      { ...policy, allowed_recipients: fewer(policy.allowed_recipients, drawn.allowed_recipients, n) },
      { ...policy, allowed_tokens: withoutToken(policy.allowed_tokens, n) },
      { ...policy, allowed_tokens: policy.allowed_tokens?.map((token) => cappedToken(token, drawn)) ?? null },
      { ...policy, allowed_contracts: policy.allowed_contracts?.toSpliced(n, 1) ?? null },
      {
        ...policy,
        allowed_contracts:
          policy.allowed_contracts?.map((one) => withFewerSelectors(one, isNamingLess)) ?? null,
      },
    ),
  )
}

/** The values with one amount less, for each of the table's. */
function lessOfEach<values extends Policy | Rules>(
  rows: readonly PolicyFieldRow[],
  values: values,
  drawn: values,
): values[] {
  const [given, others] = [values, drawn].map((one) => new Map<string, unknown>(Object.entries(one)))
  return (
    rows
      // A cap on fees where there was none lifts the ceiling of the chain.
      .filter(
        ({ kind, name }) =>
          kind === 'amount' && !(name === 'max_fee_per_tx_native' && given?.get(name) === null),
      )
      .map(({ name }) => ({
        ...values,
        [name]: less(amountOf(given?.get(name)), amountOf(others?.get(name))),
      }))
  )
}

const amountOf = (value: unknown): bigint | null => (typeof value === 'bigint' ? value : null)

/** Without all entries of the token at `n`: the caps of one may be stricter than those of another. */
function withoutToken(tokens: Policy['allowed_tokens'], n: number): Policy['allowed_tokens'] {
  const gone = tokens?.[n]
  if (!tokens || !gone) return tokens
  const goneKey = placeKey(gone.chain, gone.token, names)
  return tokens.filter(({ chain, token }) => placeKey(chain, token, names) !== goneKey)
}

function cappedToken(token: AllowedToken, drawn: Policy): AllowedToken {
  return {
    ...token,
    maxPerTx: less(token.maxPerTx, drawn.max_spend_per_tx_native),
    maxTotal: less(token.maxTotal, drawn.max_spend_total_native),
  }
}

function withFewerSelectors(
  contract: AllowedContract,
  isNamingLess: (key: string) => boolean,
): AllowedContract {
  if (contract.selectors === null && !isNamingLess(placeKey(contract.chain, contract.address, names)))
    return contract
  return { ...contract, selectors: contract.selectors?.slice(1) ?? ['0x12345678'] }
}

/** What is there and not at `n`; where everything is allowed, what was drawn. */
function fewer<item>(
  list: readonly item[] | null,
  drawn: readonly item[] | null,
  n: number,
): readonly item[] | null {
  return list === null ? drawn : list.toSpliced(n, 1)
}

function less(value: bigint | null, drawn: bigint | null): bigint | null {
  if (value === null || drawn === null) return value ?? drawn
  return drawn < value ? drawn : value
}

function fail(): never {
  throw new Error('no such version')
}
