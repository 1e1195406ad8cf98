import { createECDH } from 'node:crypto'
import {
  orThrow,
  pingWebhook,
  readWebhook,
  removeWebhook,
  rotateSecret,
  setWebhook,
} from '@symbolon/server/testing/webhooks'
import { advanceClock, seedOrganization } from '@symbolon/testing/database'
import { answerPlainly, isSignedBy } from '@symbolon/testing/http'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { actor, makeWebhookFixture, type WebhookFixture } from './webhook-fixture.ts'

let fixture: WebhookFixture

beforeEach(async () => {
  fixture = await makeWebhookFixture()
})
afterEach(() => fixture.stop())

const rotate = async () => orThrow(await rotateSecret(fixture.settings, fixture.organizationId, actor))
const ping = () => pingWebhook(fixture.settings, fixture.organizationId)

test('an encryption key that is private, off the curve or of another kind is refused', async () => {
  const owner = createECDH('prime256v1')
  const point = owner.generateKeys()
  const x = point.subarray(1, 33).toString('base64url')
  const y = point.subarray(33).toString('base64url')
  const fit = { kty: 'EC', crv: 'P-256', x, y }
  for (const unfit of [
    { ...fit, d: owner.getPrivateKey().toString('base64url') },
    { ...fit, y: x },
    { ...fit, crv: 'P-384' },
    { ...fit, kty: 'OKP' },
    { ...fit, x: `${x}A` },
    { ...fit, x: 1 },
    { kty: 'EC', crv: 'P-256', x },
    {},
  ]) {
    await expect(fixture.configure(fixture.receiver.url, unfit)).rejects.toMatchObject({
      code: 'invalid_request',
    })
  }
})

test('after a rotation of the secret both sign for 24 hours, then the new one alone; another one ends the oldest at once', async () => {
  const second = await rotate()
  await ping()
  expect([fixture.secret, second].map((each) => isSignedBy(each, fixture.lastCall()))).toEqual([true, true])
  const third = await rotate()
  await ping()
  expect([fixture.secret, second, third].map((each) => isSignedBy(each, fixture.lastCall()))).toEqual([
    false,
    true,
    true,
  ])
  expect(fixture.lastCall().signatures.map((signature) => signature.split(',')[0])).toEqual([
    'v1',
    'v1',
    'v1a',
  ])
  await advanceClock(fixture.sql, 24 * 3_600_000 - 60_000)
  await ping()
  expect(isSignedBy(second, fixture.lastCall())).toBe(true)
  await advanceClock(fixture.sql, 60_001)
  await ping()
  expect([second, third].map((each) => isSignedBy(each, fixture.lastCall()))).toEqual([false, true])
})

test('parallel rotations leave exactly one secret current, and the one before it beside', async () => {
  const rotated = await Promise.all(Array.from({ length: 8 }, rotate))
  await ping()
  const signs = [fixture.secret, ...rotated].filter((each) => isSignedBy(each, fixture.lastCall()))
  expect(signs).toHaveLength(2)
})

test('the secret is answered once, rests sealed, and opens in no other organization', async () => {
  expect(fixture.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  const input = { url: fixture.receiver.url }
  const again = await setWebhook(fixture.settings, fixture.organizationId, input, actor)
  expect(orThrow(again).signingSecret).toBe(undefined)
  expect(JSON.stringify(await readWebhook(fixture.settings, fixture.organizationId))).not.toContain('whsec_')
  const [row] = await fixture.sql<{ sealed: Uint8Array }[]>`select sealed_secret as sealed from webhooks`
  expect(Buffer.from(row?.sealed ?? '').includes(Buffer.from(fixture.secret, 'ascii'))).toBe(false)

  const other = (await seedOrganization(fixture.sql)).id
  orThrow(await setWebhook(fixture.settings, other, input, actor))
  await fixture.sql`update webhooks o set sealed_secret = w.sealed_secret, secret_id = w.secret_id from webhooks w
    where o.organization_id = ${other} and w.organization_id = ${fixture.organizationId}`
  await expect(pingWebhook(fixture.settings, other)).rejects.toThrow()
  expect(fixture.receiver.calls).toHaveLength(0)
})

test('a ping returns how the receiver answered', async () => {
  expect(await ping()).toEqual({
    delivered: true,
    status: 204,
    error: null,
  })
  expect(fixture.lastCall()).toMatchObject({
    type: 'ping',
    data: { organization_id: fixture.organizationId },
  })
  fixture.receiver.behave((_call, response) => answerPlainly(response, 503))
  expect(await ping()).toEqual({
    delivered: false,
    status: 503,
    error: 'refused_by_receiver',
  })
  await fixture.receiver.close()
  expect(await ping()).toEqual({
    delivered: false,
    status: null,
    error: 'unreachable',
  })
})

test('changes of the webhook are in the audit log, without path or secret', async () => {
  await rotate()
  await fixture.configure(fixture.receiver.url)
  expect(await removeWebhook(fixture.settings, fixture.organizationId, actor)).toBe(undefined)
  expect(await removeWebhook(fixture.settings, fixture.organizationId, actor)).toMatchObject({
    code: 'not_found',
  })
  const rows = await fixture.sql<
    { payload: { change: string } }[]
  >`select payload from audit_events order by n`
  expect(rows.map(({ payload }) => payload.change)).toEqual([
    'created',
    'secret_rotated',
    'updated',
    'removed',
  ])
  expect(JSON.stringify(rows)).not.toMatch(/\/recovery|whsec_/)
})

test('without a webhook there is nothing to ping, and no secret to replace', async () => {
  await removeWebhook(fixture.settings, fixture.organizationId, actor)
  expect(await ping()).toMatchObject({ code: 'not_found' })
  await expect(rotate()).rejects.toMatchObject({ code: 'not_found' })
})
