import { keccak256 } from '#keccak'
import type { Chain } from '../chain.ts'
import { concat } from '../codec/concat.ts'
import { quantityToWord } from '../codec/quantity.ts'
import { encodeUtf8 } from '../codec/utf8.ts'
import { lightAccountBytes } from './light-account.ts'

const keccakText = (text: string) => keccak256(encodeUtf8(text))

const prefix = Uint8Array.of(0x19, 0x01)
/** Type, name and version of the domain of Light Account v2; chain id and contract follow. */
const domainStart = concat(
  keccakText('EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)'),
  keccakText('LightAccount'),
  keccakText('2'),
)
const messageType = keccakText('LightAccountMessage(bytes message)')

/**
 * 0x1901 || domain separator || struct hash (EIP-712) of a `LightAccountMessage` that holds 32 bytes: what the owner
 * signs so that the account's `isValidSignature` (ERC-1271) accepts that hash, on one chain. The account is the one with
 * salt 0 of the owner's address (20 bytes).
 */
export function accountMessagePayload(hash: Uint8Array, chain: Chain, owner: Uint8Array): Uint8Array {
  const contract = new Uint8Array(32)
  contract.set(lightAccountBytes(owner), 12)
  const chainId = quantityToWord(BigInt(chain.chainId ?? 0))
  const domain = keccak256(concat(domainStart, chainId, contract))
  return concat(prefix, domain, keccak256(concat(messageType, keccak256(hash))))
}
