import { createHash } from 'node:crypto'
import { StreamResponse } from '@a2a-js/sdk'
import { V03PushNotificationSerializer } from '@a2a-js/sdk/compat/v0_3/server'
import type { PlatformKey } from '../../jwks/index.ts'
import { artifactsOf, contextIdOf, statusOf, taskIdOf, taskOf } from './a2a-task.ts'
import { bothSpellings } from './both-spellings.ts'
import type { PushTarget } from './push-config.ts'
import type { ClaimedPush } from './pushes.store.ts'
import type { TaskRun } from './tasks.store.ts'

const legacy = new V03PushNotificationSerializer()
const lifetimeSeconds = 300

/** The sender of notifications: the platform's address, and its key in the JWKS. */
export type PushIssuer = { url: string; key: PlatformKey }

/**
 * The body of a notification: in 1.0 an update of the status (A2A 1.0, section 4.3.3), or the whole task once it has ended; before 1.0 the
 * task (0.3, section 9.5).
 */
export function pushBody(
  run: TaskRun,
  { state, changedAt, wireVersion }: ClaimedPush,
): { body: Buffer; contentType: string } {
  const changed: TaskRun = { ...run, state, updatedAt: changedAt }
  const task = taskOf(changed, 0)
  if (wireVersion === '0.3') {
    const { body } = legacy.serialize({ payload: { $case: 'task', value: task } }, task)
    return { body: json(bothSpellings(JSON.parse(String(body)))), contentType: 'application/json' }
  }
  const ids = { taskId: taskIdOf(changed), contextId: contextIdOf(changed), metadata: undefined }
  const response: StreamResponse =
    artifactsOf(changed).length > 0
      ? { payload: { $case: 'task', value: task } }
      : { payload: { $case: 'statusUpdate', value: { ...ids, status: statusOf(changed) } } }
  return { body: json(StreamResponse.toJSON(response)), contentType: 'application/a2a+json' }
}

/**
 * The headers of a notification: in `X-A2A-Notification-JWT` a JWT (RFC 7519, EdDSA by the platform's key in the JWKS) with the body's
 * SHA-256, valid for 300 s; and the credentials that the caller asked to be shown.
 */
export function pushHeaders(
  { jti, nowMs }: Pick<ClaimedPush, 'jti' | 'nowMs'>,
  { url, token, authentication }: PushTarget,
  { key, url: iss }: PushIssuer,
  body: Uint8Array,
): Record<string, string> {
  const iat = Math.floor(nowMs / 1000)
  const claims = {
    iss,
    aud: url,
    jti,
    iat,
    exp: iat + lifetimeSeconds,
    request_body_sha256: createHash('sha256').update(body).digest('hex'),
  }
  const signed = `${part({ alg: 'EdDSA', typ: 'JWT', kid: key.jwk.kid })}.${part(claims)}`
  const jwt = `${signed}.${Buffer.from(key.sign(Buffer.from(signed, 'ascii'))).toString('base64url')}`
  return {
    'x-a2a-notification-jwt': jwt,
    ...(token !== undefined && { 'x-a2a-notification-token': token }),
    ...(authentication && { authorization: `${authentication.scheme} ${authentication.credentials}` }),
  }
}

const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value), 'utf8')
const part = (value: unknown): string => Buffer.from(JSON.stringify(value), 'utf8').toString('base64url')
