import type { RlpItem } from '../codec/rlp.ts'
import { invalidPayload } from '../network-error.ts'
import { exactly, rlpBytes, rlpList, rlpQuantity, uint64Max } from './rlp-fields.ts'

/**
 * An account's signed consent to run the code of `delegate` (20 bytes) as its own. Chain id 0 holds on every chain. Whose
 * consent it is only its signature shows.
 */
export type SignedAuthorization = {
  readonly chainId: bigint
  readonly delegate: Uint8Array
  readonly nonce: bigint
}

/** EIP-4844: the gas of a blob, and as many as a block of Prague (EIP-7691) takes. */
const gasPerBlob = 131_072n
const blobsMax = 9
/** More than a person reads. */
const authorizationsMax = 50

/** Refuses what is not a list of addresses and storage keys (EIP-2930). */
export function checkAccessList(item: RlpItem | undefined): void {
  for (const entry of rlpList(item)) {
    const [address, keys] = exactly(rlpList(entry), 2)
    rlpBytes(address, 20)
    for (const key of rlpList(keys)) rlpBytes(key, 32)
  }
}

/** The highest cost of a transaction's blobs (EIP-4844), in wei; at least one blob, each a versioned hash of KZG (0x01). */
export function readBlobFee(maxFeePerBlobGas: RlpItem | undefined, hashes: RlpItem | undefined): bigint {
  const blobs = rlpList(hashes)
  if (blobs.length === 0 || blobs.length > blobsMax || blobs.some((hash) => rlpBytes(hash, 32)[0] !== 1))
    throw invalidPayload('The blob hashes are malformed.')
  return rlpQuantity(maxFeePerBlobGas) * gasPerBlob * BigInt(blobs.length)
}

/** The authorizations of a transaction (EIP-7702): 1 to 50, within the bounds that it sets. */
export function readAuthorizations(item: RlpItem | undefined): readonly SignedAuthorization[] {
  const entries = rlpList(item)
  if (entries.length === 0 || entries.length > authorizationsMax)
    throw invalidPayload(`A transaction has 1 to ${authorizationsMax} authorizations.`)
  return entries.map((entry) => {
    const [chainId, delegate, nonce, parity, r, s] = exactly(rlpList(entry), 6)
    rlpQuantity(parity, 0xffn)
    rlpQuantity(r)
    rlpQuantity(s)
    return {
      chainId: rlpQuantity(chainId),
      delegate: rlpBytes(delegate, 20),
      nonce: rlpQuantity(nonce, uint64Max),
    }
  })
}
