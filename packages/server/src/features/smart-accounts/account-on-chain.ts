import { encodeGetAddress, type Hex, lightAccountAddress, lightAccountFactory } from '@symbolon/networks/evm'
import { type EvmRpc, EvmRpcError } from '../../ports/evm-rpc.ts'

/**
 * The account that the factory makes for the owner with salt 0, and whether it has code. The address is computed here and
 * asked of the factory: they have to agree. Throws `EvmRpcError`, also when they do not.
 */
export async function accountOnChain(rpc: EvmRpc, owner: Hex): Promise<{ address: Hex; deployed: boolean }> {
  const address = lightAccountAddress(owner)
  const [answer, code] = await Promise.all([
    rpc.call({ to: lightAccountFactory, data: encodeGetAddress(owner) }),
    rpc.code(address),
  ])
  if (answer !== wordOf(address)) {
    throw new EvmRpcError('rejected', 'The account factory of this chain does not answer as it should.')
  }
  return { address, deployed: code !== '0x' }
}

/** An address as a contract answers it: the last 20 of 32 bytes. */
const wordOf = (address: Hex): Hex => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`
