import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { DevFile } from '../start/dev-file.ts'
import { demoAppRoutes } from './demo-app.ts'

const organization = { id: 'i', publishable_key: 'pk_live_<', secret_key: 'sk_live_s', read_key: 'sk_live_r' }
const started: DevFile = {
  base_url: 'http://127.0.0.1:1',
  portal_url: '',
  demo_url: '',
  mailbox_url: '',
  frame_url: 'http://127.0.0.1:8081',
  metrics_url: 'http://127.0.0.1:9464/metrics',
  reference_url: '',
  organizations: { client: organization, tee: organization },
  portal: { email: 'owner@example.test' },
  enclave_root: 'file:/data/enclave/ring.json',
  attestation_root: '',
  enclave: { socket: '/data/enclave/enclave.sock', measurements: [] },
  processes: [],
  chain: {
    handle: 'local',
    chain_id: 31337,
    rpc_url: 'http://127.0.0.1:2',
    bundler_url: 'b',
    paymaster_url: 'p',
  },
  chains: [],
}
let folder: string
let file: DevFile | undefined
let app: FastifyInstance
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'symbolon-demo-'))
  file = started
  app = Fastify()
  demoAppRoutes(app, { devFile: () => file, folder: path.join(folder, 'dist') })
})
afterEach(async () => {
  await app.close()
  rmSync(folder, { recursive: true, force: true })
})

function build(): void {
  mkdirSync(path.join(folder, 'dist/assets'), { recursive: true })
  writeFileSync(
    path.join(folder, 'dist/index.html'),
    '<script type="application/json" id="demo-config"></script>',
  )
  writeFileSync(path.join(folder, 'dist/assets/index-a1_B.js'), 'let a')
  writeFileSync(path.join(folder, 'secret.js'), 'no')
}

test('until it is built and the organizations exist, the page says so and loads itself again', async () => {
  const unbuilt = await app.inject('/demo')
  expect(unbuilt.statusCode).toBe(503)
  expect(unbuilt.body).toContain('http-equiv="refresh"')
  build()
  file = undefined
  expect((await app.inject('/demo')).statusCode).toBe(503)
  file = started
  expect((await app.inject('/demo')).statusCode).toBe(200)
})

test('the page bears publishable keys and nothing secret, in a form that no text breaks out of', async () => {
  build()
  const page = await app.inject('/demo')
  const json = /id="demo-config">(.*)<\/script>/.exec(page.body)?.[1] ?? ''
  expect(json).not.toContain('<')
  expect(JSON.parse(json)).toEqual({
    organizations: {
      client: { id: 'i', publishable_key: 'pk_live_<' },
      tee: { id: 'i', publishable_key: 'pk_live_<' },
    },
    chain: { handle: 'local', chain_id: 31337, rpc_url: 'http://127.0.0.1:2' },
  })
  expect(page.body).not.toContain('sk_live')
})

test('the page runs only its own script, frames only the vault, and reaches only the platform and its chain', async () => {
  build()
  expect((await app.inject('/demo')).headers['content-security-policy']).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self' http://127.0.0.1:2; " +
      "frame-src http://127.0.0.1:8081; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  )
})

test('assets are served for good, and nothing beside them', async () => {
  build()
  const asset = await app.inject('/demo/assets/index-a1_B.js')
  expect([asset.statusCode, asset.body]).toEqual([200, 'let a'])
  expect(asset.headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-type': expect.stringMatching(/^text\/javascript/),
  })
  for (const name of [
    '..%2f..%2fsecret.js',
    '%2e%2e%2fsecret.js',
    '..%5csecret.js',
    'none.js',
    'index.html',
    '.js',
  ])
    expect([name, (await app.inject(`/demo/assets/${name}`)).statusCode]).toEqual([name, 404])
})
