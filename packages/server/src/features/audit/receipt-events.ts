import { createHash } from 'node:crypto'
import type { AuditEvent, NumberedReceipt, ReceiptNumber } from './audit.ts'

/** An event that releases a signature, with its receipt: stored in one transaction, and bound to each other by the hash of the JWS. */
export function withReceipt(event: AuditEvent, receipt: Required<NumberedReceipt> | undefined): AuditEvent {
  if (receipt === undefined) return event
  const receiptSha256 = createHash('sha256').update(receipt.issued.jws).digest('hex')
  return { ...event, payload: { ...event.payload, receipt_sha256: receiptSha256 }, receipt }
}

/** An event as it is recorded where its signature does not leave: without the receipt, whose number `receiptVoided` reports. */
export function withoutReceipt({ receipt, payload, ...event }: AuditEvent): AuditEvent {
  if (receipt === undefined) return { ...event, ...(payload && { payload }) }
  const { receipt_sha256: _, ...rest } = payload ?? {}
  return { ...event, payload: rest }
}

/** Reports a number whose receipt never leaves. Dropped where the number is known: its receipt left, or it was reported before. */
export const receiptVoided = (organizationId: string, { kid, counter }: ReceiptNumber): AuditEvent => ({
  organizationId,
  type: 'receipt.voided',
  actorType: 'system',
  actorId: 'receipts',
  payload: { kid, counter },
  success: true,
  receipt: { kid, counter },
})
