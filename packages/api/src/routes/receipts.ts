import * as z from 'zod'
import { Id, Timestamp } from '../formats.ts'
import type { Route } from '../route.ts'
import { wholeNumber } from '../wallet-list.ts'

const Kid = z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'not an RFC 7638 thumbprint')

/** Page and filters of the lists of receipts; all filters given have to hold. */
const ListReceipts = z.strictObject({
  after: wholeNumber(0, Number.MAX_SAFE_INTEGER)
    .default(0)
    .meta({ description: 'Lists what comes after this cursor. Defaults to 0.' }),
  kid: Kid.exactOptional().meta({ description: 'The receipt key: see `GET /v1/attestation/keys/{kid}`.' }),
  wallet_id: Id.exactOptional(),
  limit: wholeNumber(1, 500).default(100),
})

/** A page of receipts, oldest first. */
export const ReceiptPage = z
  .strictObject({
    items: z.array(
      z.strictObject({
        cursor: z.int().meta({ description: 'Dense in the organization, from 1.' }),
        receipt_id: Id,
        wallet_id: Id,
        kid: z.string(),
        counter: z.int().meta({
          description:
            'Rises by one per receipt key and organization. `receipt.voided` in the audit log reports a number that is missing.',
        }),
        issued_at: Timestamp,
        receipt: z.string().meta({ description: 'The receipt: a compact JWS.' }),
      }),
    ),
    last: z.int().meta({ description: 'The cursor of the last item; `after` where there is none.' }),
    has_more: z.boolean(),
  })
  .meta({ id: 'ReceiptPage' })

/** A page of receipts as the API returns it. */
export type ReceiptPage = z.output<typeof ReceiptPage>

const list = {
  query: ListReceipts,
  status: 200,
  data: ReceiptPage,
  errors: [],
  isLongAnswer: true,
} as const

/** The receipts of an organization. */
export const listReceipts = {
  id: 'receipts.list',
  method: 'GET',
  path: '/v1/s2s/receipts',
  lane: 'secret',
  scope: 'read',
  limit: 's2s',
  summary: 'List receipts, oldest first',
  description:
    'What the enclave signed with a receipt (`receipt: true`, or the setting `receipts` of the organization). A receipt is stored before its signature leaves. Verify one with `node verify.js receipt` (guide: Verify the enclave).',
  ...list,
} as const satisfies Route

/** The receipts of a user's own wallets. */
export const listMyReceipts = {
  id: 'receipts.listMine',
  method: 'GET',
  path: '/v1/wallets/me/receipts',
  lane: 'wallet',
  summary: "List the receipts of the user's wallets, oldest first",
  description:
    'As `GET /v1/s2s/receipts`. Cursors are those of the organization, so that they have gaps here.',
  ...list,
} as const satisfies Route
