import { openapi } from '@symbolon/api/openapi'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { mountReference } from './reference.ts'
import { prose, typeOf } from './reference-schema.ts'

const served = async (url: string) => {
  const app = Fastify()
  mountReference(app)
  try {
    return await app.inject({ url })
  } finally {
    await app.close()
  }
}

test('the reference runs no script, shows one style by its hash, and reaches nobody', async () => {
  const page = await served('/reference')
  expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  expect(page.body).not.toMatch(/<script|<iframe|\son\w+=|style=|javascript:/i)
  expect(page.body.match(/<style>/g)).toHaveLength(1)
  expect(page.headers['content-security-policy']).toMatch(
    /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'$/,
  )
  expect(page.headers['x-frame-options']).toBe('DENY')
})

test('the reference has every route and every schema once, and each link on it leads somewhere', async () => {
  const { body } = await served('/reference')
  const { paths, components } = openapi()
  const ids = [...body.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
  expect(new Set(ids).size).toBe(ids.length)
  const operations = Object.values(paths).flatMap((path) => Object.values(path))
  for (const { operationId } of operations) expect(ids).toContain(`operation-${operationId}`)
  for (const name of Object.keys(components['schemas'] as object)) expect(ids).toContain(`schema-${name}`)
  const links = [...body.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id)
  expect(links.filter((id) => !ids.includes(id))).toEqual([])
  expect(body).not.toMatch(/undefined|\[object Object\]/)
})

test('no text of the document becomes markup', () => {
  expect(prose('a <b> & `c<d>`\n\n[x](/docs/) [y](javascript:z)')).toBe(
    '<p>a &lt;b&gt; &amp; <code>c&lt;d&gt;</code></p><p><a href="/docs/">x</a> [y](javascript:z)</p>',
  )
  expect(typeOf({ const: '"><script>' })).toBe('<code>&quot;\\&quot;&gt;&lt;script&gt;&quot;</code>')
  expect(typeOf({ $ref: '#/components/schemas/"><x' })).not.toContain('<x')
})
