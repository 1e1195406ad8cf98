import type { AgentDecoded, AgentMethod, Chain } from '@symbolon/networks'
import type { Compiled } from './compile.ts'
import { type Examination, listText } from './examination.ts'
import { chainGroup } from './policy-names.ts'

/** Whether every list of methods has this one. */
export function checkMethod({ methods }: Compiled, method: AgentMethod, examination: Examination): boolean {
  return methods.every(({ layer, keys, list }) =>
    examination.check(
      keys.has(method),
      { reason: 'method_not_allowed', layer, rule: 'allowed_methods' },
      { limit: () => listText(list), actual: () => method },
    ),
  )
}

/** Whether the chain that was asked for, or one that is the same for policies, is blocked nowhere and on every list. */
export function checkChain(compiled: Compiled, chain: Chain, examination: Examination): boolean {
  const group = chainGroup(chain.handle, compiled.names)
  return (
    checkBlocked(compiled, [chain.handle], examination) &&
    compiled.chains.every(({ layer, keys, list }) =>
      examination.check(
        keys.has(group),
        { reason: 'chain_not_allowed', layer, rule: 'allowed_chains' },
        { limit: () => listText(list), actual: () => chain.handle },
      ),
    )
  )
}

/** Whether none of the chains that the signature is good on is blocked; the decoder may know more than the one asked for. */
export function checkDecodedChains(
  compiled: Compiled,
  { chain, chains }: AgentDecoded,
  examination: Examination,
): boolean {
  const others = chains.filter((handle) => handle !== chain.handle)
  return others.length === 0 || checkBlocked(compiled, others, examination)
}

function checkBlocked(
  { blockedChains, names }: Compiled,
  handles: readonly string[],
  examination: Examination,
): boolean {
  if (blockedChains.size === 0) return true
  return examination.check(
    !handles.some((handle) => blockedChains.has(chainGroup(handle, names))),
    { reason: 'chain_blocked', layer: 'organization', rule: 'blocked_chains' },
    { limit: () => listText(blockedChains.values()), actual: () => listText(handles) },
  )
}
