/** The types of messages to the recovery webhook. */
export type WebhookType = 'recovery_share.store' | 'recovery_share.fetch' | 'recovery_share.rotated' | 'ping'
