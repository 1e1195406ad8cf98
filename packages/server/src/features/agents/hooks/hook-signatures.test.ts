import { createHmac } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { signedDelivery } from './hook-signatures.ts'

const bytes = (text: string) => Buffer.from(text, 'utf8')
const hex = (key: string, text: string) => createHmac('sha256', key).update(text).digest('hex')

/** The example of the Standard Webhooks specification. */
const standard = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestamp: 1614265330,
  payload: '{"test": 2432232314}',
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
}
const at = standard.timestamp * 1_000
const other = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

function deliver(change: Record<string, string | undefined> = {}, secrets = [standard.secret], nowMs = at) {
  const headers = {
    'webhook-id': standard.id,
    'webhook-timestamp': String(standard.timestamp),
    'webhook-signature': standard.signature,
    ...change,
  }
  return signedDelivery('standard', { headers, rawBody: bytes(standard.payload) }, secrets, nowMs)
}

test('a delivery of Standard Webhooks passes by any of its signatures and any secret, and by its own only', () => {
  expect(deliver()).toBe(standard.id)
  expect(deliver({}, [other, standard.secret])).toBe(standard.id)
  expect(deliver({ 'webhook-signature': `v1,AAAA v2,AAAA ${standard.signature}` })).toBe(standard.id)
  expect(deliver({}, [other])).toBeUndefined()
  expect(deliver({}, [])).toBeUndefined()
  expect(deliver({ 'webhook-id': 'msg_other' })).toBeUndefined()
  for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature'])
    expect(deliver({ [name]: undefined }), name).toBeUndefined()
  for (const signature of [
    '',
    'v1,',
    'v1',
    standard.signature.slice(0, 8),
    'v1,dawfeoifkpqwoekfpqoekf',
    `v2${standard.signature.slice(2)}`,
  ])
    expect(deliver({ 'webhook-signature': signature }), signature).toBeUndefined()
})

test('one signature is good for one delivery: an id cannot take up a part of what comes after it', () => {
  const time = standard.timestamp
  const key = Buffer.from(standard.secret.slice('whsec_'.length), 'base64')
  const deliverAs = (id: string, timestamp: number, body: string) => {
    const digest = createHmac('sha256', key)
      .update(`X.${time}.${time + 200}.5`)
      .digest('base64')
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': `v1,${digest}`,
    }
    return signedDelivery('standard', { headers, rawBody: bytes(body) }, [standard.secret], at)
  }
  expect(deliverAs('X', time, `${time + 200}.5`)).toBe('X')
  expect(deliverAs(`X.${time}`, time + 200, '5')).toBeUndefined()
})

test('300 seconds is as old, or as early, as a delivery may be', () => {
  for (const shift of [-300_000, 300_000]) expect(deliver({}, undefined, at + shift)).toBe(standard.id)
  for (const shift of [-301_000, 301_000]) expect(deliver({}, undefined, at + shift)).toBeUndefined()
  for (const timestamp of ['hello', '', '-1', '1e9', '1614265330.0'])
    expect(deliver({ 'webhook-timestamp': timestamp }), timestamp).toBeUndefined()
})

const vectors = new URL(
  '../../../../../../../shared/vectors/protocol/standard_webhooks.json',
  import.meta.url,
)
// They lie beside the repository on some machines.
if (existsSync(vectors))
  test('the signatures of the shared vectors pass', () => {
    const { sign } = JSON.parse(readFileSync(vectors, 'utf8')) as { sign: (typeof standard)[] }
    expect(sign.length).toBeGreaterThan(0)
    for (const { secret, id, timestamp, payload, signature } of sign) {
      const headers = {
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': signature,
      }
      expect(
        signedDelivery('standard', { headers, rawBody: bytes(payload) }, [secret], timestamp * 1_000),
      ).toBe(id)
    }
  })

test("a delivery of Stripe is named by its event, and signed with the secret's text", () => {
  const secret = 'whsec_test'
  const body = '{"id":"evt_1","object":"event"}'
  const seconds = 1_700_000_000
  const deliverStripe = (header: string, given = body, nowMs = seconds * 1_000) =>
    signedDelivery(
      'stripe',
      { headers: { 'stripe-signature': header }, rawBody: bytes(given) },
      [secret],
      nowMs,
    )
  const good = hex(secret, `${seconds}.${body}`)
  expect(deliverStripe(`t=${seconds},v1=${good}`)).toBe('evt_1')
  expect(deliverStripe(`t=${seconds}, v1=${'0'.repeat(64)}, v1=${good}, v0=${good}`)).toBe('evt_1')
  expect(deliverStripe(`t=${seconds},v0=${good}`)).toBeUndefined()
  expect(deliverStripe(`t=${seconds + 1},v1=${good}`)).toBeUndefined()
  expect(deliverStripe(`v1=${good}`)).toBeUndefined()
  expect(deliverStripe(`t=${seconds},v1=${good}`, `${body} `)).toBeUndefined()
  expect(deliverStripe(`t=${seconds},v1=${good}`, body, (seconds + 301) * 1_000)).toBeUndefined()
  const nameless = hex(secret, `${seconds}.{}`)
  expect(deliverStripe(`t=${seconds},v1=${nameless}`, '{}')).toMatch(/^sha256:[0-9a-f]{64}$/)
})

test('a delivery of GitHub is named by its body: another delivery id, which nobody signs, is the same delivery', () => {
  // GitHub's own example.
  const secret = "It's a Secret to Everybody"
  const signature = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17'
  const deliverGithub = (body: string, id: string, given = signature) => {
    const headers = { 'x-hub-signature-256': given, 'x-github-delivery': id }
    return signedDelivery('github', { headers, rawBody: bytes(body) }, [secret], 0)
  }
  const first = deliverGithub('Hello, World!', 'a')
  expect(first).toMatch(/^sha256:[0-9a-f]{64}$/)
  expect(deliverGithub('Hello, World!', 'b')).toBe(first)
  expect(deliverGithub('Hello, World?', 'a')).toBeUndefined()
  expect(deliverGithub('Hello, World!', 'a', signature.replace('sha256=', 'sha1='))).toBeUndefined()
  expect(deliverGithub('Hello, World!', 'a', 'sha256=')).toBeUndefined()
})
