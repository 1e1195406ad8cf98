import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { launchChromium } from '@symbolon/testing/browser'
import type { Browser, Page } from 'playwright-core'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AuditFixture, startAuditFixture } from './audit-fixture.ts'

let fixture: AuditFixture
let browser: Browser
let page: Page
let server: Server
let text = ''

/** A page that verifies what it downloads itself. */
const html = `<!doctype html><script type="module">
  import { verifyExport } from '/verify.js'
  window.verdictOf = async (url) => {
    const keys = await (await fetch('/jwks')).json()
    const { verdict, size } = await verifyExport({ stream: (await fetch(url)).body, keys })
    return { verdict, size }
  }
</script>`

beforeAll(async () => {
  fixture = await startAuditFixture()
  text = await fixture.download(await fixture.log(400))
  const entry = new URL('../../packages/sdk/src/verify.ts', import.meta.url).pathname
  const bundle = await rolldown({ input: entry, platform: 'browser' })
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false })
  await bundle.close()
  server = createServer((request, response) => {
    const [type, body] = {
      '/verify.js': ['text/javascript', output[0].code],
      '/export': ['application/x-ndjson', text],
      '/changed': ['application/x-ndjson', text.replace('"success":true', '"success":false')],
      '/': ['text/html', html],
      '/jwks': ['application/json', JSON.stringify(fixture.keys)],
    }[request.url ?? ''] ?? ['text/plain', '']
    response.writeHead(200, { 'content-type': type }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  browser = await launchChromium()
  page = await browser.newPage()
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
})
afterAll(async () => {
  await browser.close()
  server.close()
  await fixture.stop()
})

const verdictIn = (url: string) => page.evaluate(`verdictOf(${JSON.stringify(url)})`)

test('a browser verifies a download as it streams in, and finds a changed one', async () => {
  expect(await verdictIn('/export')).toEqual({ verdict: 'verified', size: 400 })
  expect(await verdictIn('/changed')).toEqual({ verdict: 'failed', size: 400 })
})
