import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { spreadCases } from '@symbolon/testing/properties'
import { publint } from 'publint'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sdkBuild } from '../../../scripts/build/sdk.ts'
import { ensureBuilt } from '../../../scripts/build.ts'
import { sdkVersion } from './version.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
// Below the root, so that a consumer's own dependencies (React, viem) are found as in an application.
mkdirSync(path.join(root, 'node_modules/.cache'), { recursive: true })
const folder = mkdtempSync(path.join(root, 'node_modules/.cache/sdk-package-'))
const dist = path.join(folder, 'node_modules/@symbolon/sdk')

beforeAll(async () => {
  await ensureBuilt(['sdk'])
  cpSync(path.join(root, sdkBuild.output), dist, { recursive: true })
}, 120_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Compiled = { file?: string; typescript?: 'typescript' | 'typescript-5-9' }

/** What the compiler says of a file that uses the package. */
function compile(
  name: string,
  code: string,
  options: object = {},
  { file = 'index.ts', typescript = 'typescript' }: Compiled = {},
): string {
  const project = path.join(folder, name)
  mkdirSync(project)
  writeFileSync(path.join(project, file), code)
  const strict = { strict: true, noEmit: true, skipLibCheck: false, types: [], ...options }
  const compilerOptions = { target: 'es2023', module: 'nodenext', lib: ['es2023', 'dom'], ...strict }
  writeFileSync(path.join(project, 'package.json'), '{"type":"module"}')
  writeFileSync(path.join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [file] }))
  const tsc = path.join(root, 'node_modules', typescript, 'bin/tsc')
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', project, '--pretty', 'false'], {
    encoding: 'utf8',
  })
  return stdout.trim()
}

