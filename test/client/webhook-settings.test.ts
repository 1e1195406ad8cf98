import { createECDH } from 'node:crypto'
import { fail } from '@symbolon/api'
import { advanceClock, seedOrganization } from '@symbolon/testing/database'
import { answerPlainly, isSignedBy } from '@symbolon/testing/http'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { actor, makeWebhookWorld, type WebhookWorld } from './webhook-world.ts'

let world: WebhookWorld

beforeEach(async () => {
  world = await makeWebhookWorld()
})
afterEach(() => world.stop())

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
    await expect(world.configure(world.receiver.url, unfit)).rejects.toMatchObject({
      code: 'invalid_request',
    })
  }
})

test('after a rotation of the secret both sign for 24 hours, then the new one alone; another one ends the oldest at once', async () => {
  const { signingSecret: second } = await world.settings.rotateSecret(world.organizationId, actor, fail)
  await world.settings.test(world.organizationId, fail)
  expect([world.secret, second].map((each) => isSignedBy(each, world.lastCall()))).toEqual([true, true])
  const { signingSecret: third } = await world.settings.rotateSecret(world.organizationId, actor, fail)
  await world.settings.test(world.organizationId, fail)
  expect([world.secret, second, third].map((each) => isSignedBy(each, world.lastCall()))).toEqual([
    false,
    true,
    true,
  ])
  expect(world.lastCall().signatures.map((signature) => signature.split(',')[0])).toEqual(['v1', 'v1', 'v1a'])
  await advanceClock(world.sql, 24 * 3_600_000 - 60_000)
  await world.settings.test(world.organizationId, fail)
  expect(isSignedBy(second, world.lastCall())).toBe(true)
  await advanceClock(world.sql, 60_001)
  await world.settings.test(world.organizationId, fail)
  expect([second, third].map((each) => isSignedBy(each, world.lastCall()))).toEqual([false, true])
})

test('parallel rotations leave exactly one secret current, and the one before it beside', async () => {
  const rotated = await Promise.all(
    Array.from({ length: 8 }, () => world.settings.rotateSecret(world.organizationId, actor, fail)),
  )
  await world.settings.test(world.organizationId, fail)
  const signs = [world.secret, ...rotated.map(({ signingSecret }) => signingSecret)].filter((each) =>
    isSignedBy(each, world.lastCall()),
  )
  expect(signs).toHaveLength(2)
})

test('the secret is answered once, rests sealed, and opens in no other organization', async () => {
  expect(world.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(
    (await world.settings.put(world.organizationId, { url: world.receiver.url }, actor, fail)).signingSecret,
  ).toBe(undefined)
  expect(JSON.stringify(await world.settings.get(world.organizationId, fail))).not.toContain('whsec_')
  const [row] = await world.sql<{ sealed: Uint8Array }[]>`select sealed_secret as sealed from webhooks`
  expect(Buffer.from(row?.sealed ?? '').includes(Buffer.from(world.secret, 'ascii'))).toBe(false)

  const other = (await seedOrganization(world.sql)).id
  await world.settings.put(other, { url: world.receiver.url }, actor, fail)
  await world.sql`update webhooks o set sealed_secret = w.sealed_secret, secret_id = w.secret_id from webhooks w
    where o.organization_id = ${other} and w.organization_id = ${world.organizationId}`
  await expect(world.settings.test(other, fail)).rejects.toThrow()
  expect(world.receiver.calls).toHaveLength(0)
})

test('a ping tells how the receiver answered', async () => {
  expect(await world.settings.test(world.organizationId, fail)).toEqual({
    delivered: true,
    status: 204,
    error: null,
  })
  expect(world.lastCall()).toMatchObject({ type: 'ping', data: { organization_id: world.organizationId } })
  world.receiver.behave((_call, response) => answerPlainly(response, 503))
  expect(await world.settings.test(world.organizationId, fail)).toEqual({
    delivered: false,
    status: 503,
    error: 'refused_by_receiver',
  })
  await world.receiver.close()
  expect(await world.settings.test(world.organizationId, fail)).toEqual({
    delivered: false,
    status: null,
    error: 'unreachable',
  })
})

test('changes of the webhook are in the audit log, without path or secret', async () => {
  await world.settings.rotateSecret(world.organizationId, actor, fail)
  await world.configure(world.receiver.url)
  await world.settings.remove(world.organizationId, actor, fail)
  await expect(world.settings.remove(world.organizationId, actor, fail)).rejects.toMatchObject({
    code: 'not_found',
  })
  const rows = await world.sql<{ payload: { change: string } }[]>`select payload from audit_events order by n`
  expect(rows.map(({ payload }) => payload.change)).toEqual([
    'created',
    'secret_rotated',
    'updated',
    'removed',
  ])
  expect(JSON.stringify(rows)).not.toMatch(/\/recovery|whsec_/)
})
