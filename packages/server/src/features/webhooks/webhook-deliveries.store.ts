import type { Queryable } from '../../db/pool.ts'
import type { WebhookType } from './webhook-type.ts'

/** The outcome of one webhook call, without its content or address. */
export type WebhookDelivery = {
  id: string
  /** Stays the same when a message is sent again. */
  messageId: string
  type: WebhookType
  /** The status that the receiver answered, if any. */
  status: number | null
  /** Why it counts as not delivered. */
  error: string | null
  durationMs: number
}

const keptMax = 100

/** The log of an organization's latest calls. */
export const webhookDeliveriesStore = {
  /** Adds a call and drops all but the last 100. */
  async add(sql: Queryable, organizationId: string, call: WebhookDelivery): Promise<void> {
    await sql`
      with dropped as (
        delete from webhook_deliveries where organization_id = ${organizationId} and id <= (
          select id from webhook_deliveries where organization_id = ${organizationId}
          order by id desc offset ${keptMax - 1} limit 1))
      insert into webhook_deliveries (organization_id, id, message_id, type, status, error, duration_ms)
      values (${organizationId}, ${call.id}, ${call.messageId}, ${call.type}, ${call.status}, ${call.error},
        ${call.durationMs})`
  },

  /** The latest calls, newest first. */
  async latest(sql: Queryable, organizationId: string): Promise<(WebhookDelivery & { at: Date })[]> {
    return sql<(WebhookDelivery & { at: Date })[]>`
      select id, message_id as "messageId", type, status, error, duration_ms as "durationMs", at
      from webhook_deliveries where organization_id = ${organizationId} order by id desc limit ${keptMax}`
  },
}
