import { listChains } from '@symbolon/api'
import { chains } from '@symbolon/networks'
import { on } from '../../http/handler.ts'

/** What this installation reaches, by chain handle. */
export type WiredChains = { rpc: ReadonlySet<string>; bundler: ReadonlySet<string> }

/** The list of chains. */
export const chainsRoutes = (wired: WiredChains) => [
  on(listChains, async () => ({
    items: chains.map(({ handle, network, curve, chainId, caip2, nativeAsset }) => ({
      handle,
      network,
      curve,
      chain_id: chainId,
      caip2,
      native_asset: { ...nativeAsset },
      rpc: wired.rpc.has(handle),
      bundler: wired.bundler.has(handle),
    })),
  })),
]
