import { type Chain, networks } from '@symbolon/networks/browser'
import { FrameFailure } from '../frame-failure.ts'

/** The EVM chain of a handle; `chain_unsupported` for any other. */
export function evmChain(handle: string): Chain {
  const chain = networks.chain(handle)
  if (chain?.network === 'evm') return chain
  throw new FrameFailure('chain_unsupported', { message: 'This chain is not supported.' })
}
