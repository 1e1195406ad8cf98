import { createECDH, createSecretKey, randomBytes } from 'node:crypto'
import { platformKey } from '@symbolon/server/testing/organizations'
import { RecoveryShareError } from '@symbolon/server/testing/ports'
import { orThrow, removeWebhook } from '@symbolon/server/testing/webhooks'
import { advanceClock } from '@symbolon/testing/database'
import { openHpke } from '@symbolon/testing/hpke'
import { answerPlainly, answerShare, isSignedBy, isSignedByKey } from '@symbolon/testing/http'
import { until } from '@symbolon/testing/wait'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { actor, makeWebhookFixture, place, timeoutMs, type WebhookFixture } from './webhook-fixture.ts'

let fixture: WebhookFixture

beforeEach(async () => {
  fixture = await makeWebhookFixture()
})
afterEach(() => fixture.stop())

function shareOf(index: number): Uint8Array {
  const share = new Uint8Array(randomBytes(33))
  share[32] = index
  return share
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

test('a share goes to the receiver and comes back, each call signed by the secret and by the published key', async () => {
  const ref = fixture.refOf({ polynomialVersion: 7, shareIndex: 255 })
  const share = shareOf(255)
  expect(await fixture.store.store(ref, share)).toEqual(place)
  const stored = fixture.lastCall()
  expect(stored.contentType).toBe('application/json')
  expect(Object.keys(JSON.parse(stored.body))).toEqual(['type', 'timestamp', 'data'])
  expect(stored.type).toBe('recovery_share.store')
  expect(Math.abs(Date.parse(stored.at) - Date.now())).toBeLessThan(10_000)
  expect(stored.at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  const named = {
    organization_id: fixture.organizationId,
    user_identity_id: ref.userIdentityId,
    wallet_id: ref.walletId,
    curve: 'secp256k1',
    share_index: 255,
    polynomial_version: 7,
  }
  expect(stored.data).toEqual({ ...named, recovery_share: base64(share) })

  expect(await fixture.store.fetch(ref, place)).toEqual(share)
  expect(fixture.lastCall()).toMatchObject({ type: 'recovery_share.fetch', data: named })
  expect(fixture.lastCall().data).not.toHaveProperty('recovery_share')

  for (const call of fixture.receiver.calls) {
    expect(isSignedBy(fixture.secret, call)).toBe(true)
    expect(isSignedByKey([fixture.signing.jwk], call)).toBe(true)
    // What was signed is id, time and body, all three.
    for (const forged of [
      { ...call, id: `${call.id}0` },
      { ...call, timestamp: call.timestamp + 1 },
      { ...call, body: call.body.replace('"curve"', '"Curve"') },
    ]) {
      expect(isSignedBy(fixture.secret, forged)).toBe(false)
      expect(isSignedByKey([fixture.signing.jwk], forged)).toBe(false)
    }
    expect(isSignedByKey([platformKey(createSecretKey(randomBytes(32))).jwk], call)).toBe(false)
  }
  // A receiver that drops ids it has seen drops no call of ours.
  expect(new Set(fixture.receiver.calls.map(({ id }) => id)).size).toBe(fixture.receiver.calls.length)
})

test('with an encryption key no share is on the wire in plain, and what is opens for that very wallet and version only', async () => {
  const owner = createECDH('prime256v1')
  const point = owner.generateKeys()
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
    kid: 'ours',
    use: 'enc',
  }
  await fixture.configure(fixture.receiver.url, jwk)
  const ref = fixture.refOf({ polynomialVersion: 2 })
  const share = shareOf(3)
  await fixture.store.store(ref, share)
  const { data, body } = fixture.lastCall()
  expect(body).not.toContain(base64(share).slice(0, 20))
  const { sealed_share: sealed, ...named } = data as { sealed_share: { enc: string; ciphertext: string } }
  expect(Object.keys(named)).toHaveLength(6)
  const bytes = {
    enc: Buffer.from(sealed.enc, 'base64'),
    ciphertext: Buffer.from(sealed.ciphertext, 'base64'),
  }
  // RFC 8785, written out by hand.
  const aadOf = (version: number) =>
    Buffer.from(
      `{"curve":"secp256k1","organization_id":"${fixture.organizationId}","polynomial_version":${version},` +
        `"share_index":3,"user_identity_id":"${ref.userIdentityId}","wallet_id":"${ref.walletId}"}`,
    )
  const info = Buffer.from('recovery-share/v1')
  expect(openHpke(owner, bytes, { info, aad: aadOf(2) })).toEqual(Buffer.from(share))
  expect(() => openHpke(owner, bytes, { info, aad: aadOf(1) })).toThrow()
})

test('a store counts only when the receiver says 2xx', async () => {
  for (const status of [200, 201, 204]) {
    fixture.receiver.behave((_call, response) => answerPlainly(response, status))
    await fixture.store.store(fixture.refOf(), shareOf(3))
  }
  for (const status of [301, 302, 307, 400, 401, 404, 410, 429, 500, 503]) {
    fixture.receiver.behave((_call, response) => {
      response.writeHead(status, { location: '/elsewhere' }).end()
      return true
    })
    await expect(fixture.store.store(fixture.refOf(), shareOf(3))).rejects.toThrow(RecoveryShareError)
  }
  // No redirect was followed.
  expect(fixture.receiver.calls).toHaveLength(13)
})

test('a receiver that is down, slow, endless or breaks off fails the call within its time', async () => {
  const fails = async () => {
    const from = performance.now()
    await expect(fixture.hurriedStore.store(fixture.refOf(), shareOf(3))).rejects.toThrow(RecoveryShareError)
    await expect(fixture.hurriedStore.fetch(fixture.refOf(), place)).rejects.toThrow(RecoveryShareError)
    expect(performance.now() - from).toBeLessThan(2 * timeoutMs + 5_000)
  }
  fixture.receiver.behave(() => true)
  await fails()
  fixture.receiver.behave((_call, response) => {
    response.writeHead(200)
    const drip = setInterval(() => response.write(' '), 20)
    response.on('close', () => clearInterval(drip))
    return true
  })
  await fails()
  fixture.receiver.behave((_call, response) => answerPlainly(response, 200, ' '.repeat(65 * 1024)))
  await fails()
  fixture.receiver.behave((_call, response) => {
    response.destroy()
    return true
  })
  await fails()
  await fixture.receiver.close()
  await fails()
})

test('an answer with another index, version, length or form is not a share', async () => {
  const ref = fixture.refOf({ polynomialVersion: 4 })
  const share = shareOf(3)
  const text = base64(share)
  await fixture.store.store(ref, share)
  expect(await fixture.store.fetch(ref, place)).toEqual(share)
  const answer = (body: unknown, status = 200) => {
    fixture.receiver.behave((_call, response) =>
      answerPlainly(response, status, typeof body === 'string' ? body : JSON.stringify(body)),
    )
  }
  const honest = { recovery_share: text, share_index: 3, polynomial_version: 4 }
  answer({ ...honest, note: 'further fields are theirs' })
  expect(await fixture.store.fetch(ref, place)).toEqual(share)
  const lies: unknown[] = [
    { ...honest, polynomial_version: 3 },
    { ...honest, polynomial_version: '4' },
    { ...honest, share_index: 4 },
    { ...honest, share_index: '3' },
    { ...honest, share_index: 3.5 },
    { ...honest, recovery_share: base64(shareOf(4)) },
    { ...honest, recovery_share: base64(shareOf(4)), share_index: 4 },
    { ...honest, recovery_share: base64(shareOf(0)), share_index: 0 },
    { ...honest, recovery_share: base64(share.subarray(1)) },
    { ...honest, recovery_share: base64(share.subarray(0, 32)) },
    { ...honest, recovery_share: base64(Buffer.concat([share, Buffer.from([3])])) },
    { ...honest, recovery_share: `${text}=` },
    { ...honest, recovery_share: text.replace(/^./, '-') },
    { ...honest, recovery_share: `0x${Buffer.from(share).toString('hex')}` },
    { ...honest, recovery_share: null },
    { share_index: 3, polynomial_version: 4 },
    { data: honest },
    [honest],
    'null',
    '',
    '{',
    Buffer.from([0x22, 0xff, 0x22]).toString('latin1'),
  ]
  for (const lie of lies) {
    answer(lie)
    await expect(fixture.store.fetch(ref, place), JSON.stringify(lie)).rejects.toThrow(RecoveryShareError)
  }
  for (const status of [201, 202, 204, 404, 500]) {
    answer(status === 204 ? '' : honest, status)
    await expect(fixture.store.fetch(ref, place)).rejects.toThrow(RecoveryShareError)
  }
})

test('a receiver that replays the answer about an older version is not believed', async () => {
  const old = fixture.refOf()
  await fixture.store.store(old, shareOf(3))
  await fixture.store.store({ ...old, polynomialVersion: 2 }, shareOf(3))
  fixture.receiver.behave((call, response) => {
    if (call.type !== 'recovery_share.fetch') return undefined
    answerShare(response, fixture.receiver.shares.get(`${old.walletId}/1`) ?? '', 1)
    return true
  })
  await expect(fixture.store.fetch({ ...old, polynomialVersion: 2 }, place)).rejects.toThrow(
    RecoveryShareError,
  )
})

test('without a webhook nothing is stored and nothing fetched', async () => {
  orThrow(await removeWebhook(fixture.settings, fixture.organizationId, actor))
  await expect(fixture.store.store(fixture.refOf(), shareOf(3))).rejects.toThrow(RecoveryShareError)
  await expect(fixture.store.fetch(fixture.refOf(), place)).rejects.toThrow(RecoveryShareError)
  expect(fixture.receiver.calls).toHaveLength(0)
})

test('the news of a rotation leaves only with the transaction that made it, and again until the receiver takes it', async () => {
  fixture.worker.start()
  const ref = fixture.refOf({ polynomialVersion: 2 })
  const given = new Error('given up')
  await expect(
    fixture.sql.begin(async (tx) => {
      await fixture.store.rotated(tx, ref, place)
      throw given
    }),
  ).rejects.toBe(given)
  fixture.store.nudge()

  fixture.receiver.behave((_call, response) => answerPlainly(response, 500))
  await fixture.sql.begin((tx) => fixture.store.rotated(tx, ref, place))
  fixture.store.nudge()
  await until(async () => (await fixture.sql`select 1 from outbox where attempts = 1`).length === 1)
  await until(() => fixture.log.lines.some((line) => line.includes('tried again')))
  fixture.receiver.behave(undefined)
  await advanceClock(fixture.sql, 6_000)
  await until(async () => (await fixture.sql`select 1 from outbox`).length === 0)

  const news = fixture.receiver.callsOf('recovery_share.rotated')
  expect(fixture.receiver.calls).toHaveLength(2)
  expect(news).toHaveLength(2)
  // One message, sent twice: a receiver that keeps ids sees it once.
  expect(news[0]?.id).toBe(news[1]?.id)
  expect(news[0]?.body).toBe(news[1]?.body)
  expect(news[1]?.data).toEqual({
    organization_id: fixture.organizationId,
    user_identity_id: ref.userIdentityId,
    wallet_id: ref.walletId,
    curve: 'secp256k1',
    share_index: 3,
    polynomial_version: 2,
  })
  for (const call of news)
    expect(isSignedBy(fixture.secret, call) && isSignedByKey([fixture.signing.jwk], call)).toBe(true)
})

test('news for a webhook that was removed is dropped', async () => {
  await fixture.sql.begin((tx) => fixture.store.rotated(tx, fixture.refOf(), place))
  orThrow(await removeWebhook(fixture.settings, fixture.organizationId, actor))
  fixture.worker.start()
  await until(async () => (await fixture.sql`select 1 from outbox`).length === 0)
  expect(fixture.receiver.calls).toHaveLength(0)
})

test('neither secrets nor shares nor the address of a receiver reach log or errors', async () => {
  const token = randomBytes(16).toString('hex')
  await fixture.configure(`${fixture.receiver.url}/${token}?key=${token}`)
  const share = shareOf(3)
  const ref = fixture.refOf()
  await fixture.store.store(ref, share)
  const errors: unknown[] = []
  const attempt = async () => {
    await fixture.store.store(ref, share).catch((error) => errors.push(error))
    await fixture.store.fetch(ref, place).catch((error) => errors.push(error))
  }
  fixture.receiver.behave((call, response) => answerPlainly(response, 500, call.body + token))
  await attempt()
  fixture.receiver.behave((_call, response) => {
    answerShare(response, base64(share), 9)
    return true
  })
  await attempt()
  fixture.receiver.behave(() => true)
  await attempt()
  await fixture.receiver.close()
  await attempt()
  expect(errors).toHaveLength(7)
  expect(fixture.log.lines.length).toBeGreaterThan(4)
  const shown = [...fixture.log.lines, ...errors.map((error) => causes(error))].join('\n')
  expect(shown).toContain('webhook call failed')
  for (const planted of [token, fixture.secret, fixture.secret.slice(6, 30), base64(share).slice(0, 30)])
    expect(shown).not.toContain(planted)
})

const causes = (error: unknown): string =>
  error instanceof Error ? `${error.stack}${JSON.stringify(error)}${causes(error.cause)}` : String(error)
