import { randomBytes } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import { formatPrivateKey } from '@symbolon/networks/testing/by-intent'
import { launchChromium, type Pages, startPages, watchTraffic } from '@symbolon/testing/browser'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

let browser: Browser
let pages: Pages
const key = new Uint8Array(randomBytes(32))
const hex = Buffer.from(key).toString('hex')

beforeAll(async () => {
  ;[browser, pages] = await Promise.all([launchChromium(), startPages()])
  pages.serve('/take', { body: 'taken', type: 'text/plain' })
  pages.serve('/give', { body: key, type: 'application/octet-stream' })
})
afterAll(async () => {
  await browser.close()
  await pages.close()
})

/** What the recorder says of a page that does this with a key, in hex unless another text of it is given. */
async function saidOf(leak: (given: string) => unknown, given = hex): Promise<string> {
  const context = await browser.newContext()
  try {
    const traffic = await watchTraffic(context)
    const page = await context.newPage()
    await page.goto(pages.origin())
    await page.evaluate(leak, given)
    return await traffic.assertNoKeyBytes(key, ed25519.getPublicKey(key)).then(
      () => 'nothing',
      (error: Error) => error.message,
    )
  } finally {
    await context.close()
  }
}

test('a page that keeps to itself is not accused', async () => {
  expect(await saidOf(() => fetch('/take', { method: 'POST', body: 'nothing of interest' }))).toBe('nothing')
})

const bytesOf = 'Uint8Array.from(given.match(/../g), (pair) => parseInt(pair, 16))'
test.each([
  ['a request body in hex', 'fetch("/take", { method: "POST", body: given })'],
  ['a request body in upper-case hex', 'fetch("/take", { method: "POST", body: given.toUpperCase() })'],
  ['a raw request body', `fetch("/take", { method: "POST", body: ${bytesOf} })`],
  ['half of it', `fetch("/take", { method: "POST", body: ${bytesOf}.slice(9, 25) })`],
  ['reversed bytes', `fetch("/take", { method: "POST", body: ${bytesOf}.reverse() })`],
  ['an address', 'fetch("/take?k=" + given)'],
  ['a header', 'fetch("/take", { headers: { "x-k": btoa("k" + given) + "," + given } })'],
  [
    'base64 after one more byte',
    `fetch("/take", { method: "POST", body: btoa("x" + String.fromCharCode(...${bytesOf})) })`,
  ],
  [
    'base64 after two more bytes',
    `fetch("/take", { method: "POST", body: btoa("xy" + String.fromCharCode(...${bytesOf})) })`,
  ],
  ['decimal', 'fetch("/take", { method: "POST", body: BigInt("0x" + given).toString() })'],
  ['JSON of a typed array', `fetch("/take", { method: "POST", body: JSON.stringify({ k: ${bytesOf} }) })`],
  [
    'JSON of an indented list',
    `fetch("/take", { method: "POST", body: JSON.stringify([...${bytesOf}], null, 2) })`,
  ],
  ['an answer', 'fetch("/give").then((r) => r.arrayBuffer())'],
  ['a port', `new MessageChannel().port1.postMessage({ k: ${bytesOf} })`],
  ['a channel', `new BroadcastChannel("k").postMessage(${bytesOf}.buffer)`],
  [
    'a window message',
    'new Promise((r) => { addEventListener("message", () => r()); postMessage({ k: [given] }) })',
  ],
  ['the console', 'console.log(given)'],
  ['local storage', 'localStorage.setItem("k", given)'],
  ['session storage', 'sessionStorage.setItem("k", given)'],
  ['a cookie', 'document.cookie = "k=" + given'],
  ['the document', 'document.body.append(given)'],
  [
    'a database',
    `new Promise((done) => {
      const open = indexedDB.open('k')
      open.onupgradeneeded = () => open.result.createObjectStore('s')
      open.onsuccess = () => {
        const change = open.result.transaction('s', 'readwrite')
        change.objectStore('s').put({ k: ${bytesOf} }, 'k')
        change.oncomplete = () => { open.result.close(); done() }
      }
    })`,
  ],
  [
    'an uncaught error',
    'new Promise((r) => { setTimeout(() => { throw new Error(given) }); setTimeout(r, 50) })',
  ],
])('a page that leaks a key by %s is caught', async (_, program) => {
  const leak = new Function('given', `return ${program}`)
  expect(await saidOf(leak as (hex: string) => unknown)).toMatch(/has the key/)
})

test.each(
  (['secp256k1', 'ed25519'] as const).flatMap((curve) =>
    formatPrivateKey(curve, key).map(({ label, text }) => [label, text] as const),
  ),
)('a page that shows the key as %s is caught', async (_, text) => {
  expect(await saidOf((given) => document.body.append(`Your key is ${given}.`), text)).toMatch(/has the key/)
})
