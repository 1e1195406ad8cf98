import { createHmac } from 'node:crypto'
import { webhookSecretKey } from './webhook-secret.ts'

/**
 * The headers of one delivery (Standard Webhooks): id, time in whole seconds, and the signatures over `id.time.body`: `v1` by
 * each secret, newest first, then `v1a` by the platform's Ed25519 key.
 */
export function signedHeaders(
  message: { id: string; timeMs: number; body: Uint8Array },
  keys: { secrets: readonly string[]; sign: (bytes: Uint8Array) => Uint8Array },
): Record<string, string> {
  const seconds = String(Math.floor(message.timeMs / 1000))
  const content = Buffer.concat([Buffer.from(`${message.id}.${seconds}.`), message.body])
  const hmac = (secret: string) =>
    createHmac('sha256', webhookSecretKey(secret)).update(content).digest('base64')
  const signatures = [
    ...keys.secrets.map((secret) => `v1,${hmac(secret)}`),
    `v1a,${Buffer.from(keys.sign(content)).toString('base64')}`,
  ]
  return {
    'webhook-id': message.id,
    'webhook-timestamp': seconds,
    'webhook-signature': signatures.join(' '),
  }
}
