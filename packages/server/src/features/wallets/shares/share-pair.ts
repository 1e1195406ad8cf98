import { wipe } from '@symbolon/crypto'
import { type Failure, failure } from '../../../runtime/failure.ts'

/** The two shares that leave the browser, each 33 bytes: y, then the index. */
export type SharePair = {
  provider: Uint8Array
  recovery: Uint8Array
  providerIndex: number
  recoveryIndex: number
}

/** The shares of a request in base64, each with the index it claims to have. */
export type GivenShares = { provider: string; providerIndex: number; recovery: string; recoveryIndex: number }

const shareLength = 33

/** Reads the shares of a request; whoever calls wipes them. Fails on a wrong length, an index that is not the given one, or equal indices. */
export function readSharePair(given: GivenShares): SharePair | Failure<'invalid_share'> {
  const pair = {
    provider: Uint8Array.from(Buffer.from(given.provider, 'base64')),
    recovery: Uint8Array.from(Buffer.from(given.recovery, 'base64')),
    providerIndex: given.providerIndex,
    recoveryIndex: given.recoveryIndex,
  }
  const isFit =
    isShare(pair.provider, pair.providerIndex) &&
    isShare(pair.recovery, pair.recoveryIndex) &&
    pair.providerIndex !== pair.recoveryIndex
  if (isFit) return pair
  wipe(pair.provider, pair.recovery)
  return failure('invalid_share')
}

const isShare = (share: Uint8Array, index: number) =>
  share.length === shareLength && index >= 1 && index <= 255 && share[shareLength - 1] === index
