import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { makeTenant, startTestApp, type TestApp } from '@symbolon/testing/app'
import { spreadCases } from '@symbolon/testing/properties'
import { type Hex, recoverMessageAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ensureBuilt } from '../../scripts/build.ts'

const root = path.join(import.meta.dirname, '../..')
const run = promisify(execFile)
// Below the root, so that the types of Node are found as in an application; what is in node_modules is not compiled.
mkdirSync(path.join(root, 'dist'), { recursive: true })
const folder = mkdtempSync(path.join(root, 'dist/packed-backend-'))
let app: TestApp

/** NestJS itself is 23 MB: these are the decorators of it that the guide uses, over the metadata that TypeScript emits. */
const nest = {
  'index.d.ts':
    'export declare function Injectable(): ClassDecorator\nexport declare function Inject(token: symbol): ParameterDecorator\nexport declare function resolve<made>(type: new (...args: never[]) => made, provided: ReadonlyMap<symbol, unknown>): made\n',
  'index.js': `const types = new WeakMap(), tokens = new WeakMap()
Reflect.metadata = (key, value) => (target) => { if (key === 'design:paramtypes') types.set(target, value) }
exports.Injectable = () => () => {}
exports.Inject = (token) => (target, _, index) => tokens.set(target, { ...tokens.get(target), [index]: token })
exports.resolve = (type, provided) =>
  new type(...(types.get(type) ?? []).map((part, index) => provided.get(tokens.get(type)?.[index]) ?? exports.resolve(part, provided)))
`,
  'package.json': '{"name":"@nestjs/common","version":"0.0.0"}',
}

const main = (service: string) => `import { Injectable, resolve } from '@nestjs/common'
import { SYMBOLON, symbolon, WalletsService } from '${service}'
@Injectable()
class Controller {
  constructor(private readonly wallets: WalletsService) {}
  async hello(email: string) {
    const { address } = await this.wallets.walletOf(email)
    console.log(address, await this.wallets.sign(email, 'Hello'), typeof module)
  }
}
void resolve(Controller, new Map([[SYMBOLON, symbolon()]])).hello(process.env.EMAIL ?? '')
`

beforeAll(async () => {
  await ensureBuilt(['sdk'])
  app = await startTestApp()
  const sdk = path.join(folder, 'node_modules/@symbolon/sdk')
  mkdirSync(sdk, { recursive: true })
  const pack = [
    'pack',
    path.join(root, 'packages/sdk/dist'),
    '--pack-destination',
    folder,
    '--offline',
    '--json',
  ]
  const [{ filename = '' } = {}] = JSON.parse((await run('npm', pack)).stdout) as { filename: string }[]
  await run('tar', ['-xzf', path.join(folder, filename), '-C', sdk, '--strip-components=1'])
  const decorators = path.join(folder, 'node_modules/@nestjs/common')
  mkdirSync(decorators, { recursive: true })
  for (const [name, text] of Object.entries(nest)) writeFileSync(path.join(decorators, name), text)
}, 60_000)
afterAll(async () => {
  await app?.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** The service as the guide prints it. */
function printed(): string {
  const guide = readFileSync(path.join(root, 'docs/guides/clients.md'), 'utf8')
  const [sample] = /(?<=```ts\n)\/\/ wallets\.service\.ts\n[\s\S]*?(?=\n```)/.exec(guide) ?? []
  if (sample === undefined) throw new Error('The guide has no such sample.')
  return sample
}

// The compilers take longer than all the rest; the package's declarations are compiled for each resolution in its own tests.
const resolutions = [
  ['node10', '.ts', './wallets.service', { module: 'commonjs', moduleResolution: 'node10' }],
  ['node16', '.cts', './wallets.service.cjs', { module: 'node16', moduleResolution: 'node16' }],
  ['nodenext', '.mts', './wallets.service.mjs', { module: 'nodenext', moduleResolution: 'nodenext' }],
] as const

test.each(spreadCases(resolutions, 3))(
  'a strict backend with decorators under %s injects the packed client and signs',
  async (name, extension, service, resolution) => {
    const project = path.join(folder, name)
    mkdirSync(project)
    writeFileSync(path.join(project, 'package.json'), '{"private":true}')
    writeFileSync(path.join(project, `wallets.service${extension}`), printed())
    writeFileSync(path.join(project, `main${extension}`), main(service))
    const compilerOptions = {
      ...resolution,
      target: 'es2022',
      lib: ['es2023'],
      types: ['node'],
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      experimentalDecorators: true,
      emitDecoratorMetadata: true,
      outDir: 'built',
      skipLibCheck: true,
    }
    const files = [`main${extension}`]
    writeFileSync(path.join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
    const tsc = path.join(root, 'node_modules/typescript-5-9/bin/tsc')
    const compiled = await run(process.execPath, [tsc, '-p', project, '--pretty', 'false']).catch(
      (error: { stdout: string }) => error,
    )
    expect(compiled.stdout).toBe('')

    const tenant = await makeTenant(app)
    const env = { SYMBOLON_SECRET_KEY: tenant.sk, SYMBOLON_URL: app.url, EMAIL: `${name}@example.test` }
    const program = path.join(project, 'built', `main${extension.replace('t', 'j')}`)
    const { stdout } = await run(process.execPath, [program], { env })
    const [address, signature, kind] = stdout.trim().split(' ')
    expect(kind).toBe(name === 'nodenext' ? 'undefined' : 'object')
    expect(await recoverMessageAddress({ message: 'Hello', signature: signature as Hex })).toBe(address)
  },
  30_000,
)
