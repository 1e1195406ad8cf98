import * as z from 'zod'
import { PolicyLayer } from './agent-decision.ts'
import { Amount, Id, Timestamp } from './formats.ts'
import { page } from './wallet-list.ts'

/** The event of one signing request, written with its decision. */
export const AgentEvent = z
  .strictObject({
    id: Id,
    timestamp: Timestamp,
    session_id: Id,
    run_id: Id.nullable(),
    chain: z.string().nullable(),
    method: z.string().nullable().meta({ description: '`signMessage` or `sendTransaction`.' }),
    target: z.string().nullable().meta({ description: 'From the first effect.' }),
    value: Amount.nullable().meta({ description: 'The total native value, without the fee.' }),
    fee: Amount.nullable().meta({
      description: 'The fee in the worst case, in the native asset. Null where the wallet pays none.',
    }),
    asset: z.string().nullable(),
    outcome: z.enum(['allowed', 'rejected', 'error']),
    reason_code: z.string().nullable(),
    layer: PolicyLayer.nullable(),
    payload_sha256: z.string().nullable(),
    tx_hash: z.string().nullable(),
  })
  .meta({ id: 'AgentEvent' })

/** Which page. */
export const ListAgentEvents = z.strictObject({
  ...page,
  outcome: z.enum(['allowed', 'rejected', 'error']).exactOptional(),
})

/** A page of signing requests, newest first. */
export const AgentEventPage = z
  .strictObject({ items: z.array(AgentEvent), total: z.int(), limit: z.int(), offset: z.int() })
  .meta({ id: 'AgentEventPage' })

/** A signing request. */
export type AgentEvent = z.output<typeof AgentEvent>
