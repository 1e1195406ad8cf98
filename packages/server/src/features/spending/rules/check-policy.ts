import { type AgentPolicy, type Fail, type OrganizationRules, policyFields } from '@symbolon/api'
import { isAccountName, networks } from '@symbolon/networks'
import { unknownChain } from '../../../ports/unsupported-chain.ts'

/** Of the organization's and the agent's layer there may be two, as sealed and as now: five of this size still fit a question to the enclave. */
const jsonBytesMax = 48 << 10

const issuesMax = 20
const noName = 'names no account of any network: it would block nobody'

/**
 * Fails where a policy or rules name a chain that does not exist (`chain_unsupported`), block what can be nobody's name (an
 * allow-list may: it only refuses more), or are longer than the enclave takes.
 */
export function checkPolicy(
  policy: AgentPolicy & OrganizationRules,
  fail: Fail<'chain_unsupported' | 'invalid_request'>,
): void {
  const unknown = chainsOf(policy).find((handle) => networks.chain(handle) === undefined)
  if (unknown !== undefined) throw fail('chain_unsupported', { message: unknownChain(unknown) })
  const nameless = namelessOf(policy)
  if (nameless.length > 0)
    throw fail('invalid_request', { details: { issues: nameless.slice(0, issuesMax) } })
  if (Buffer.byteLength(JSON.stringify(policy)) > jsonBytesMax) {
    const issues = [{ path: [], message: 'is longer than 48 KiB of JSON' }]
    throw fail('invalid_request', { details: { issues } })
  }
}

/** The chains that lists name, and those of tokens and contracts. */
function chainsOf(policy: AgentPolicy & OrganizationRules): string[] {
  return policyFields.flatMap((field) => {
    if (field.kind === 'token-list' || field.kind === 'contract-list')
      return (policy[field.name] ?? []).map(({ chain }) => chain)
    return 'items' in field && field.items === 'chain' ? (policy[field.name] ?? []) : []
  })
}

/** What deny-lists have that names no account. */
function namelessOf(policy: AgentPolicy & OrganizationRules) {
  return policyFields.flatMap((field) => {
    if (field.kind !== 'deny-list' || field.items !== 'account') return []
    return (policy[field.name] ?? []).flatMap((name, index) =>
      isAccountName(networks, name) ? [] : [{ path: [field.name, index], message: `${name} ${noName}` }],
    )
  })
}
