import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { launchChromium } from '@symbolon/testing/browser'
import type { Browser, Page } from 'playwright-core'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type PlatformFixture, startPlatform } from './platform-fixture.ts'

let platform: PlatformFixture
let browser: Browser
let page: Page
let server: Server

/** A page that verifies by itself what it is given. */
const html = `<!doctype html><script type="module">
  import { verifyAttestation, verifyReceipt } from '/verify.js'
  const bytes = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  const short = ({ verdict, findings }) => [verdict, findings.map(({ code }) => code)]
  window.attestation = async ({ root, nonce, ...options }) =>
    short(await verifyAttestation({ simulatedRoot: bytes(root), nonce: bytes(nonce), isSimulatedAllowed: true, ...options }))
  window.receipt = async ({ root, ...options }) =>
    short(await verifyReceipt({ simulatedRoot: bytes(root), isSimulatedAllowed: true, ...options }))
</script>`

beforeAll(async () => {
  platform = await startPlatform()
  const entry = new URL('../../packages/sdk/src/verify.ts', import.meta.url).pathname
  const bundle = await rolldown({ input: entry, platform: 'browser' })
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false })
  await bundle.close()
  server = createServer((request, response) => {
    const isCode = request.url === '/verify.js'
    response
      .writeHead(200, { 'content-type': isCode ? 'text/javascript' : 'text/html' })
      .end(isCode ? output[0].code : html)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  browser = await launchChromium()
  page = await browser.newPage()
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
})
afterAll(async () => {
  await browser.close()
  server.close()
  await platform.stop()
})

const inPage = (what: 'attestation' | 'receipt', options: object) => {
  const { boot } = platform
  const root = Buffer.from(boot.root).toString('base64')
  return page.evaluate(`${what}(${JSON.stringify({ root, ringId: boot.ringId, ...options })})`)
}

test('a browser verifies an attestation and a receipt, and finds what is wrong, as Node does', async () => {
  const { boot } = platform
  const nonce = Buffer.from('sixteen bytes or')
  const attestation = boot.attestation(nonce)
  const given = { attestation, nonce: nonce.toString('base64') }
  expect(await inPage('attestation', given)).toEqual(['verified', []])
  expect(await inPage('attestation', { ...given, nonce: 'AAAA' })).toEqual(['failed', ['nonce_mismatch']])
  const changed = Buffer.from(attestation.document, 'base64')
  changed[changed.length - 1] = (changed[changed.length - 1] ?? 0) ^ 1
  const forged = { ...attestation, document: changed.toString('base64') }
  expect(await inPage('attestation', { ...given, attestation: forged })).toEqual([
    'failed',
    ['signature_invalid'],
  ])
  const key = boot.keyAttestation()
  expect(await inPage('receipt', { receipt: boot.receipt(), attestation: key })).toEqual(['verified', []])
  const lied = boot.receipt({ effects: [] })
  expect(await inPage('receipt', { receipt: lied, attestation: key })).toEqual([
    'failed',
    ['effects_mismatch'],
  ])
})