describe('the published package', () => {
  test('has nothing that publint minds', async () => {
    const { messages } = await publint({ pkgDir: dist, strict: true })
    expect(messages).toEqual([])
  })

  test('depends on nothing of the workspace, and ships nothing but itself', () => {
    const manifest = readFileSync(path.join(dist, 'package.json'), 'utf8')
    expect(JSON.parse(manifest).version).toBe(sdkVersion)
    expect(manifest).not.toMatch(/@symbolon\/(?!sdk")|workspace|file:/)
    expect(readdirSync(dist).sort()).toEqual(
      [
        'LICENSE',
        'README.md',
        'agent.js',
        'browser.js',
        'chunks',
        'cjs',
        'index.js',
        'package.json',
        'react.js',
        'server.js',
        'types',
        'verify.js',
      ].sort(),
    )
    const scripts = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.js'),
    )
    for (const file of scripts) {
      const code = readFileSync(path.join(dist, file), 'utf8')
      expect(code).not.toMatch(/\beval\(|new Function\(|@symbolon\/(api|iframe)/)
      expect(code).not.toContain(root)
    }
  })

  test('loads in the runtime that its engines name, without a browser', async () => {
    const { createClient } = await import(pathToFileURL(path.join(dist, 'index.js')).href)
    const client = createClient({
      publishableKey: `pk_live_${'0'.repeat(49)}`,
      baseUrl: 'https://w.example/',
    })
    expect(client.auth.session()).toEqual({ status: 'signed_out', reason: null })
    expect(client.announce({ name: 'W', icon: 'data:image/png;base64,', rdns: 'w' })()).toBeUndefined()
    expect((await client.wallets.import()).error.code).toBe('frame_unreachable')
    const single = await import(pathToFileURL(path.join(dist, 'browser.js')).href)
    expect(Object.keys(single).sort()).toEqual([
      'ProviderRpcError',
      'SymbolonError',
      'createClient',
      'unwrap',
    ])
  })

  test('serves CommonJS, with the same exports', () => {
    const code = `for (const name of ['sdk', 'sdk/server', 'sdk/agent', 'sdk/verify']) {
  const all = Object.keys(require('@symbolon/' + name)).sort().join()
  import('@symbolon/' + name).then((module) => console.log(name, all === Object.keys(module).filter((key) => key !== 'default' && key !== 'module.exports').sort().join()))
}`
    writeFileSync(path.join(folder, 'all.cjs'), code)
    const { stdout, stderr } = spawnSync(process.execPath, [path.join(folder, 'all.cjs')], {
      encoding: 'utf8',
    })
    expect(stderr).toBe('')
    expect(stdout.trim().split('\n').sort()).toEqual([
      'sdk true',
      'sdk/agent true',
      'sdk/server true',
      'sdk/verify true',
    ])
  })

  test('brings who verifies webhooks nothing else', async () => {
    const input = path.join(folder, 'verify-only.js')
    writeFileSync(input, `export { verifyWebhook } from '@symbolon/sdk/server'`)
    const { rolldown } = await import('rolldown')
    const bundle = await rolldown({ input, platform: 'node' })
    const { output } = await bundle.generate({ minify: true })
    await bundle.close()
    expect(output[0].code.length).toBeLessThan(4_000)
  })

  test.each([
    ['a secret key', { publishableKey: `sk_live_${'0'.repeat(49)}`, baseUrl: 'https://w.example' }],
    ['no key', { publishableKey: '', baseUrl: 'https://w.example' }],
    ['no URL', { publishableKey: `pk_live_${'0'.repeat(49)}`, baseUrl: 'wallets' }],
    ['another protocol', { publishableKey: `pk_live_${'0'.repeat(49)}`, baseUrl: 'javascript:alert(1)' }],
  ])('refuses %s, and never repeats it', async (_, options) => {
    const { createClient } = await import(pathToFileURL(path.join(dist, 'index.js')).href)
    expect(() => createClient(options)).toThrow(TypeError)
    expect(() => createClient(options)).not.toThrow('sk_live_0')
  })
})

const consumer = `
import { createClient, unwrap, type Result, type Wallet as SymbolonWallet } from '@symbolon/sdk'
import { SymbolonProvider, useSession, useSignMessage, useWallet } from '@symbolon/sdk/react'
import { createServerClient } from '@symbolon/sdk/server'
import { createAgentClient, violationOf } from '@symbolon/sdk/agent'
import { type ExportReport, requireAttestation, verifyExport, verifyReceipt } from '@symbolon/sdk/verify'
import type { Wallet } from '@wallet-standard/base'
import { createWalletClient, custom, type EIP1193Provider, type LocalAccount, type TypedDataDefinition } from 'viem'
const client = createClient({ publishableKey: 'pk_live_', baseUrl: 'https://w.example' })
const provider: EIP1193Provider = client.ethereum()
const viemWallet = createWalletClient({ transport: custom(client.ethereum()) })
client.ethereum().on('chainChanged', (chainId) => chainId.length)
const typed = {
  domain: { name: 'x', chainId: 1 },
  types: { Mail: [{ name: 'contents', type: 'string' }, { name: 'n', type: 'uint256' }] },
  primaryType: 'Mail',
  message: { contents: 'a', n: 5n },
} as const
const definition: TypedDataDefinition = typed
const signatures: string[] = [
  unwrap(await client.sign.message('hi')).signature,
  unwrap(await client.sign.message('hi', { chain: 'base', dry_run: false })).signature,
  unwrap(await client.sign.typedData(typed)).signature,
  unwrap(await client.sign.typedData(definition)).signature,
  unwrap(await client.sign.request({ type: 'typed_data', typed_data: typed })).signature,
]
const dryRun: string | undefined = unwrap(await client.sign.message('hi', { dry_run: true })).signature
const standard: Wallet = client.solana({ name: 'W', icon: 'data:image/png;base64,' })
const { data, error } = await client.wallets.create()
if (error === null) data.address
else if (error.code === 'wallet_exists') client.sign.message('hi', { chain: 'base' })
const wallet: SymbolonWallet = unwrap(await client.wallets.get({ curve: 'ed25519' }))
const agent = createAgentClient({ token: 'as_live_', baseUrl: 'https://w.example' })
const account: LocalAccount = unwrap(await agent.account({ chain: 'base' }))
const serverAccount: LocalAccount = unwrap(await createServerClient({ secretKey: 'sk_live_', baseUrl: '' }).account({ walletId: '', chain: 'base' }))
const sent = await agent.send({ chain: 'base', to: '0x', value: '1' })
if (sent.error !== null) violationOf(sent.error)?.reason
else sent.data.tx_hash
const report: ExportReport = await verifyExport({ lines: [], keys: { keys: [] } })
const { attestation } = await requireAttestation({ baseUrl: 'https://w.example', ringId: 'r', measurements: [{ 0: '' }] })
const { receipt, findings } = await verifyReceipt({ receipt: '', attestation })
const effect: string | undefined = receipt?.effects[0]?.kind ?? findings[0]?.code
export { account, agent, createServerClient, definition, dryRun, effect, provider, serverAccount, signatures, viemWallet, report, standard, SymbolonProvider, useSession, useSignMessage, useWallet, wallet, type Result }
`

describe('the declarations', () => {
  test('stand alone: a consumer compiles with every library checked', () => {
    expect(compile('nodenext', consumer)).toBe('')
  }, 60_000)

  test('serve bundlers too', () => {
    const options = { module: 'esnext', moduleResolution: 'bundler', exactOptionalPropertyTypes: true }
    expect(compile('bundler', consumer, options)).toBe('')
  }, 60_000)

  const commonJs = [
    ['node16', 'index.cts', { module: 'node16', moduleResolution: 'node16' }],
    ['node10', 'index.ts', { module: 'commonjs', moduleResolution: 'node10' }],
  ] as const

  // packed-backend.test.ts compiles under the other one in the suite.
  test.each(spreadCases(commonJs, 2))(
    'serve CommonJS under %s',
    (name, file, options) => {
      const code = `import { createClient, unwrap } from '@symbolon/sdk'
import { createServerClient, verifyWebhook } from '@symbolon/sdk/server'
import { createAgentClient } from '@symbolon/sdk/agent'
import { verifyExport } from '@symbolon/sdk/verify'
const server = createServerClient({ secretKey: 'sk_live_', baseUrl: 'https://w.example' })
export const signature: Promise<string> = server.sign({ wallet_id: '', type: 'message', message: 'hi' }).then((result) => unwrap(result).signature)
export { createAgentClient, createClient, verifyExport, verifyWebhook }
`
      const older = { ...options, skipLibCheck: false }
      expect(compile(`cjs-${name}`, code, older, { file, typescript: 'typescript-5-9' })).toBe('')
    },
    60_000,
  )

  test('of a backend need no browser', () => {
    const code = `import { createServerClient, createRecoveryReceiver, verifyWebhook } from '@symbolon/sdk/server'
import { createAgentClient } from '@symbolon/sdk/agent'
export { createAgentClient, createRecoveryReceiver, createServerClient, verifyWebhook }
`
    expect(compile('backend', code, { lib: ['es2023'], types: ['node'] })).toBe('')
  }, 60_000)

  test('know the codes of each route, and data only after a look at the error', () => {
    const found = compile(
      'refused',
      `import { createClient } from '@symbolon/sdk'
const client = createClient({ publishableKey: '', baseUrl: '' })
const { data, error } = await client.wallets.get()
data.address
if (error?.code === 'gas_cap_exceeded') data
await client.sign.transaction('0x')
`,
    )
    expect(found.match(/\((\d+),\d+\): error/g)?.map((line) => Number(/\d+/.exec(line)))).toEqual([4, 5, 6])
  }, 60_000)

  test('are the contract: every route has the data, body and codes that the platform declares', () => {
    const api = path.join(root, 'packages/api/src/index.ts')
    const generated = path.join(root, 'packages/sdk/src/generated')
    const code = `
import type { Data, ErrorOf, Route, routes } from ${JSON.stringify(api)}
import type * as z from 'zod'
import type { Routes } from ${JSON.stringify(`${generated}/routes.ts`)}
import type { BackendRoutes } from ${JSON.stringify(`${generated}/backend-routes.ts`)}
import type { AgentRoutes } from ${JSON.stringify(`${generated}/agent-routes.ts`)}
type All = typeof routes
type Declared = { [name in keyof All as All[name] extends { lane: 'public' | 'portal' } | { handler: 'raw' } ? never : \`\${All[name]['method']} \${All[name]['path']}\`]: All[name] }
type Generated = Routes & BackendRoutes & AgentRoutes
type Same<a, b> = [a] extends [b] ? ([b] extends [a] ? true : { missing: b }) : { beyond: a }
type Given<route, key extends string> = route extends { readonly [name in key]: infer value } ? value : undefined
type Input<route, key extends string> = route extends { readonly [name in key]: infer schema extends z.ZodType } ? z.input<schema> : undefined
type Checked<at extends keyof Generated & keyof Declared> = Declared[at] extends infer route extends Route ? {
  data: Same<Generated[at]['data'], Data<route> extends undefined ? null : Data<route>>
  body: Same<Given<Generated[at], 'body'>, Input<route, 'body'>>
  code: Same<Generated[at]['code'], ErrorOf<route>>
  params: Same<Given<Generated[at], 'params'>, Input<route, 'params'>>
} : never
type Wanted = { data: true; body: true; code: true; params: true }
declare const checked: { [at in keyof Generated & keyof Declared]: Checked<at> }
export const found: Record<keyof Declared, Wanted> = checked
export const known: Record<keyof Generated, unknown> = {} as Declared
`
    expect(compile('contract', code, { allowImportingTsExtensions: true, skipLibCheck: true })).toBe('')
  }, 60_000)
})
