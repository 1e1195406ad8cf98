import type { SignRequest } from '@symbolon/api'
import { type Chain, type Curve, NetworkError, networks } from '@symbolon/networks'
import { chainOf } from '@symbolon/networks/request'

/** What may be repeated in a sentence: names in any spelling, no longer than an id, which is shorter than any credential. */
const plainHandle = /^[a-z0-9][\w:.-]{0,35}$/i

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

/** The chain that a request to sign is for, as `chainOf` finds it, and with its errors; one that no chain has is named. */
export function requestedChain(request: SignRequest, fallback: Curve): Chain {
  const { chain } = request
  if (chain !== undefined && networks.chain(chain) === undefined)
    throw new NetworkError('chain_unsupported', unknownChain(chain))
  return chainOf(networks, request, fallback)
}
