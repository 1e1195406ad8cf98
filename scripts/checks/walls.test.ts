import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

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

/** What the editor's linter must refuse, by the folder of the file it stands in. */
const strays: readonly [says: string, folder: string, text: string][] = [
  ['crypto in the contract', 'packages/api/src', "import '@symbolon/crypto'"],
  ['the policy beyond its table in the contract', 'packages/api/src', "import '@symbolon/policy'"],
  ['the contract in the networks', 'packages/networks/src', "import '@symbolon/api'"],
  ['the server in the enclave', 'packages/enclave/src', "import '@symbolon/server/pool'"],
  ['the enclave in the server', 'packages/server/src/features', "export * from '@symbolon/enclave'"],
  ['the development platform in the server', 'packages/server/src', "import '@symbolon/dev'"],
  ['the server in the frame', 'packages/iframe/src', "import '@symbolon/server'"],
  ['key shares in the SDK', 'packages/sdk/src', "import '@symbolon/crypto'"],
  ['the contract in the portal', 'packages/portal/src', "import '@symbolon/api'"],
  ["the database in the operators' command", 'packages/cli/src', "import '@symbolon/server/pool'"],
  ['the network in the policy', 'packages/policy/src', "await fetch('https://example.test')"],
  ['the DOM in the server', 'packages/server/src', 'document.title'],
]

const projects = [...new Set(plants.map(([, project]) => project))]
let output = ''

/** Every module of others that the sources of a package import: a global that one of them declares is one for all of them. */
function modulesOf(project: string, excluded: readonly string[]): string[] {
  const folder = path.join(root, 'packages', project, 'src')
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) =>
      /\.tsx?$/.test(file) &&
      !excluded.some((one) => path.matchesGlob(`src/${file}`, one) || `src/${file}`.startsWith(`${one}/`)),
  )
  const specifiers = sources.flatMap((file) =>
    [...readFileSync(path.join(folder, file), 'utf8').matchAll(/(?:from|import) '([@\w][^']*)'/g)].map(
      ([, specifier]) => specifier ?? '',
    ),
  )
  return [...new Set(specifiers)].sort()
}

/** A project as the package's, of its plants, its declarations and all that it imports; its own sources only `check` compiles. */
function writeProject(project: string): void {
  const folder = path.join(nursery, project)
  const from = path.join(root, 'packages', project)
  const config = JSON.parse(readFileSync(path.join(from, 'tsconfig.json'), 'utf8'))
  const away = (file: string) => path.relative(folder, path.resolve(from, file))
  mkdirSync(folder, { recursive: true })
  plants.forEach(([, owner, text], i) => {
    if (owner === project) writeFileSync(path.join(folder, `plant-${i}.ts`), `${text}\n`)
  })
  const uses = modulesOf(project, config.exclude).map((specifier) => `import type {} from '${specifier}'\n`)
  writeFileSync(path.join(folder, 'uses.ts'), uses.join(''))
  const declarations = config.include.map((each: string) => (each === 'src' ? 'src/**/*.d.ts' : each))
  const tsconfig = {
    extends: away('tsconfig.json'),
    compilerOptions: { rootDir: root, outDir: 'out', tsBuildInfoFile: 'out/tsbuildinfo' },
    include: ['*.ts', ...declarations.map(away)],
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

/** What the linter says of planted files, by their paths, under the repository's configuration. */
function lintPlants(files: Readonly<Record<string, string>>, rules: readonly string[]): string {
  const biome = path.join(root, 'node_modules/@biomejs/biome/bin/biome')
  const house = mkdtempSync(path.join(tmpdir(), 'walls-'))
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(house, file)), { recursive: true })
    writeFileSync(path.join(house, file), `${text}\n`)
  }
  copyFileSync(path.join(root, 'biome.json'), path.join(house, 'biome.json'))
  const only = rules.map((rule) => `--only=${rule}`)
  const args = [biome, 'lint', ...only, '--reporter=github', '--max-diagnostics=none', ...Object.keys(files)]
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: house, encoding: 'utf8' })
  rmSync(house, { recursive: true })
  return stdout + stderr
}

describe('the linter of the editor', () => {
  const fileOf = (folder: string, i: number) => `${folder}/plant-${i}.ts`
  const files = Object.fromEntries(strays.map(([, folder, text], i) => [fileOf(folder, i), text]))
  let said: string[] = []
  beforeAll(() => {
    said = lintPlants(files, ['style/noRestrictedImports', 'style/noRestrictedGlobals']).split('\n')
  })

  test.each(strays.map(([says, folder], i) => ({ says, file: fileOf(folder, i) })))(
    '$says is refused',
    ({ file }) => {
      expect(said.filter((line) => line.includes(`/${file},`)).join('\n')).toMatch(
        /noRestricted(Imports|Globals)/,
      )
    },
  )

  test('a promise that nobody awaits is refused', () => {
    const text = 'async function save(): Promise<void> {}\nexport function act() {\n  save()\n}'
    const files = {
      'packages/server/src/plant.ts': text,
      'packages/server/src/awaited.ts': text.replace('  save()', '  void save()'),
    }
    const said = lintPlants(files, ['nursery/noFloatingPromises'])
    expect(said).toMatch(/noFloatingPromises.*\/packages\/server\/src\/plant\.ts/)
    expect(said).not.toContain('awaited.ts')
  })
})
