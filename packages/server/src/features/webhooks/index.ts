/**
 * Webhooks of organizations: where they are called, how they are signed, and the secrets they are signed with.
 * @module
 */
export { openSecret, sealSecret } from './sealed-secret.ts'
export { mintWebhookSecret } from './webhook-secret.ts'
