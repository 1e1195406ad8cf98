import { listChains, listOrganizationChains, type NetworkName } from '@symbolon/api'
import { networks } from '@symbolon/networks'
import { on } from '../../http/handler.ts'
import type { EvmChains } from '../../ports/evm-chains.ts'

/** The list of chains, and which of them this installation is wired to: for keys, and for the portal. */
export const chainsRoutes = (wired: EvmChains) => {
  const list = async () => ({
    items: networks.chains.map(({ handle, network, curve, chainId, caip2, nativeAsset }) => ({
      handle,
      // The contract lists the networks of production.
      network: network as NetworkName,
      curve,
      chain_id: chainId,
      caip2,
      native_asset: { ...nativeAsset },
      rpc: wired.has(handle),
      bundler: wired.get(handle)?.bundler !== undefined,
    })),
  })
  return [on(listChains, list), on(listOrganizationChains, list)]
}
