import { type Chain, type Curve, networks } from '@symbolon/networks'
import { chainByHandle } from '@symbolon/networks/testing/by-intent'
import type { TransactionCodec } from '@symbolon/networks/testing/internals'

/** One transaction, decoded and digested by us and by the network's library, each from the form it takes. */
export type Turn = { ours(): unknown; theirs(): unknown }

/** A network with the library it is measured beside and its transactions. */
export type Contest = { network: string; library: string; turns: Turn[] }

/** How many transactions each network has. */
export const samplesCount = 100

/** The chain of a handle that exists. */
export function chainOf(handle: string): Chain {
  const chain = chainByHandle(handle)
  if (!chain) throw new Error(`${handle} is not a chain`)
  return chain
}

/** What this package does for a signature: effects, fee and warnings, then what is signed. */
export function decodeAndDigest(
  codec: TransactionCodec,
  handle: string,
  bytes: Uint8Array,
  { publicKey }: { curve: Curve; publicKey: Uint8Array },
): () => unknown {
  const chain = chainOf(handle)
  const addresses = networks.of(chain).addresses(publicKey)
  const scope = {
    chain,
    publicKey,
    addresses,
    address: addresses[chain.addressName] ?? '',
    isSignature: () => false,
  }
  return () => {
    const parsed = codec.parse(bytes, scope)
    return [codec.effects(parsed), codec.digests(parsed)]
  }
}
