import type { KeyObject } from 'node:crypto'
import { isIP } from 'node:net'
import { ClientNonce } from '@symbolon/api'
import { keyedHash } from '@symbolon/crypto/node'
import { databaseNow } from '../../db/database-now.ts'
import type { Queryable, Transaction } from '../../db/pool.ts'
import type { Ids } from '../../ports/clock.ts'
import { type Failure, failure } from '../../runtime/failure.ts'
import { type LinksCtx, mailLink } from '../mailed-links/index.ts'
import { enqueue, type Outbox } from '../outbox/index.ts'
import { deviceMail } from './device-mail.ts'
import { deviceName } from './device-name.ts'
import { devicesStore } from './devices.store.ts'

/** The context for recording the devices of logins. `pepper` keys the hashes of their nonces. */
export type DevicesCtx = { ids: Ids; pepper: KeyObject; links: LinksCtx; outbox: Outbox }

/** A login with its token, and the request that it came by. `nonceHash` is null where the device did not name itself. */
export type DeviceLogin = {
  organizationId: string
  identityId: string
  email: string | null
  nonceHash: Uint8Array | null
  token: { hash: string; expiresAt: string }
  request: { address: string; userAgent: string | undefined }
}

const linkLifetimeMs = 30 * 24 * 3_600_000

/** What is stored of the nonce of a device, a bearer secret: its keyed hash, for this organization alone. */
export const deviceHash = (pepper: KeyObject, organizationId: string, nonce: string): Uint8Array =>
  keyedHash(pepper, JSON.stringify(['device', organizationId, nonce]))

/** The device in the header `X-Service-Device`; undefined without one, which is a new device to everybody. */
export function readDevice(header: string | undefined): string | undefined | Failure<'invalid_request'> {
  if (header === undefined || ClientNonce.safeParse(header).success) return header
  return failure('invalid_request', { message: 'X-Service-Device must be 16 to 64 characters of base64url.' })
}

/**
 * Records the login of a device in the transaction of the login. The user gets an email about a new one, with the link that ends its login
 * and forgets it; returns whether an email was queued, so that you nudge the outbox after the commit.
 */
export async function recordDeviceLogin(
  ctx: DevicesCtx,
  tx: Transaction,
  { email, request, ...login }: DeviceLogin,
): Promise<boolean> {
  const isMailable = email !== null
  const { deviceId, isNew, isFirst } = await devicesStore.recordLogin(tx, {
    ...login,
    newId: ctx.ids.next(),
    isMailable,
  })
  if (!isNew || email === null) return false
  const { organizationId } = login
  const lifetimeMs = linkLifetimeMs
  const link = await mailLink(ctx.links, tx, {
    organizationId,
    kind: 'forget-device',
    subjectId: deviceId,
    lifetimeMs,
  })
  const address = isIP(request.address) === 0 ? 'unknown' : request.address
  const device = deviceName(request.userAgent)
  const mail = deviceMail({ isFirst, device, at: await databaseNow(tx), address, link })
  await enqueue(tx, 'mail', ctx.outbox.seal({ to: email, ...mail }), organizationId)
  return true
}

/**
 * Whether a device of the user is known: the email about it left `delaySeconds` ago, and no less than a day, and its link was not used. No
 * device at all is new.
 */
export async function isKnownDevice(
  sql: Queryable,
  owner: { organizationId: string; identityId: string; nonceHash: Uint8Array | null },
  delaySeconds: number,
): Promise<boolean> {
  const { nonceHash } = owner
  return nonceHash !== null && devicesStore.isKnown(sql, { ...owner, nonceHash }, delaySeconds)
}
