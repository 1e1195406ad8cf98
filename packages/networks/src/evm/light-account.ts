import { keccak256 } from '#keccak'
import { concat } from '../codec/concat.ts'
import { fromHex, type Hex } from '../codec/hex.ts'
import { addressDigits } from './abi-writer.ts'
import { checksumAddress } from './address.ts'

/** Factory of Light Account v2.0.0, the same on every chain. */
export const lightAccountFactory: Hex = '0x0000000000400CdFef5E2714E63d8040b700BC24'

/** The code that an account of the factory delegates to. */
export const lightAccountImplementation: Hex = '0x8E8e658E22B12ada97B402fF0b044D6A325013C7'

/**
 * A signature for estimates: the type byte of an owner's signature, then r, s and v of a made-up signature that recovers
 * to some address. An all-zero one would revert instead of failing the check.
 */
export const stubSignature: Hex =
  '0x00fffffffffffffffffffffffffffffff0000000000000000000000000000000007aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa1c'

/** ERC-1967 proxy that solady's LibClone makes, around the 20 bytes of the implementation's address. */
const proxyStart = bytesOf('603d3d8160223d3973')
const proxyEnd = bytesOf(
  '60095155f3363d3d373d3d363d7f360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc545af43d6000803e6038573d6000fd5b3d6000f3',
)
const initCodeHash = keccak256(concat(proxyStart, addressBytes(lightAccountImplementation), proxyEnd))
/** 0xff || factory: how CREATE2 (EIP-1014) starts. */
const create2Start = concat(Uint8Array.of(0xff), addressBytes(lightAccountFactory))

/**
 * The account that the factory makes for an owner with salt 0, EIP-55: what its `getAddress(owner, 0)` answers on every
 * chain. A malformed owner is `invalid_request`.
 */
export function lightAccountAddress(owner: Hex): Hex {
  return checksumAddress(lightAccountBytes(addressBytes(owner)))
}

/** The 20 bytes of that account, from the 20 bytes of its owner. */
export function lightAccountBytes(owner: Uint8Array): Uint8Array {
  const ownerAndSalt = new Uint8Array(64)
  ownerAndSalt.set(owner, 12)
  return keccak256(concat(create2Start, keccak256(ownerAndSalt), initCodeHash)).subarray(12)
}

function addressBytes(address: Hex): Uint8Array {
  return bytesOf(addressDigits(address))
}

function bytesOf(digits: string): Uint8Array {
  return fromHex(digits) ?? new Uint8Array(0)
}
