import { builtPortal, portalFolder } from '@symbolon/server/testing/adapters'
import { startTestApp, type TestApp } from '@symbolon/testing/app'
import { afterAll, beforeAll, expect, test } from 'vitest'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(app.url + path, { headers, redirect: 'manual' })

test('every address below /portal is the one page, which runs its own files alone and is framed by nobody', async () => {
  const first = await get('/portal')
  const page = await first.text()
  const policy = first.headers.get('content-security-policy') ?? ''
  const scripts = /script-src ([^;]+);/.exec(policy)?.[1] ?? ''
  expect(scripts).toMatch(/^https?:\/\/[^ ]+\/portal\/assets\/$/)
  expect(policy).toMatch(/default-src 'none'.*frame-ancestors 'none'.*trusted-types 'none'/)
  expect(policy).not.toMatch(/unsafe|\*/)
  expect(first.headers.get('cache-control')).toBe('no-store')
  // Nothing inline that the policy would have to stop, nothing from elsewhere.
  expect(page).not.toMatch(
    /<script(?![^>]*\bsrc="\/portal\/assets\/)|<style|\son\w+=|https?:\/\/(?!www\.w3\.org)/,
  )
  for (const path of ['/portal/', '/portal/o/some-company/audit?success=false', '/portal/o/a.b/c.js']) {
    const answer = await get(path)
    expect([answer.status, await answer.text()]).toEqual([200, page])
  }
})

test('its files are kept forever, compressed where that is taken, and only those of the build are there', async () => {
  const { files } = (await builtPortal(portalFolder, 'fixed')()) ?? {}
  expect(files?.size).toBeGreaterThan(3)
  for (const [name, { integrity, type }] of files ?? []) {
    const answer = await get(`/portal/assets/${name}`)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type])
    expect(answer.headers.get('cache-control')).toMatch(/immutable/)
    expect(answer.headers.get('content-encoding')).toBe('gzip')
    const again = await get(`/portal/assets/${name}`, { 'if-none-match': `W/"${integrity}"` })
    expect(again.status).toBe(304)
  }
  for (const name of ['manifest.json', 'index.html', '..%2findex.html', 'index-00000000.js', '']) {
    const { status } = await get(`/portal/assets/${name}`)
    expect([name, status]).toEqual([name, 404])
  }
})

test('a portal that is still being built says so and asks again', async () => {
  const waiting = await startTestApp({ ports: { portalAssets: async () => undefined } })
  try {
    const answer = await fetch(`${waiting.url}/portal/o/company`)
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await answer.text()).toContain('The portal is being built')
    expect((await fetch(`${waiting.url}/portal/assets/index-00000000.js`)).status).toBe(404)
  } finally {
    await waiting.stop()
  }
})
