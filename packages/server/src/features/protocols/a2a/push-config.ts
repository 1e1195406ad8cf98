import { createSecretKey, type KeyObject } from 'node:crypto'
import type { TaskPushNotificationConfig } from '@a2a-js/sdk'
import { RequestMalformedError } from '@a2a-js/sdk/errors'
import { uuidToBytes } from '@symbolon/crypto'
import { deriveKey, gcmOpen, gcmOverhead, gcmSeal } from '@symbolon/crypto/node'
import * as z from 'zod'
import type { GuardedOutbound } from '../../../ports/outbound.ts'

/** The version of A2A that a notification is written in. */
export type WireVersion = '0.3' | '1.0'

/** The receiver of a task's notifications, and the credentials to show there: the caller's token, or those of the `Authorization` header. */
export type PushTarget = {
  url: string
  token?: string | undefined
  authentication?: { scheme: string; credentials: string } | undefined
}

/** Seals targets for their rows and opens them. */
export type PushTargets = {
  seal(runId: string, target: PushTarget): Uint8Array
  /** Throws `EnvelopeError` for another run's. */
  open(runId: string, sealed: Uint8Array): PushTarget
}

// Characters that a header can carry.
const visible = /^[\x21-\x7e]+$/
const Target = z.object({
  url: z.string().max(2048),
  token: z.string().max(1024).regex(visible).optional(),
  authentication: z
    .object({
      scheme: z.string().max(64).regex(visible),
      credentials: z
        .string()
        .max(4096)
        .regex(/^[\x20-\x7e]+$/),
    })
    .optional(),
})

/** The sealing of targets, under a key derived from `master` that serves nothing else. */
export function pushTargets(master: KeyObject): PushTargets {
  const key = createSecretKey(deriveKey(master, 'symbolon/v1/a2a-push', 32))
  return {
    seal: (runId, target) => gcmSeal(key, Buffer.from(JSON.stringify(target), 'utf8'), uuidToBytes(runId)),
    open(runId, sealed) {
      const plaintext = Buffer.alloc(Math.max(0, sealed.length - gcmOverhead))
      gcmOpen(key, sealed, uuidToBytes(runId), plaintext)
      return JSON.parse(plaintext.toString('utf8')) as PushTarget
    },
  }
}

/** The target of a configuration; throws -32602 for one that cannot be called. */
export function targetOf(
  config: TaskPushNotificationConfig,
  outbound: Pick<GuardedOutbound, 'allows'>,
): PushTarget {
  const { url, token, authentication } = config
  const parsed = Target.safeParse({
    url,
    ...(token !== '' && { token }),
    ...(authentication?.credentials && { authentication }),
  })
  if (!parsed.success)
    throw new RequestMalformedError({ message: 'The notification configuration is invalid.' })
  if (!outbound.allows(url))
    throw new RequestMalformedError({ message: 'Notifications cannot be sent to this address.' })
  return parsed.data
}

/** A stored configuration as its owner reads it, without secrets. */
export const configOf = (
  taskId: string,
  id: string,
  { url, authentication }: PushTarget,
): TaskPushNotificationConfig => ({
  tenant: '',
  id,
  taskId,
  url,
  token: '',
  authentication: authentication && { scheme: authentication.scheme, credentials: '' },
})
