import type { Chain } from '../chain.ts'
import { evmChains } from '../evm/chains.ts'
import { parseInteger } from '../evm/typed-data-atomic.ts'
import { unlessRefused } from '../network-error.ts'
import type { SignRequest } from './sign-request.ts'

/**
 * The chain that a request says by itself: typed data by the chain id of its domain. `undefined` where it says none, or one that has no
 * handle; a chain that the request names does not count here.
 */
export function impliedChain(request: SignRequest): Chain | undefined {
  if (request.type !== 'typed_data') return undefined
  const domain = fieldOf(request.typed_data, 'domain')
  const chainId = fieldOf(domain, 'chainId')
  const id = chainId === undefined ? undefined : unlessRefused(() => parseInteger(chainId))
  return evmChains.find(({ chainId: own }) => own !== null && BigInt(own) === id)
}

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  return Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined
}
