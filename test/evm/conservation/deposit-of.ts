import type { DevChain } from '@symbolon/dev/testing/chain'
import { createPublicClient, http } from 'viem'
import { entryPoint07Abi, entryPoint07Address } from 'viem/account-abstraction'

/** What the chain's paymaster has in the EntryPoint, in wei. */
export const depositOf = (chain: Pick<DevChain, 'rpcUrl' | 'paymaster'>): Promise<bigint> =>
  createPublicClient({ transport: http(chain.rpcUrl) }).readContract({
    address: entryPoint07Address,
    abi: entryPoint07Abi,
    functionName: 'balanceOf',
    args: [chain.paymaster],
  })
