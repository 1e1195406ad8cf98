import * as z from 'zod'
import { Eur, NetworkName } from './formats.ts'

/** A calendar day (UTC). */
export const Day = z
  .string()
  .regex(/^(?!0000)\d{4}-\d\d-\d\d$/, { error: 'must be a day such as 2026-01-31', abort: true })
  .refine(
    (text) => new Date(`${text}T00:00:00.000Z`).toJSON()?.startsWith(text) === true,
    'must be a day that exists',
  )
  .meta({ format: 'date' })

const count = z.int().min(0)

const counts = {
  wallets_created: count,
  signatures: z
    .partialRecord(NetworkName, count)
    .meta({ description: 'TEE mode: signatures by network. Networks without any are absent.' }),
  share_releases: count.meta({
    description: 'Client mode: provider shares released to browsers, one per signature.',
  }),
  sponsored_eur: Eur.meta({ description: 'Gas of included operations, on the day they were confirmed.' }),
  refusals: count.meta({ description: 'Refused signatures (`wallet.sign_refused`).' }),
  errors: count.meta({ description: 'All other events with `success: false`.' }),
}

/** Which days: both included, at most 366; the last 30 when absent. */
export const UsageQuery = z.strictObject({ from: Day.exactOptional(), to: Day.exactOptional() })

/** What a company's wallets did, day by day, oldest first; a day without events is there with zeros. */
export const Usage = z
  .strictObject({
    items: z.array(z.strictObject({ day: Day, ...counts })),
    totals: z.strictObject(counts),
    from: Day,
    to: Day,
  })
  .meta({ id: 'Usage' })

/** The usage as the API returns it. */
export type Usage = z.output<typeof Usage>
