import { createHash, type JsonWebKey } from 'node:crypto'
import { orThrow, pingWebhook, setWebhook } from '@symbolon/server/testing/webhooks'
import {
  type Installation,
  makeTenant,
  startInstallation,
  startTestApp,
  type TestApp,
} from '@symbolon/testing/app'
import { isSignedByKey, startWebhookReceiver, type WebhookReceiver } from '@symbolon/testing/http'
import { afterAll, beforeAll, expect, test } from 'vitest'

let installation: Installation
let processes: TestApp[]
let receiver: WebhookReceiver

beforeAll(async () => {
  ;[installation, receiver] = await Promise.all([startInstallation(), startWebhookReceiver()])
  processes = await Promise.all([startTestApp({ installation }), startTestApp({ installation })])
})
afterAll(async () => {
  await Promise.all((processes ?? []).map((process) => process.stop()))
  await receiver?.close()
  await installation?.stop()
})

async function publishedKeys({ url }: TestApp): Promise<Record<string, string>[]> {
  const response = await fetch(`${url}/.well-known/jwks.json`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
  const body = (await response.json()) as { keys: Record<string, string>[] }
  expect(Object.keys(body)).toEqual(['keys'])
  return body.keys
}

test('every process, before and after a restart, signs with the key that any of them publishes', async () => {
  const [first, second] = processes as [TestApp, TestApp]
  const keys = await publishedKeys(first)
  expect(keys).toHaveLength(1)
  const [key = {}] = keys
  expect(key).toEqual({
    kty: 'OKP',
    crv: 'Ed25519',
    x: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
    kid: createHash('sha256').update(`{"crv":"Ed25519","kty":"OKP","x":"${key['x']}"}`).digest('base64url'),
    use: 'sig',
    alg: 'EdDSA',
  })
  expect(await publishedKeys(second)).toEqual(keys)

  const { id } = await makeTenant(first, { signingMode: 'client' })
  orThrow(await setWebhook(first.app.webhooks, id, { url: receiver.url }, { type: 'system', id: 'test' }))
  await first.stop()
  processes[0] = await startTestApp({ installation })
  for (const process of processes) {
    expect(await publishedKeys(process)).toEqual(keys)
    expect(orThrow(await pingWebhook(process.app.webhooks, id))).toMatchObject({ delivered: true })
    const ping = receiver.calls.at(-1)
    if (ping === undefined) throw new Error('No ping came.')
    expect(isSignedByKey(keys as JsonWebKey[], ping)).toBe(true)
  }
  expect(receiver.calls).toHaveLength(2)
})
