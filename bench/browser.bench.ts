/**
 * Signing in a real Chromium: what lies between the arrival of the second share and the verified signature (budget: 5 ms),
 * and the page's whole request with a service that answers at once; and what a browser loads. Argument: signatures per kind.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { frameAt, installTalk, launchChromium, signingTimes, startPages } from '@symbolon/testing/browser'
import { dataFolder, startedPlatform } from '@symbolon/testing/platform'
import { median } from './support/load.ts'
import { pageWeight } from './support/page-weight.ts'
import { printTable, writeResults } from './support/results.ts'

const count = Number(process.argv[2] ?? 50)
const budgetMs = 5

const folder = dataFolder()
const platform = await startedPlatform({ dataFolder: folder.path, environment: { WORKERS: '1' } })
const [{ base_url, frame_url, organizations }, browser, pages] = await Promise.all([
  platform.ready(),
  launchChromium(),
  startPages(),
])

/** Answers of the wallet lane have the envelope, those of `/dev` are raw. */
async function call<data>(path: string, method: string, json?: unknown): Promise<data> {
  const answer = await fetch(base_url + path, {
    method,
    headers: {
      'content-type': 'application/json',
      'x-service-publishable-key': organizations.client.publishable_key,
    },
    ...(json !== undefined && { body: JSON.stringify(json) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${path} answered ${answer.status} ${text}`)
  return text === '' ? (undefined as data) : (JSON.parse(text) as data)
}

async function newToken(): Promise<string> {
  const email = 'bench@example.test'
  await call('/v1/wallets/auth/email-otp/start', 'POST', { email })
  for (;;) {
    const [mail] = await call<{ text: string }[]>(`/dev/mailbox/messages?to=${email}`, 'GET')
    const code = /\b\d{6}\b/.exec(mail?.text ?? '')?.[0]
    if (code !== undefined) {
      const path = '/v1/wallets/auth/email-otp/verify'
      return (await call<{ data: { token: string } }>(path, 'POST', { email, code })).data.token
    }
    await sleep(20)
  }
}

try {
  await call(`/dev/organizations/${organizations.client.id}`, 'PATCH', { sign_confirmation: false })
  const token = await newToken()
  const frameUrl = `${frame_url}/frame?publishable_key=${organizations.client.publishable_key}`
  // The frame's code is built after the platform is ready to sign.
  while (!(await fetch(frameUrl)).ok) await sleep(100)

  const page = await (await browser.newContext()).newPage()
  await page.goto(pages.origin('127.0.0.1'))
  await installTalk(page)
  await page.evaluate(
    async ([url, bearer]) => {
      await talk.embed(url)
      await talk.connect()
      await talk.request('session.set', { token: bearer })
      for (const curve of ['secp256k1', 'ed25519']) await talk.request('wallet.create', { curve })
    },
    [frameUrl, token] as const,
  )
  const frame = await frameAt(page, frameUrl)
  const message = { type: 'message', message: 'hello', encoding: 'utf8' }
  const kinds = [
    ['first signature, secp256k1', { ...message, chain: 'base' }, 1],
    ['secp256k1', { ...message, chain: 'base' }, count],
    ['first signature, ed25519', { ...message, chain: 'solana' }, 1],
    ['ed25519', { ...message, chain: 'solana' }, count],
  ] as const
  const rounded = (value: number) => Math.round(value * 100) / 100
  const rows: [string, number, number, number, number][] = []
  for (const [name, request, times] of kinds) {
    const { shareToSignatureMs, requestMs } = await signingTimes(page, frame, request, times)
    const usualMs = rounded(median(shareToSignatureMs))
    const longestMs = rounded(Math.max(...shareToSignatureMs))
    rows.push([name, usualMs, longestMs, rounded(usualMs / budgetMs), rounded(median(requestMs))])
  }
  const head = ['', 'share to signature', 'longest', 'of the budget', 'whole request']
  printTable(`Signing in Chromium ${browser.version()}, median ms`, head, rows)
  const measured = rows.map(([name, ms, longestMs, ofBudget, requestMs]) => ({
    name,
    ms,
    longestMs,
    ofBudget,
    requestMs,
  }))
  const weights = pageWeight()
  printTable(
    'What a browser loads, kB',
    ['', 'plain', 'gzip'],
    weights.map(({ name, bytes, gzipBytes }) => [name, bytes / 1_000, gzipBytes / 1_000]),
  )
  writeResults('browser', { browser: browser.version(), signatures: count, budgetMs, measured, weights })
} finally {
  await browser.close()
  await pages.close()
  platform.launcher.kill('SIGTERM')
  await platform.ended()
  folder.remove()
}
