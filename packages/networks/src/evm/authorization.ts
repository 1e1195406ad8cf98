import type { Chain } from '../chain.ts'
import { concat } from '../codec/concat.ts'
import { quantityToBytes } from '../codec/quantity.ts'
import { encodeRlp } from '../codec/rlp.ts'
import type { SignIntent } from '../intent/intent.ts'
import { invalidPayload } from '../network-error.ts'

/** An account's consent to run a contract's code as its own. */
export type AuthorizationIntent = Extract<SignIntent, { kind: 'authorization' }>

const magic = Uint8Array.of(0x05)
const nonceMax = 2n ** 64n - 2n

/**
 * 0x05 || rlp([chain_id, address, nonce]) (EIP-7702). The chain id must be the chain's own: 0, which would hold
 * on every chain, is refused.
 */
export function authorizationPayload(intent: AuthorizationIntent, chain: Chain): Uint8Array {
  const { chainId, contract, nonce } = intent
  if (chainId !== BigInt(chain.chainId ?? 0))
    throw invalidPayload(`The chain id is not that of ${chain.handle}.`)
  if (contract.length !== 20) throw invalidPayload('The contract must be 20 bytes long.')
  if (nonce < 0n || nonce > nonceMax) throw invalidPayload('The nonce is out of range.')
  return concat(magic, encodeRlp([quantityToBytes(chainId), contract, quantityToBytes(nonce)]))
}
