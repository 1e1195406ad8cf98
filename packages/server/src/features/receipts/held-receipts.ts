import { EnclaveError, type EnclaveReceipt } from '../../ports/enclave.ts'
import type { ReceiptKeys } from '../attestation/index.ts'
import { type Audit, type NumberedReceipt, receiptVoided } from '../audit/index.ts'

/** What receipts are held with until their signatures leave. */
export type HeldReceiptsCtx = { audit: Pick<Audit, 'write'>; keys: ReceiptKeys }

/** The receipts of one request that have not left. */
export type HeldReceipts = {
  /**
   * Holds the receipt that the enclave made with a signature, once the attestation of its key is stored: without it nobody could verify
   * the receipt. Throws `EnclaveError` where the key has gone.
   */
  add(receipt: EnclaveReceipt): Promise<void>
  /** The commit stored the receipt: it may leave. */
  release(receipt: EnclaveReceipt): void
}

/** Whether a signature of the organization gets a receipt: the organization's setting wins over the request. */
export const wantsReceipt = (
  organization: { receipts: boolean },
  request: { receipt?: boolean | undefined },
): boolean => organization.receipts || request.receipt === true

/**
 * Does the work of a request that may sign. However it ends, the number of each receipt that was made and not released is reported
 * (`receipt.voided`). What is not reported because the database is away, `lostReceiptsJob` finds later.
 */
export async function holdReceipts<result>(
  { audit, keys }: HeldReceiptsCtx,
  organizationId: string,
  work: (held: HeldReceipts) => Promise<result>,
): Promise<result> {
  const held = new Set<EnclaveReceipt>()
  try {
    return await work({
      async add(receipt) {
        await keys.keep(receipt.kid)
        held.add(receipt)
      },
      release: (receipt) => void held.delete(receipt),
    })
  } finally {
    for (const number of held) await audit.write(receiptVoided(organizationId, number))
  }
}

/** A signature's receipt, if it was asked for. An enclave that makes none gets no signature out. */
export function receiptOf(
  { receipt }: { receipt?: EnclaveReceipt | undefined },
  isWanted: boolean,
): EnclaveReceipt | undefined {
  if (isWanted && receipt === undefined) throw new EnclaveError('unavailable', 'the enclave made no receipt')
  return isWanted ? receipt : undefined
}

/** A receipt as it is stored with the event of its signature. */
export const storedReceipt = (
  receipt: EnclaveReceipt | undefined,
  walletId: string,
): Required<NumberedReceipt> | undefined => {
  if (receipt === undefined) return undefined
  const { kid, counter, receiptId, jws } = receipt
  const issuedAt = new Date(receipt.issuedAt).toISOString()
  return { kid, counter, issued: { receiptId, walletId, issuedAt, jws } }
}
