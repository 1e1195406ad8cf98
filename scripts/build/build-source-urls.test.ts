import { spawnSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { rolldown } from 'rolldown'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sourceUrls } from './build-source-urls.ts'

let root: string
beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'symbolon-urls-')))
  mkdirSync(path.join(root, 'src/deep'), { recursive: true })
  writeFileSync(path.join(root, 'src/deep/beside.txt'), 'beside its source')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

async function bundle(sources: Record<string, string>, except: string[] = []): Promise<void> {
  for (const [name, text] of Object.entries(sources)) writeFileSync(path.join(root, 'src', name), text)
  const built = await rolldown({
    cwd: root,
    input: { main: 'src/main.ts' },
    platform: 'node',
    plugins: [
      sourceUrls({
        from: path.join(root, 'dist'),
        except: except.map((name) => path.join(root, 'src', name)),
      }),
    ],
  })
  await built.write({ dir: path.join(root, 'dist'), format: 'esm', entryFileNames: '[name].js' })
  await built.close()
}
const run = (at = root) => spawnSync(process.execPath, [path.join(at, 'dist/main.js')], { encoding: 'utf8' })

test('a bundled module finds the files beside its source, wherever the repository was moved to', async () => {
  await bundle({
    'main.ts': "import { text } from './deep/reader.ts'\nconsole.log(text as string)",
    'deep/reader.ts':
      "import { readFileSync } from 'node:fs'\nexport const text = readFileSync(new URL('./beside.txt', import.meta.url), 'utf8')",
  })
  expect(run()).toMatchObject({ stdout: 'beside its source\n', status: 0 })
  for (const file of readdirSync(path.join(root, 'dist')))
    expect(readFileSync(path.join(root, 'dist', file), 'utf8')).not.toContain(root)
  const moved = `${root}-moved`
  renameSync(root, moved)
  root = moved
  expect(run(moved).stdout).toBe('beside its source\n')
})

test('a module learns where it runs', async () => {
  await bundle({ 'main.ts': 'console.log(import.meta.url.split("/").slice(-2).join("/"))' }, ['main.ts'])
  expect(run().stdout).toBe('dist/main.js\n')
})

test('a comment that only mentions import.meta.filename does not fail the build', async () => {
  await bundle({
    'main.ts': "/**\n * As in import.meta.filename.\n */\n// or import.meta.dirname\nconsole.log('built')",
  })
  expect(run().stdout).toBe('built\n')
})

test.each(['dirname', 'filename', 'main'])(
  'a build fails on import.meta.%s, which the bundle would lose',
  async (name) => {
    await expect(bundle({ 'main.ts': `console.log(import.meta.${name})` })).rejects.toThrow(
      `src/main.ts: import.meta.${name} is lost in a bundle`,
    )
  },
)
