/**
 * Webhooks of organizations: their settings and secrets, signed calls to their receivers, and the store of recovery shares behind them.
 * @module
 */
export { openSecret, sealSecret } from './sealed-secret.ts'
export { mintWebhookSecret } from './webhook-secret.ts'
