import { expect, test } from 'vitest'
import { createAgentClient } from './create-agent-client.ts'
import { violationOf } from './violation.ts'

const token = `as_live_${'0'.repeat(49)}`
const baseUrl = 'https://w.example'

/** A client whose network answers what is given, one after the other, and what was sent. */
function scripted(...answers: (Response | Error)[]) {
  const sent: { url: string; headers: Headers; body: string | undefined }[] = []
  const fetch = async (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
    sent.push({
      url: String(url),
      headers: new Headers(init?.headers),
      body: init?.body === undefined ? undefined : String(init.body),
    })
    const next = answers.shift()
    if (next === undefined || next instanceof Error) throw next ?? new Error('nothing is left to answer')
    return next
  }
  return { client: createAgentClient({ token, baseUrl, fetch }), sent }
}

const envelope = (data: unknown, error: unknown, status: number) =>
  new Response(JSON.stringify({ data, error }), { status, headers: { 'content-type': 'application/json' } })

const refusal = {
  reason: 'total_cap_exceeded',
  layer: 'session',
  rule: 'max_spend_total_native',
  limit: '10',
  actual: '11',
}

test('a payment whose answer was lost is asked for again under the same key', async () => {
  const paid = { tx_hash: '0x01', chain: 'local', chain_id: 31337, nonce: '0x0', from: '0x02' }
  const { client, sent } = scripted(new TypeError('socket hang up'), envelope(paid, null, 200))
  expect(await client.send({ chain: 'local', to: '0x03', value: '1' })).toEqual({ data: paid, error: null })
  const keys = sent.map(({ headers }) => headers.get('idempotency-key'))
  expect(keys).toEqual([keys[0], keys[0]])
  expect(keys[0]).toMatch(/^.{16,}$/)
})

test('a refusal by policy names the rule, and the request is not repeated', async () => {
  const error = { code: 'policy_violation', message: 'The policy does not allow this.', details: refusal }
  const { client, sent } = scripted(envelope(null, error, 403))
  const result = await client.sign({ type: 'message', message: 'hi' })
  expect(violationOf(result.error)).toEqual(refusal)
  expect(sent).toHaveLength(1)
})

test('no other error is taken for a refusal by policy', () => {
  expect(violationOf({ code: 'token_revoked', message: '', details: refusal })).toBeUndefined()
  expect(violationOf(null)).toBeUndefined()
})

test('a check is a dry run, and answers its decision alone', async () => {
  const decision = { outcome: 'rejected', ...refusal }
  const { client, sent } = scripted(envelope({ wallet_id: '1', decision }, null, 200))
  const { data } = await client.check({ type: 'message', message: 'hi' })
  expect(data).toEqual(decision)
  expect(JSON.parse(sent[0]?.body ?? '')).toEqual({ type: 'message', message: 'hi', dry_run: true })
})

test.each([
  ['a secret key', `sk_live_${'0'.repeat(49)}`, baseUrl],
  ['a token in clear over the network', token, 'http://w.example'],
])('%s is refused without repeating it', (_, given, url) => {
  expect(() => createAgentClient({ token: given, baseUrl: url })).toThrow(TypeError)
  expect(() => createAgentClient({ token: given, baseUrl: url })).not.toThrow(given)
})

test('a program whose baseUrl leads nowhere, or elsewhere, reads the address and what to check', async () => {
  const told = async (fetch: () => Promise<Response>) => {
    const { error } = await createAgentClient({ token, baseUrl, fetch }).session()
    return [error?.code, error?.message]
  }
  const down = async () => {
    throw new TypeError('fetch failed')
  }
  expect(await told(down)).toEqual([
    'network_failed',
    `The service at ${baseUrl} could not be reached: check baseUrl, and that the platform runs.`,
  ])
  expect(await told(async () => new Response('<html>'))).toEqual([
    'invalid_answer',
    `What answers at ${baseUrl} is not the platform's API: check baseUrl.`,
  ])
})

test('an address that answers as the API does, but is another, is named as such, without a page on its host', async () => {
  const asked: string[] = []
  const missing = { code: 'not_found', message: 'Not found.' }
  const told = async (atFrame: () => Response) => {
    asked.length = 0
    const fetch = async (url: string | URL | Request) => {
      asked.push(String(url).slice(baseUrl.length))
      return String(url).endsWith('/v1/frame') ? atFrame() : envelope(null, missing, 404)
    }
    const client = createAgentClient({ token, baseUrl, fetch })
    const first = (await client.session()).error
    expect((await client.session()).error).toEqual(first)
    return first
  }
  const elsewhere = {
    code: 'invalid_answer',
    message: `What answers at ${baseUrl} is not the platform's API: check baseUrl.`,
    status: 404,
  }
  for (const other of [() => envelope(null, missing, 404), () => new Response('<html>')]) {
    const error = await told(other)
    expect(error).toMatchObject(elsewhere)
    expect(error).not.toHaveProperty('docs_url')
  }
  // The platform itself is asked once, and its word is handed on.
  expect(await told(() => envelope({ url: 'https://frame.example' }, null, 200))).toMatchObject(missing)
  expect(asked).toEqual(['/v1/agents/me', '/v1/frame', '/v1/agents/me'])
  const busy = { code: 'rate_limited', message: 'Later.' }
  expect(await told(() => envelope(null, busy, 429))).toMatchObject(missing)
})

test('where nobody answers over https on this machine, http is named', async () => {
  const fetch = async (): Promise<Response> => {
    throw new TypeError('fetch failed')
  }
  const client = createAgentClient({ token, baseUrl: 'https://127.0.0.1:8080', fetch })
  expect((await client.session()).error?.message).toMatch(/ On this machine, it begins with http:\/\/\.$/)
})
