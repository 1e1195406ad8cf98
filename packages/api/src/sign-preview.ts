import * as z from 'zod'
import { Amount } from './formats.ts'

/** The kind of an effect; `unknown` where no decoder understands it. */
export const ActionKind = z
  .enum(['transfer', 'approval', 'call', 'admin', 'unknown'])
  .meta({ id: 'ActionKind' })

const text = z.string().max(8192)

const Action = z.strictObject({
  kind: ActionKind,
  to: text.nullable().optional(),
  asset: text.nullable().optional().meta({ description: 'Native symbol or token id.' }),
  amount: Amount.nullable().optional().meta({ description: 'In the smallest unit.' }),
  amount_display: text.nullable().optional(),
  method: text.nullable().optional(),
  args: z.unknown().optional(),
})

const Fee = z.strictObject({ asset: text, amount: Amount })

const shape = {
  title: text,
  chain: text.nullable().optional(),
  from: text.nullable().optional(),
  actions: z.array(Action).max(256),
  fee: Fee.nullable().optional().meta({ description: 'The worst case.' }),
  warnings: z.array(text).max(64),
  expires_at: text.nullable().optional(),
}

/** A preview for people, which the server decodes from the bytes it signs. */
export const SignPreview = z.strictObject(shape).meta({ id: 'SignPreview' })

/** A preview that a client sends to get it back: any part of a `SignPreview`. */
export const ClientPreview = z
  .strictObject(shape)
  .partial()
  .extend({ actions: z.array(Action.partial()).max(256).optional() })
  .meta({ id: 'ClientPreview' })

/** The preview as the API returns it. */
export type SignPreview = z.output<typeof SignPreview>
