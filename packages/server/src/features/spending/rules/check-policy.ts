import type { AgentPolicy, Fail, OrganizationRules } from '@symbolon/api'
import { chainByHandle, isAccountName } from '@symbolon/networks'
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
  const named = [
    ...(policy.allowed_chains ?? []),
    ...(policy.blocked_chains ?? []),
    ...(policy.allowed_tokens ?? []).map(({ chain }) => chain),
    ...(policy.allowed_contracts ?? []).map(({ chain }) => chain),
  ]
  const unknown = named.find((handle) => chainByHandle(handle) === undefined)
  if (unknown !== undefined) throw fail('chain_unsupported', { message: unknownChain(unknown) })
  const nameless = (policy.blocked_recipients ?? []).flatMap((name, index) =>
    isAccountName(name) ? [] : [{ path: ['blocked_recipients', index], message: `${name} ${noName}` }],
  )
  if (nameless.length > 0)
    throw fail('invalid_request', { details: { issues: nameless.slice(0, issuesMax) } })
  if (Buffer.byteLength(JSON.stringify(policy)) > jsonBytesMax) {
    const issues = [{ path: [], message: 'is longer than 48 KiB of JSON' }]
    throw fail('invalid_request', { details: { issues } })
  }
}
