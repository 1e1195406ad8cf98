import { createECDH } from 'node:crypto'
import { fail } from '@symbolon/api'
import { advanceClock, seedOrganization } from '@symbolon/testing/database'
import { answerPlainly, isSignedBy } from '@symbolon/testing/http'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { actor, makeWebhookFixture, type WebhookFixture } from './webhook-fixture.ts'

let fixture: WebhookFixture

beforeEach(async () => {
  fixture = await makeWebhookFixture()
})
afterEach(() => fixture.stop())

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
  const { signingSecret: second } = await fixture.settings.rotateSecret(fixture.organizationId, actor, fail)
  await fixture.settings.test(fixture.organizationId, fail)
  expect([fixture.secret, second].map((each) => isSignedBy(each, fixture.lastCall()))).toEqual([true, true])
  const { signingSecret: third } = await fixture.settings.rotateSecret(fixture.organizationId, actor, fail)
  await fixture.settings.test(fixture.organizationId, fail)
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
  await fixture.settings.test(fixture.organizationId, fail)
  expect(isSignedBy(second, fixture.lastCall())).toBe(true)
  await advanceClock(fixture.sql, 60_001)
  await fixture.settings.test(fixture.organizationId, fail)
  expect([second, third].map((each) => isSignedBy(each, fixture.lastCall()))).toEqual([false, true])
})

test('parallel rotations leave exactly one secret current, and the one before it beside', async () => {
  const rotated = await Promise.all(
    Array.from({ length: 8 }, () => fixture.settings.rotateSecret(fixture.organizationId, actor, fail)),
  )
  await fixture.settings.test(fixture.organizationId, fail)
  const signs = [fixture.secret, ...rotated.map(({ signingSecret }) => signingSecret)].filter((each) =>
    isSignedBy(each, fixture.lastCall()),
  )
  expect(signs).toHaveLength(2)
})

test('the secret is answered once, rests sealed, and opens in no other organization', async () => {
  expect(fixture.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(
    (await fixture.settings.put(fixture.organizationId, { url: fixture.receiver.url }, actor, fail))
      .signingSecret,
  ).toBe(undefined)
  expect(JSON.stringify(await fixture.settings.get(fixture.organizationId, fail))).not.toContain('whsec_')
  const [row] = await fixture.sql<{ sealed: Uint8Array }[]>`select sealed_secret as sealed from webhooks`
  expect(Buffer.from(row?.sealed ?? '').includes(Buffer.from(fixture.secret, 'ascii'))).toBe(false)

  const other = (await seedOrganization(fixture.sql)).id
  await fixture.settings.put(other, { url: fixture.receiver.url }, actor, fail)
  await fixture.sql`update webhooks o set sealed_secret = w.sealed_secret, secret_id = w.secret_id from webhooks w
    where o.organization_id = ${other} and w.organization_id = ${fixture.organizationId}`
  await expect(fixture.settings.test(other, fail)).rejects.toThrow()
  expect(fixture.receiver.calls).toHaveLength(0)
})

test('a ping tells how the receiver answered', async () => {
  expect(await fixture.settings.test(fixture.organizationId, fail)).toEqual({
    delivered: true,
    status: 204,
    error: null,
  })
  expect(fixture.lastCall()).toMatchObject({
    type: 'ping',
    data: { organization_id: fixture.organizationId },
  })
  fixture.receiver.behave((_call, response) => answerPlainly(response, 503))
  expect(await fixture.settings.test(fixture.organizationId, fail)).toEqual({
    delivered: false,
    status: 503,
    error: 'refused_by_receiver',
  })
  await fixture.receiver.close()
  expect(await fixture.settings.test(fixture.organizationId, fail)).toEqual({
    delivered: false,
    status: null,
    error: 'unreachable',
  })
})

test('changes of the webhook are in the audit log, without path or secret', async () => {
  await fixture.settings.rotateSecret(fixture.organizationId, actor, fail)
  await fixture.configure(fixture.receiver.url)
  await fixture.settings.remove(fixture.organizationId, actor, fail)
  await expect(fixture.settings.remove(fixture.organizationId, actor, fail)).rejects.toMatchObject({
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
