import { type AgentPolicy, type OrganizationRules, policyFields } from '@symbolon/api'
import { isAccountName, networks } from '@symbolon/networks'
import { unknownChain } from '../../../ports/unsupported-chain.ts'
import { type Failure, failure } from '../../../runtime/failure.ts'

// The enclave is asked about up to two versions of the organization's and of the agent's layer, and one of the session's: five of this size fit.
const jsonBytesMax = 48 << 10

const issuesMax = 20
const nameless = 'is not an address of any network, so it would block no one'

/**
 * Checks a policy or rules; undefined where they are fine. They must not name an unknown chain (`chain_unsupported`), block a name that
 * nobody can have (in an allow-list such a name only refuses more), or be longer than the enclave takes.
 */
export function checkPolicy(
  policy: AgentPolicy & OrganizationRules,
): Failure<'chain_unsupported' | 'invalid_request'> | undefined {
  const unknown = chainsOf(policy).find((handle) => networks.chain(handle) === undefined)
  if (unknown !== undefined) return failure('chain_unsupported', { message: unknownChain(unknown) })
  const issues = [...namelessIn(policy), ...strangeSelectorsIn(policy), ...wrongAssetsIn(policy)].slice(
    0,
    issuesMax,
  )
  if (Buffer.byteLength(JSON.stringify(policy)) > jsonBytesMax && issues.length === 0)
    issues.push({ path: [], message: 'must be at most 48 KiB of JSON' })
  return issues.length === 0 ? undefined : failure('invalid_request', { details: { issues } })
}

/** The chains named in lists of chains, tokens and contracts. */
function chainsOf(policy: AgentPolicy & OrganizationRules): string[] {
  return policyFields.flatMap((field) => {
    if (field.kind === 'token-list' || field.kind === 'contract-list')
      return (policy[field.name] ?? []).map(({ chain }) => chain)
    return 'items' in field && field.items === 'chain' ? (policy[field.name] ?? []) : []
  })
}

/** Selectors of another form than their chain's contracts have: they would name nothing. */
function strangeSelectorsIn(
  policy: AgentPolicy & OrganizationRules,
): { path: (string | number)[]; message: string }[] {
  return (policy.allowed_contracts ?? []).flatMap(({ chain, selectors = [] }, index) => {
    const known = networks.chain(chain)
    const form = known && networks.of(known).policy?.selectorForm
    return selectors.flatMap((selector, place) =>
      form?.test(selector)
        ? []
        : [
            {
              path: ['allowed_contracts', index, 'selectors', place],
              message: `is not a selector of a contract on ${chain}: ${selector}`,
            },
          ],
    )
  })
}

/** Caps on what is not a native asset, or on one that has a cap before. */
function wrongAssetsIn(
  policy: AgentPolicy & OrganizationRules,
): { path: (string | number)[]; message: string }[] {
  return policyFields.flatMap((field) => {
    if (field.kind !== 'asset-caps') return []
    const assets = (policy[field.name] ?? []).map(({ asset }) => asset)
    return assets.flatMap((asset, index) => {
      const path = [field.name, index, 'asset']
      if (!isNativeAsset(asset)) return [{ path, message: `is not the native asset of any chain: ${asset}` }]
      return assets.indexOf(asset) < index ? [{ path, message: `is listed twice: ${asset}` }] : []
    })
  })
}

function isNativeAsset(symbol: string): boolean {
  return networks.list.some(({ chains }) => chains.some(({ nativeAsset }) => nativeAsset.symbol === symbol))
}

/** Entries of deny-lists that name no account. */
function namelessIn(
  policy: AgentPolicy & OrganizationRules,
): { path: (string | number)[]; message: string }[] {
  return policyFields.flatMap((field) => {
    if (field.kind !== 'deny-list' || field.items !== 'account') return []
    return (policy[field.name] ?? []).flatMap((name, index) =>
      isAccountName(networks, name) ? [] : [{ path: [field.name, index], message: `${nameless}: ${name}` }],
    )
  })
}
