import type { KeyObject } from 'node:crypto'
import { equalBytes } from '@symbolon/crypto'
import { lockOrganization } from '../../../db/organization-lock.ts'
import type { Queryable, Sql } from '../../../db/pool.ts'
import { type Failure, isFailure } from '../../../runtime/failure.ts'
import { deviceHash, isKnownDevice, readDevice } from '../../devices/index.ts'
import type { CodePlace } from '../../mailed-codes/index.ts'
import { type LinksCtx, mailLink } from '../../mailed-links/index.ts'
import { enqueue, type Outbox } from '../../outbox/index.ts'
import { delayStore } from './delay.store.ts'
import { delayReadyMail, delayStartedMail } from './delay-mails.ts'

/** The context for holding back recoveries and exports. `pepper` keys the hashes of devices. */
export type DelayCtx = { sql: Sql; pepper: KeyObject; links: LinksCtx; outbox: Outbox }

/** A device as it named itself, hashed; null where it did not. */
export type Device = Uint8Array | null

/** A process whose right code was entered. */
export type RightCode = {
  place: CodePlace
  id: string
  organizationId: string
  userIdentityId: string
  email: string
  device: Device
}

const linkKinds = { recovery: 'cancel-recovery', transfer: 'cancel-export' } as const
const usableHours = 24

/** The device of a call, by its header `X-Service-Device`. */
export function deviceOf(
  { pepper }: Pick<DelayCtx, 'pepper'>,
  organizationId: string,
  header: string | undefined,
): Device | Failure<'invalid_request'> {
  const nonce = readDevice(header)
  if (isFailure(nonce)) return nonce
  return nonce === undefined ? null : deviceHash(pepper, organizationId, nonce)
}

/** Whether two calls come from the same device; those without a name are one. */
export const isSameDevice = (one: Device, other: Device): boolean =>
  one === null || other === null ? one === other : equalBytes(one, other)

/** Whether a call from the device ends the user's processes that wait, whichever device opened them. */
export async function mayEndDelayed(
  sql: Queryable,
  { organizationId, userIdentityId, device }: Pick<RightCode, 'organizationId' | 'userIdentityId' | 'device'>,
): Promise<boolean> {
  const { delaySeconds } = await delayStore.settings(sql, organizationId)
  return isKnownDevice(sql, { organizationId, identityId: userIdentityId, nonceHash: device }, delaySeconds)
}

/**
 * Holds back what a right code would do, if the device is new to the user: the process waits, and the user gets two emails, now and when it is
 * ready, each with a link that cancels it. Returns until when; undefined when it goes on now. `isNew`: this call has made it wait.
 */
export async function holdBack(
  ctx: DelayCtx,
  code: RightCode,
): Promise<{ readyAt: Date; isNew: boolean } | undefined> {
  const { place, id, organizationId } = code
  const held = await ctx.sql.begin(async (tx) => {
    await lockOrganization(tx, organizationId)
    const process = await delayStore.lock(tx, place, id)
    if (process?.state === 'delayed' && process.readyAt !== null)
      return process.isReady ? undefined : { readyAt: process.readyAt, isNew: false }
    if (process?.state !== 'open') return undefined
    const readyAt = await delayNew(ctx, tx, code)
    return readyAt && { readyAt, isNew: true }
  })
  if (held?.isNew) ctx.outbox.nudge()
  return held
}

async function delayNew(
  { links, outbox }: DelayCtx,
  tx: Queryable & Parameters<typeof mailLink>[1],
  { place, id, organizationId, userIdentityId, email, device }: RightCode,
): Promise<Date | undefined> {
  const { delaySeconds } = await delayStore.settings(tx, organizationId)
  const owner = { organizationId, identityId: userIdentityId, nonceHash: device }
  if (delaySeconds === 0 || (await isKnownDevice(tx, owner, delaySeconds))) return undefined
  // A link works once, so each email has one of its own.
  const newLink = () =>
    mailLink(links, tx, {
      organizationId,
      kind: linkKinds[place],
      subjectId: id,
      lifetimeMs: delaySeconds * 1_000 + usableHours * 3_600_000,
    })
  const readyMail = outbox.seal({ to: email, ...delayReadyMail(place, { link: await newLink() }) })
  const readyAt = await delayStore.delay(tx, place, { id, delaySeconds, readyMail })
  if (readyAt === undefined) return undefined
  const started = outbox.seal({ to: email, ...delayStartedMail(place, { readyAt, link: await newLink() }) })
  await enqueue(tx, 'mail', started, organizationId)
  return readyAt
}
