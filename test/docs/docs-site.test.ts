import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { errors } from '@symbolon/api'
import { AssetError, builtDocs, docsFolder } from '@symbolon/server/testing/adapters'
import { startTestApp, type TestApp } from '@symbolon/testing/app'
import { afterAll, beforeAll, expect, test } from 'vitest'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ ports: { docs: builtDocs(docsFolder, 'fixed') } })
})
afterAll(() => app.stop())

const get = (at: string, headers: Record<string, string> = {}) =>
  fetch(app.url + at, { headers, redirect: 'manual' })
const policyOf = (answer: Response) => answer.headers.get('content-security-policy') ?? ''

test('the guides run the files and hashed scripts of their build alone, under Trusted Types', async () => {
  const home = await get('/docs')
  expect([home.status, home.headers.get('location')]).toEqual([308, '/docs/'])
  for (const at of ['/docs/', '/docs/guides/agents', '/docs/errors/', '/docs/reference/configuration']) {
    const answer = await get(at)
    expect([at, answer.status, answer.headers.get('cache-control')]).toEqual([at, 200, 'no-cache'])
    expect(policyOf(answer)).toMatch(
      /^default-src 'none'; script-src https?:\/\/[^ ]+\/docs\/assets\/( 'sha256-[^']+')+;/,
    )
    expect(policyOf(answer)).toMatch(
      /frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types vue$/,
    )
    expect(policyOf(answer)).not.toMatch(/unsafe-inline|unsafe-eval|\*/)
    const etag = answer.headers.get('etag') ?? ''
    expect((await get(at, { 'if-none-match': etag })).status).toBe(304)
  }
})

test('every error code has a page that runs no script', async () => {
  for (const [code, { status }] of Object.entries(errors)) {
    const answer = await get(`/docs/errors/${code}`)
    const page = await answer.text()
    expect([code, answer.status]).toEqual([code, 200])
    expect(page).toContain(`>${code}</h1>`)
    expect(page).toContain(`<p>${status} · `)
    expect(page).not.toMatch(/<script|<style|\sstyle=|\son\w+=/)
    expect(policyOf(answer)).not.toMatch(/script-src|unsafe/)
    expect(policyOf(answer)).toMatch(/^default-src 'none'/)
  }
  const style = await get('/docs/errors/page.css')
  expect([style.status, style.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8'])
})

test('what is not there is said without a script too', async () => {
  for (const at of ['errors/no_such_code', 'errors/%3Cb%3E', 'errors/a/b']) {
    const answer = await get(`/docs/${at}`)
    const page = await answer.text()
    expect([at, answer.status]).toEqual([at, 404])
    expect(page).toContain('<h1>No such error code</h1>')
    expect(page).toContain('<a href="/docs/errors/">All errors</a>')
    expect(page).not.toMatch(/<script|<b>/)
    expect(policyOf(answer)).not.toMatch(/script-src/)
  }
  const guide = await get('/docs/guides/none')
  expect(guide.status).toBe(404)
  expect(await guide.text()).toContain('<noscript><h1>Page not found</h1>')
})

test('every link of every page leads to a page of the site', async () => {
  const pages = readdirSync(docsFolder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.html'),
  )
  expect(pages.length).toBeGreaterThan(80)
  const targets = new Map<string, string>()
  for (const page of pages) {
    const text = readFileSync(path.join(docsFolder, page), 'utf8')
    for (const [, href = ''] of text.matchAll(/<a [^>]*?href="([^"#]+)/g)) {
      const { origin, pathname } = new URL(href, `${app.url}/docs/${page}`)
      if (origin === app.url && pathname.startsWith('/docs')) targets.set(pathname, page)
    }
  }
  const broken: string[] = []
  for (const [target, page] of targets)
    if (![200, 308].includes((await get(target)).status)) broken.push(`${page}: ${target}`)
  expect(broken).toEqual([])
})

test('files of the build are kept forever, and nothing but its files is there', async () => {
  const text = readFileSync(path.join(docsFolder, 'manifest.json'), 'utf8')
  const files = Object.keys(JSON.parse(text).files).filter((file) => file.startsWith('assets/'))
  expect(files.length).toBeGreaterThan(50)
  for (const file of files.slice(0, 20)) {
    const answer = await get(`/docs/${file}`)
    expect([file, answer.status]).toEqual([file, 200])
    expect(answer.headers.get('cache-control')).toMatch(/immutable/)
  }
  for (const at of [
    'manifest.json',
    '..%2fconfig.ts',
    'assets/none.js',
    'index.html.gz',
    'constructor',
    'guides',
  ])
    expect([at, (await get(`/docs/${at}`)).status]).toEqual([at, 404])
})

test('a site that is missing or changed stops the start in production, and says that it is being built in development', async () => {
  expect(() => builtDocs(path.join(docsFolder, 'none'), 'fixed')).toThrow(AssetError)
  const early = await startTestApp({
    installation: app,
    ports: { docs: builtDocs(path.join(docsFolder, 'none'), 'following') },
  })
  try {
    const answer = await fetch(`${early.url}/docs/guides/agents`)
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await answer.text()).toContain('The documentation is being built')
  } finally {
    await early.stop()
  }
})
