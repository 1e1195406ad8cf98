import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AssetError, builtTools, toolFiles } from '@symbolon/server/testing/adapters'
import { startTestApp, type TestApp } from '@symbolon/testing/app'
import { afterAll, beforeAll, expect, test } from 'vitest'

const contents = {
  'verify.js': 'verify()',
  'rescue.js': 'rescue()',
  'rescue.html': '<script>share()</script>',
}
let folder: string
let app: TestApp

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'symbolon-tools-'))
  for (const [name, text] of Object.entries(contents)) writeFileSync(join(folder, name), text)
  const files = Object.keys(contents).map((name) => join(folder, name))
  app = await startTestApp({ ports: { tools: builtTools(files, 'fixed') } })
})
afterAll(async () => {
  await app.stop()
  rmSync(folder, { recursive: true, force: true })
})

test.each(Object.entries(contents))(
  '%s is downloaded, and never shown on the platform’s origin',
  async (name, text) => {
    const answer = await fetch(`${app.url}/tools/${name}`)
    expect([answer.status, await answer.text()]).toEqual([200, text])
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': `text/${name.endsWith('.html') ? 'html' : 'javascript'}; charset=utf-8`,
      'content-disposition': `attachment; filename="${name}"`,
      'content-security-policy':
        "default-src 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    })
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    const etag = answer.headers.get('etag') ?? ''
    expect((await fetch(`${app.url}/tools/${name}`, { headers: { 'if-none-match': etag } })).status).toBe(304)
  },
)

test('no other file is a tool', async () => {
  for (const name of ['', 'package.json', 'README.md', '..%2fpackage.json', 'constructor'])
    expect([name, (await fetch(`${app.url}/tools/${name}`)).status]).toEqual([name, 404])
})

test('a tool that is not built yet is unavailable in development, and stops the start in production', async () => {
  const files = [join(folder, 'none', 'verify.js')]
  expect(() => builtTools(files, 'fixed')).toThrow(AssetError)
  const early = await startTestApp({ installation: app, ports: { tools: builtTools(files, 'following') } })
  try {
    expect((await fetch(`${early.url}/tools/verify.js`)).status).toBe(503)
  } finally {
    await early.stop()
  }
})

test('the tools of this repository are those that the guides name', () => {
  const { names } = builtTools(toolFiles, 'fixed')
  expect(names).toEqual(Object.keys(contents))
})
