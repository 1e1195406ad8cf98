import type { NetworkName } from '@symbolon/api'
import { type Curve, networks } from '@symbolon/networks'
import { type Failure, failure } from '../../../runtime/failure.ts'

const defaultChainType = { secp256k1: 'evm', ed25519: 'solana' } as const

/** The network whose address becomes the wallet's address: `wanted` if it uses the curve, by default EVM or Solana. */
export function chainTypeOf(
  curve: Curve,
  wanted: NetworkName | undefined,
): NetworkName | Failure<'invalid_request'> {
  const chainType = wanted ?? defaultChainType[curve]
  if (networks.byName(chainType)?.curve === curve) return chainType
  return failure('invalid_request', {
    details: { issues: [{ path: ['chain_type'], message: 'is not a network of this curve' }] },
  })
}
