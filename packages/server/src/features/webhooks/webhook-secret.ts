import type { Random } from '../../ports/random.ts'

const prefix = 'whsec_'

/** A fresh signing secret in the text form of Standard Webhooks: `whsec_` and 32 bytes in base64. */
export const mintWebhookSecret = (random: Random): string =>
  prefix + Buffer.from(random(32)).toString('base64')

/** The HMAC key of a signing secret: the decoded bytes, not the text. */
export const webhookSecretKey = (secret: string): Uint8Array =>
  Buffer.from(secret.slice(prefix.length), 'base64')
