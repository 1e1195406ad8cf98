import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { mountReference } from './reference.ts'

const served = async (url: string) => {
  const app = Fastify()
  mountReference(app)
  try {
    return await app.inject({ url })
  } finally {
    await app.close()
  }
}

test('the reference page names no other host and its policy allows none', async () => {
  const page = await served('/reference')
  expect(page.statusCode).toBe(200)
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(page.body).not.toMatch(/https?:|"\/\//)
  expect(page.body).toContain('data-url="/v1/openapi.json"')
  const policy = String(page.headers['content-security-policy'])
  expect(policy).toMatch(/^default-src 'none'; script-src 'self';/)
  expect(policy).toContain("connect-src 'self';")
  expect(policy).not.toMatch(/https?:|\*|unsafe-eval|script-src[^;]*unsafe/)
})

test('the page has no inline script and every script it names is served whole', async () => {
  const { body } = await served('/reference')
  const scripts = [...body.matchAll(/<script\b([^>]*)>([^<]*)<\/script>/g)]
  expect(scripts.map(([, , inline]) => inline)).toEqual(['', ''])
  const sources = scripts.flatMap(([, attributes]) => /src="([^"]+)"/.exec(attributes ?? '')?.[1] ?? [])
  expect(sources).toHaveLength(1)
  for (const source of sources) {
    const script = await served(source)
    expect(script.statusCode).toBe(200)
    expect(script.headers['content-type']).toBe('text/javascript; charset=utf-8')
    expect(script.rawPayload).toHaveLength(Number(script.headers['content-length']))
    expect(script.rawPayload.length).toBeGreaterThan(1_000_000)
  }
})
