import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { AssetBuild } from './asset-build.ts'
import { buildAsset } from './build-asset.ts'
import { withBuildLock } from './build-lock.ts'
import { isUpToDate } from './build-stamp.ts'

let root: string
let content: string
const children: ChildProcess[] = []
const asset: AssetBuild = {
  name: 'sample',
  inputs: ['src', 'one.json'],
  output: 'dist/sample',
  async build(into) {
    writeFileSync(path.join(into, 'a.js'), content)
    if (content === 'broken') throw new Error('broken')
  },
}

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'symbolon-build-'))
  content = 'first'
  for (const folder of ['src/deep', 'src/dist', 'src/node_modules', 'scripts/build'])
    mkdirSync(path.join(root, folder), { recursive: true })
  for (const file of ['src/deep/a.ts', 'one.json', 'package-lock.json', 'scripts/build/sample.ts'])
    put(file, '1')
})
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  rmSync(root, { recursive: true, force: true })
})

const put = (file: string, text: string) => writeFileSync(path.join(root, file), text)
const built = () => readFileSync(path.join(root, 'dist/sample/a.js'), 'utf8')

test('an asset is up to date until a source, its builder, the lock file or the output changes', async () => {
  expect(isUpToDate(root, asset)).toBe(false)
  await buildAsset(root, asset)
  expect(isUpToDate(root, asset)).toBe(true)
  const changes: (() => void)[] = [
    () => put('src/deep/a.ts', '2'),
    () => put('src/new.ts', ''),
    () => rmSync(path.join(root, 'src/new.ts')),
    () => put('one.json', '2'),
    () => put('scripts/build/sample.ts', '2'),
    () => put('package-lock.json', '2'),
    () => rmSync(path.join(root, 'dist'), { recursive: true }),
  ]
  for (const change of changes) {
    change()
    expect([isUpToDate(root, asset), String(change)]).toEqual([false, String(change)])
    await buildAsset(root, asset)
    expect(isUpToDate(root, asset)).toBe(true)
  }
})

test('tests, installed packages and other outputs among the sources do not count', async () => {
  await buildAsset(root, asset)
  for (const file of ['src/deep/a.test.ts', 'src/a.bench.ts', 'src/dist/a.js', 'src/node_modules/a.js'])
    put(file, 'x')
  expect(isUpToDate(root, asset)).toBe(true)
})

test('a failed build leaves the former output, counts as stale and leaves nothing beside it', async () => {
  await buildAsset(root, asset)
  put('one.json', '2')
  content = 'broken'
  await expect(buildAsset(root, asset)).rejects.toThrow('broken')
  expect(built()).toBe('first')
  expect(isUpToDate(root, asset)).toBe(false)
  expect(readdirSync(path.join(root, 'dist'))).toEqual(['sample'])
})

test('the leftovers of a killed build are no part of the next one', async () => {
  mkdirSync(path.join(root, 'dist/sample.new'), { recursive: true })
  put('dist/sample.new/stale.js', '')
  await buildAsset(root, asset)
  expect(readdirSync(path.join(root, 'dist/sample'))).toEqual(['a.js'])
  expect(existsSync(path.join(root, 'dist/sample.new'))).toBe(false)
})

test('a source that is edited during the build counts as newer than the output', async () => {
  const slow = { ...asset, build: async () => put('one.json', 'edited meanwhile') }
  await buildAsset(root, slow)
  expect(isUpToDate(root, slow)).toBe(false)
})

test('only one process builds at a time, and the death of one lets the next', async () => {
  const held = await holder()
  let isIn = false
  const next = withBuildLock(root, async () => {
    isIn = true
  })
  // Long enough for it to come in, which it must not.
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(isIn).toBe(false)
  held.kill('SIGKILL')
  await next
  expect(isIn).toBe(true)
})

/** Another process that has the lock until it dies. */
async function holder(): Promise<ChildProcess> {
  const lock = path.join(import.meta.dirname, 'build-lock.ts')
  const program = `import { withBuildLock } from ${JSON.stringify(lock)}
    await withBuildLock(${JSON.stringify(root)}, async () => {
      console.log('held')
      await new Promise((resolve) => setTimeout(resolve, 60_000))
    })`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  await once(child.stdout, 'data')
  return child
}
