import type { AgentMethod, SignIntent } from '@symbolon/networks'

/**
 * What a policy calls the signing of an intent. A message that is the hash of a stored operation is what the operation is,
 * since its signature executes it.
 */
export function methodOf(kind: SignIntent['kind'], isOperation: boolean): AgentMethod {
  if (kind === 'message') return isOperation ? 'sendTransaction' : 'signMessage'
  return kind === 'typed_data' || kind === 'hash' ? 'signMessage' : 'sendTransaction'
}
