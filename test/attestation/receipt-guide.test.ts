import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { makeTenant, makeWalletFor, startTestApp, type TestApp } from '@symbolon/testing/app'
import { afterAll, beforeAll, expect, test } from 'vitest'

const at = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url))
const blocks = [...readFileSync(at('docs/guides/verify.md'), 'utf8').matchAll(/^```sh\n(.*?)^```/gms)].map(
  ([, block]) => block ?? '',
)
const blockWith = (...words: string[]) =>
  blocks.find((block) => words.every((word) => block.includes(word))) ?? expect.fail(words.join(' '))

let app: TestApp
let folder: string

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'symbolon-guide-'))
  app = await startTestApp()
})
afterAll(async () => {
  await app?.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Runs a sample of the guide in a shell, on this platform. */
async function run(sample: string, environment: Record<string, string>) {
  const script = sample
    .replaceAll(/https:\/\/wallets\.example\.com|http:\/\/127\.0\.0\.1:8080/g, app.url)
    .replaceAll('packages/verify/dist/verify.js', at('packages/verify/dist/verify.js'))
  const bin = path.dirname(process.execPath)
  const child = spawn('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: folder,
    env: { PATH: `${bin}:${process.env['PATH']}`, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [out, err, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise((resolve) => child.once('exit', resolve)),
  ])
  return { out, err, code }
}

test('the samples of the guide get a receipt and verify it', async () => {
  const tenant = await makeTenant(app)
  const { id } = await makeWalletFor(app, tenant)
  const signed = await run(blockWith('/v1/s2s/sign', 'receipt.jws'), { SECRET_KEY: tenant.sk, WALLET_ID: id })
  expect(signed).toMatchObject({ code: 0, err: '' })
  const root = readFileSync(app.enclaveProcess.rootPath).toString('base64')
  writeFileSync(path.join(folder, 'dev.json'), JSON.stringify({ attestation_root: root }))
  const sample = blockWith('receipt receipt.jws', '--allow-simulated').replace(
    '.symbolon/dev.json',
    'dev.json',
  )
  const verified = await run(sample, {})
  expect(verified.out, verified.err).toMatch(/^VERIFIED/)
  expect(verified.code).toBe(0)
  const jws = readFileSync(path.join(folder, 'receipt.jws'), 'utf8').trim()
  const [header, , signature] = jws.split('.')
  writeFileSync(
    path.join(folder, 'receipt.jws'),
    [header, Buffer.from('{}').toString('base64url'), signature].join('.'),
  )
  expect(await run(sample, {})).toMatchObject({ code: 1, out: expect.stringMatching(/^FAILED/) })
}, 60_000)
