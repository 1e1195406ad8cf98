/** Chain parameters (set by the committee; values of the main network), in sun. */
const bandwidthPrice = 1000n
const memoFee = 1_000_000n
/** What several signatures cost (MULTI_SIGN_FEE), and the most that there can be of them in one permission. */
const severalSignaturesFee = 1_000_000n
const signaturesMax = 5
/** What the first TRX or token to an address without an account costs beside bandwidth: the account, and the bandwidth for it. */
const newAccountFee = 1_100_000n

/** What types of contract cost on top: a super representative, a token, an exchange, permissions. */
const typeFees: Readonly<Record<number, bigint>> = {
  5: 9_999_000_000n,
  6: 1_024_000_000n,
  41: 1_024_000_000n,
  46: 100_000_000n,
}

/** Contracts that can open an account: AccountCreate, Transfer, TransferAsset. */
const opensAccount = [0, 1, 2]

/** The signature with its tag and length, and what the network adds for the result (MAX_RESULT_SIZE_IN_TX). */
const signatureBytes = 67
const resultBytes = 64

/** The members of a transaction that its fee depends on. */
export type FeeParts = {
  readonly type: number
  readonly feeLimit: bigint
  readonly hasMemo: boolean
  readonly rawBytes: number
  /** 0: the owner's own, otherwise one of several keys may have to sign. */
  readonly permissionId: number
}

/**
 * The fee in sun at the worst: energy up to the limit, all bandwidth paid for, what the type of contract costs, and under a permission other
 * than the owner's the signatures of others.
 */
export function tronFee({ type, feeLimit, hasMemo, rawBytes, permissionId }: FeeParts): bigint {
  const lengthBytes = rawBytes < 0x80 ? 1 : rawBytes < 0x4000 ? 2 : 3
  const hasOthers = permissionId > 0
  const size = 1 + lengthBytes + rawBytes + signatureBytes * (hasOthers ? signaturesMax : 1) + resultBytes
  const bandwidth = BigInt(size) * bandwidthPrice
  const opening = opensAccount.includes(type) ? newAccountFee : 0n
  const more = (hasMemo ? memoFee : 0n) + (hasOthers ? severalSignaturesFee : 0n)
  return feeLimit + bandwidth + (typeFees[type] ?? 0n) + opening + more
}
