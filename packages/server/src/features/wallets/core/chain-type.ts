import type { Fail, NetworkName } from '@symbolon/api'
import { type Curve, networks } from '@symbolon/networks'

const defaultChainType = { secp256k1: 'evm', ed25519: 'solana' } as const

/** The network whose address becomes the wallet's: the one asked for, if it is of the curve, else the curve's first. */
export function chainTypeOf(
  curve: Curve,
  wanted: NetworkName | undefined,
  fail: Fail<'invalid_request'>,
): NetworkName {
  const chainType = wanted ?? defaultChainType[curve]
  if (networks.byName(chainType)?.curve === curve) return chainType
  throw fail('invalid_request', {
    details: { issues: [{ path: ['chain_type'], message: 'not a network of this curve' }] },
  })
}
