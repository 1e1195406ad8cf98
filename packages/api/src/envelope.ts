import * as z from 'zod'
import { type ErrorCode, errors } from './errors.ts'

/** `error` of the envelope. */
export type ErrorBody<code extends string = ErrorCode> = {
  code: code
  message: string
  details?: unknown
}

/** The body of every JSON answer: `data` on success, `error` otherwise; both only with `wallet_exists`. */
export type Envelope<data = unknown> = { data: data; error: null } | { data: data | null; error: ErrorBody }

/** `details` of a refused schema: where and why, nothing of the value itself. */
export const ValidationDetails = z
  .strictObject({
    issues: z.array(
      z.strictObject({
        path: z.array(z.union([z.string(), z.number()])),
        message: z.string(),
      }),
    ),
  })
  .meta({ id: 'ValidationDetails' })

/** `error` of the envelope as a schema; `details` only where a client can act on it. */
export const ErrorObject = z
  .strictObject({
    code: z.enum(Object.keys(errors) as [ErrorCode, ...ErrorCode[]]).meta({ id: 'ErrorCode' }),
    message: z.string().meta({ description: 'Written for the end user.' }),
    details: z.unknown().optional(),
  })
  .meta({ id: 'Error' })
