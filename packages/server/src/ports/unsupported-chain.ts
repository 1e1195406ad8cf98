import { networks } from '@symbolon/networks'

/** A handle that may be repeated in a sentence. */
const plainHandle = /^[a-z0-9][a-z0-9-]{0,63}$/

/**
 * Why an organization cannot use a chain as an EVM chain, in one sentence for people: `lacking` is what this installation would
 * need for a chain that exists and whose network is enabled.
 */
export function unsupportedChain(
  handle: string,
  supportedNetworks: readonly string[],
  lacking: 'node' | 'bundler' = 'node',
): string {
  const chain = networks.chain(handle)
  if (chain === undefined) return unknownChain(handle)
  if (chain.network !== 'evm') return `This works on EVM chains only; ${handle} is not one.`
  if (!supportedNetworks.includes('evm')) return 'The organization has not enabled evm.'
  return `This installation has no ${lacking} for ${handle}.`
}

/** That a handle names no chain, repeated where it looks like one. */
export const unknownChain = (handle: string): string =>
  plainHandle.test(handle) ? `No chain has the handle ${handle}.` : 'No chain has this handle.'
