/** What a call of the recovery webhook says or asks. */
export type WebhookType = 'recovery_share.store' | 'recovery_share.fetch' | 'recovery_share.rotated' | 'ping'
