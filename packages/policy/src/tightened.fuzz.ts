import fc from 'fast-check'
import type { AllowedContract, AllowedToken, Layers, Policy, Rules } from './policy.ts'
import { placeKey } from './policy-names.ts'
import { names, randomPolicy, randomRules } from './random-layers.fuzz.ts'

/**
 * Layers and the same with one rule more, less room in one rule, or one version more of a layer that is there: never
 * wider. A token that leaves the last list is a contract like any other from then on, and a method of one that is named for the first time
 * is asked for: neither is less room.
 */
export function tightened(layers: Layers): fc.Arbitrary<Layers> {
  const listed = tokensOf(layers)
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
      narrowPolicy(policy, listed).map((narrow) => ({
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
      ({ allowedTokens }) => allowedTokens?.map(({ chain, token }) => placeKey(chain, token, names)) ?? [],
    ),
  )
}

function narrowRules(rules: Rules): fc.Arbitrary<Rules> {
  const other = randomRules
  return other.chain((drawn) =>
    fc.constantFrom<Rules>(
      { ...rules, blockedChains: [...rules.blockedChains, ...drawn.blockedChains] },
      { ...rules, blockedRecipients: [...rules.blockedRecipients, ...drawn.blockedRecipients] },
      { ...rules, maxNativePerTxCap: less(rules.maxNativePerTxCap, drawn.maxNativePerTxCap) },
      { ...rules, maxNativeTotalCap: less(rules.maxNativeTotalCap, drawn.maxNativeTotalCap) },
      { ...rules, tokenMode: rules.tokenMode === 'any' ? 'allowlist' : 'none' },
      { ...rules, allowRawHash: false },
    ),
  )
}

function narrowPolicy(policy: Policy, listed: ReadonlySet<string>): fc.Arbitrary<Policy> {
  return fc.tuple(randomPolicy, fc.nat(3)).chain(([drawn, n]) =>
    fc.constantFrom<Policy>(
      { ...policy, maxSpendPerTxNative: less(policy.maxSpendPerTxNative, drawn.maxSpendPerTxNative) },
      { ...policy, maxSpendTotalNative: less(policy.maxSpendTotalNative, drawn.maxSpendTotalNative) },
      { ...policy, maxFeePerTxNative: less(policy.maxFeePerTxNative, drawn.maxFeePerTxNative) },
      { ...policy, maxTxCount: Math.min(policy.maxTxCount ?? n, n) },
      { ...policy, allowedChains: fewer(policy.allowedChains, drawn.allowedChains, n) },
      { ...policy, allowedMethods: fewer(policy.allowedMethods, drawn.allowedMethods, n) },
      { ...policy, allowedRecipients: fewer(policy.allowedRecipients, drawn.allowedRecipients, n) },
      { ...policy, allowedTokens: withoutToken(policy.allowedTokens, n) },
      { ...policy, allowedTokens: policy.allowedTokens?.map((token) => cappedToken(token, drawn)) ?? null },
      { ...policy, allowedContracts: policy.allowedContracts?.toSpliced(n, 1) ?? null },
      {
        ...policy,
        allowedContracts: policy.allowedContracts?.map((one) => withFewerSelectors(one, listed)) ?? null,
      },
    ),
  )
}

/** Without all entries of the token at `n`: the caps of one may be stricter than those of another. */
function withoutToken(tokens: Policy['allowedTokens'], n: number): Policy['allowedTokens'] {
  const gone = tokens?.[n]
  if (!tokens || !gone) return tokens
  const goneKey = placeKey(gone.chain, gone.token, names)
  return tokens.filter(({ chain, token }) => placeKey(chain, token, names) !== goneKey)
}

function cappedToken(token: AllowedToken, drawn: Policy): AllowedToken {
  return {
    ...token,
    maxPerTx: less(token.maxPerTx, drawn.maxSpendPerTxNative),
    maxTotal: less(token.maxTotal, drawn.maxSpendTotalNative),
  }
}

function withFewerSelectors(contract: AllowedContract, listed: ReadonlySet<string>): AllowedContract {
  if (listed.has(placeKey(contract.chain, contract.address, names)) && contract.selectors === null)
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
