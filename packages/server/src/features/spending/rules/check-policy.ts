import { type AgentPolicy, type OrganizationRules, policyFields } from '@symbolon/api'
import { isAccountName, isContractName, isTokenName, networks } from '@symbolon/networks'
import { unknownChain } from '../../../ports/unsupported-chain.ts'
import { type Failure, failure } from '../../../runtime/failure.ts'

// The enclave is asked about up to two versions of the organization's and of the agent's layer, and one of the session's: five of this size fit.
const jsonBytesMax = 48 << 10

const issuesMax = 20
/** A host and its port as the first line of a sign-in message has them (EIP-4361 `domain`): no scheme, path, user or wildcard. */
const signInDomain = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?$/i

const shownMax = 80
/** An entry in quotes, short enough that the reason after it is read too. */
const shown = (entry: string): string =>
  `“${entry.length <= shownMax ? entry : `${entry.slice(0, shownMax)}…`}”`

type Issue = { path: (string | number)[]; message: string }
type Given = AgentPolicy & OrganizationRules

/**
 * Checks a policy or rules; undefined where they are fine. They must not name an unknown chain (`chain_unsupported`), list what no payload
 * can match, allowed or blocked, or be longer than the enclave takes.
 */
export function checkPolicy(policy: Given): Failure<'chain_unsupported' | 'invalid_request'> | undefined {
  const unknown = chainsOf(policy).find((handle) => networks.chain(handle) === undefined)
  if (unknown !== undefined) return failure('chain_unsupported', { message: unknownChain(unknown) })
  const listed = [...namelessIn(policy), ...strangeTargetsIn(policy), ...strangeDomainsIn(policy)]
  const issues = [...listed, ...strangeSelectorsIn(policy), ...wrongAssetsIn(policy)].slice(0, issuesMax)
  if (Buffer.byteLength(JSON.stringify(policy)) > jsonBytesMax && issues.length === 0)
    issues.push({ path: [], message: 'must be at most 48 KiB of JSON' })
  return issues.length === 0 ? undefined : failure('invalid_request', { details: { issues } })
}

/** The chains named in lists of chains, tokens and contracts. */
function chainsOf(policy: Given): string[] {
  return policyFields.flatMap((field) => {
    if (field.kind === 'token-list' || field.kind === 'contract-list')
      return (policy[field.name] ?? []).map(({ chain }) => chain)
    return 'items' in field && field.items === 'chain' ? (policy[field.name] ?? []) : []
  })
}

/** Selectors of another form than their chain's contracts have: they would name nothing. */
function strangeSelectorsIn(policy: Given): Issue[] {
  return (policy.allowed_contracts ?? []).flatMap(({ chain, selectors = [] }, index) => {
    const known = networks.chain(chain)
    const form = known && networks.of(known).policy?.selectorForm
    return selectors.flatMap((selector, place) =>
      form?.test(selector)
        ? []
        : [
            {
              path: ['allowed_contracts', index, 'selectors', place],
              message: `is ${shown(selector)}, which is not a selector of a contract on ${chain}`,
            },
          ],
    )
  })
}

/** Caps on what is not a native asset, or on one that has a cap before. */
function wrongAssetsIn(policy: Given): Issue[] {
  return policyFields.flatMap((field) => {
    if (field.kind !== 'asset-caps') return []
    const assets = (policy[field.name] ?? []).map(({ asset }) => asset)
    return assets.flatMap((asset, index) => {
      const path = [field.name, index, 'asset']
      if (!isNativeAsset(asset))
        return [{ path, message: `is ${shown(asset)}, which is not the native asset of any chain` }]
      return assets.indexOf(asset) < index ? [{ path, message: `lists ${shown(asset)} twice` }] : []
    })
  })
}

function isNativeAsset(symbol: string): boolean {
  return networks.list.some(({ chains }) => chains.some(({ nativeAsset }) => nativeAsset.symbol === symbol))
}

/** Entries of account lists that aren't an address on any network. */
function namelessIn(policy: Given): Issue[] {
  return policyFields.flatMap((field) => {
    if (!('items' in field) || field.items !== 'account') return []
    const effect = field.kind === 'deny-list' ? 'block' : 'allow'
    const why = `is not an address on any network, so it would ${effect} no one`
    return (policy[field.name] ?? []).flatMap((name, index) =>
      isAccountName(networks, name)
        ? []
        : [{ path: [field.name, index], message: `is ${shown(name)}, which ${why}` }],
    )
  })
}

/** Tokens and contracts that aren't valid on their chain. */
function strangeTargetsIn({
  allowed_tokens: tokens = [],
  allowed_contracts: contracts = [],
}: Given): Issue[] {
  const issue = (path: Issue['path'], what: string, name: string) => [
    { path, message: `is ${shown(name)}, which is not a valid ${what}` },
  ]
  return [
    ...tokens.flatMap(({ chain, token }, index) =>
      isTokenName(networks, chain, token)
        ? []
        : issue(['allowed_tokens', index, 'token'], `token on ${chain}`, token),
    ),
    ...contracts.flatMap(({ chain, address }, index) =>
      isContractName(networks, chain, address)
        ? []
        : issue(['allowed_contracts', index, 'address'], `contract on ${chain}`, address),
    ),
  ]
}

/** Domains that no sign-in message can name. */
function strangeDomainsIn(policy: Given): Issue[] {
  return policyFields.flatMap((field) => {
    if (field.kind !== 'domain-list') return []
    return (policy[field.name] ?? []).flatMap((domain, index) =>
      signInDomain.test(domain)
        ? []
        : [
            {
              path: [field.name, index],
              message: `is ${shown(domain)}, but must be a host with an optional port, without scheme or path, such as app.example.com`,
            },
          ],
    )
  })
}
