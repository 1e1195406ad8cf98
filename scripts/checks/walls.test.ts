import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')
const nursery = path.join(root, 'node_modules/.cache/walls')

/** What must not compile, each in the program of its package with all that the package imports. */
const plants: readonly [says: string, project: string, text: string][] = [
  ['Node globals in the contract', 'api', 'export const folder = process.cwd()'],
  ['a module of Node in the contract', 'api', "export { readFileSync } from 'node:fs'"],
  ['the DOM in the browser half of crypto', 'crypto', 'export const page = document.title'],
  ['Node globals in the networks', 'networks', 'export const bytes = Buffer.alloc(1)'],
  ['the DOM in the networks', 'networks', "export const kept = localStorage.getItem('key')"],
  ['a timer of Node in the policy', 'policy', 'setImmediate(() => {})'],
  ['the network in the policy', 'policy', "export const answer = fetch('https://example.test')"],
  ['the DOM in the enclave', 'enclave', 'export const here = window.location.href'],
  ['the DOM in the server', 'server', "export const body = document.querySelector('body')"],
  ['Node globals in the frame', 'iframe', 'export const mode = process.env'],
  ['Node globals in the SDK', 'sdk', 'export const mode = process.env'],
  ['a module of Node in the portal', 'portal', "export { createHash } from 'node:crypto'"],
]

/** What the editor's linter must refuse, by the file it stands in. */
const strays: readonly [says: string, file: string, text: string][] = [
  ['crypto in the contract', 'packages/api/src/plant.ts', "import '@symbolon/crypto'"],
  ['the policy beyond its table in the contract', 'packages/api/src/plant.ts', "import '@symbolon/policy'"],
  ['the contract in the networks', 'packages/networks/src/plant.ts', "import '@symbolon/api'"],
  ['the server in the enclave', 'packages/enclave/src/plant.ts', "import '@symbolon/server/pool'"],
  ['the enclave in the server', 'packages/server/src/features/plant.ts', "export * from '@symbolon/enclave'"],
  ['the development platform in the server', 'packages/server/src/plant.ts', "import '@symbolon/dev'"],
  ['the server in the frame', 'packages/iframe/src/plant.ts', "import '@symbolon/server'"],
  ['key shares in the SDK', 'packages/sdk/src/plant.ts', "import '@symbolon/crypto'"],
  ['the contract in the portal', 'packages/portal/src/plant.ts', "import '@symbolon/api'"],
  ["the database in the operators' command", 'packages/cli/src/plant.ts', "import '@symbolon/server/pool'"],
  ['the network in the policy', 'packages/policy/src/plant.ts', "await fetch('https://example.test')"],
  ['the DOM in the server', 'packages/server/src/plant.ts', 'document.title'],
]

const projects = [...new Set(plants.map(([, project]) => project))]
let output = ''

/** A copy of a package's project that has the package's sources and its plants. */
function writeProject(project: string): void {
  const folder = path.join(nursery, project)
  const from = path.join(root, 'packages', project)
  const config = JSON.parse(readFileSync(path.join(from, 'tsconfig.json'), 'utf8'))
  const away = (file: string) => path.relative(folder, path.resolve(from, file))
  mkdirSync(folder, { recursive: true })
  plants.forEach(([, owner, text], i) => {
    if (owner === project) writeFileSync(path.join(folder, `plant-${i}.ts`), `${text}\n`)
  })
  const tsconfig = {
    extends: away('tsconfig.json'),
    compilerOptions: { rootDir: root, outDir: 'out', tsBuildInfoFile: 'out/tsbuildinfo' },
    include: ['*.ts', ...config.include.map(away)],
    exclude: config.exclude.map(away),
    references: config.references.map((one: { path: string }) => ({ path: away(one.path) })),
  }
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(tsconfig))
}

beforeAll(() => {
  rmSync(nursery, { recursive: true, force: true })
  for (const project of projects) writeProject(project)
  const tsc = path.join(root, 'node_modules/typescript/bin/tsc')
  const run = spawnSync(process.execPath, [tsc, '-b', ...projects.map((one) => path.join(nursery, one))], {
    cwd: root,
    encoding: 'utf8',
  })
  output = run.stdout + run.stderr
}, 240_000)

afterAll(() => rmSync(nursery, { recursive: true, force: true }))

test.each(plants.map(([says, project], i) => ({ says, project, i })))(
  '$says does not compile',
  ({ project, i }) => {
    expect(output).toMatch(new RegExp(`/${project}/plant-${i}\\.ts\\(1,\\d+\\): error TS`))
  },
)

test('nothing but the plants is refused', () => {
  const refused = output
    .split('\n')
    .filter((line) => line.includes('error TS') && !/\/plant-\d+\.ts\(1,/.test(line))
  expect(refused).toEqual([])
})

/** Lints one planted file under the repository's configuration. */
function lintPlant(file: string, text: string, rules: readonly string[]) {
  const biome = path.join(root, 'node_modules/@biomejs/biome/bin/biome')
  const house = mkdtempSync(path.join(tmpdir(), 'walls-'))
  const copy = path.join(house, file)
  mkdirSync(path.dirname(copy), { recursive: true })
  writeFileSync(copy, `${text}\n`)
  copyFileSync(path.join(root, 'biome.json'), path.join(house, 'biome.json'))
  const args = [biome, 'lint', ...rules.map((rule) => `--only=${rule}`), file]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: house, encoding: 'utf8' })
  rmSync(house, { recursive: true })
  return { status, output: stdout + stderr }
}

test.each(strays)('%s is refused in the editor', (_, file, text) => {
  const run = lintPlant(file, text, ['style/noRestrictedImports', 'style/noRestrictedGlobals'])
  expect(run.status).toBe(1)
  expect(run.output).toMatch(/noRestricted(Imports|Globals)/)
})

test('a promise that nobody awaits is refused', () => {
  const text = 'async function save(): Promise<void> {}\nexport function act() {\n  save()\n}'
  const run = lintPlant('packages/server/src/plant.ts', text, ['nursery/noFloatingPromises'])
  expect(run.status).toBe(1)
  expect(run.output).toContain('noFloatingPromises')
  const awaited = text.replace('  save()', '  void save()')
  expect(lintPlant('packages/server/src/plant.ts', awaited, ['nursery/noFloatingPromises']).status).toBe(0)
})
