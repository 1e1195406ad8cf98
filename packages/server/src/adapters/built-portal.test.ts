import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { AssetError } from './built-assets.ts'
import { builtPortal } from './built-portal.ts'

let root: string
let folder: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'symbolon-portal-'))
  folder = join(root, 'dist')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const hashOf = (text: string) => `sha384-${createHash('sha384').update(text).digest('base64')}`

/** Builds as the real one does: into a fresh folder that then takes the other's place. */
function build(script: string, manifest: object = { 'index-Abc_-123.js': hashOf(script) }) {
  const fresh = join(root, 'fresh')
  mkdirSync(join(fresh, 'assets'), { recursive: true })
  writeFileSync(join(fresh, 'index.html'), `<p>${script}`)
  writeFileSync(join(fresh, 'assets/index-Abc_-123.js'), script)
  writeFileSync(join(fresh, 'manifest.json'), JSON.stringify(manifest))
  rmSync(folder, { recursive: true, force: true })
  renameSync(fresh, folder)
}

test('a fixed portal is read at the start and never again', async () => {
  build('first')
  const portal = builtPortal(folder, 'fixed')
  build('second')
  const { page, files } = (await portal()) ?? {}
  expect(page).toBe('<p>first')
  expect([...(files?.keys() ?? [])]).toEqual(['index-Abc_-123.js'])
  const file = files?.get('index-Abc_-123.js')
  expect(file?.type).toBe('text/javascript; charset=utf-8')
  expect(String(gunzipSync(file?.gzipped ?? ''))).toBe('first')
})

test('a fixed portal that is missing, changed, elsewhere or badly described is refused with what to do', () => {
  const refused = () => expect(() => builtPortal(folder, 'fixed')).toThrow(/npm run build/)
  refused()
  const integrity = hashOf('script')
  for (const manifest of [
    { 'index-Abc_-123.js': hashOf('other') },
    { 'index-Abc_-124.js': integrity },
    { '../index-Abc_-123.js': integrity },
    { 'index-Abc_-123.html': integrity },
    { 'index-Abc_-123.js': 'sha256-x' },
    [],
  ]) {
    build('script', manifest)
    expect(() => builtPortal(folder, 'fixed'), JSON.stringify(manifest)).toThrow(AssetError)
  }
})

test('a followed portal appears when it is built and changes with each build', async () => {
  const portal = builtPortal(folder, 'following')
  expect(await portal()).toBeUndefined()
  build('first')
  expect((await portal())?.page).toBe('<p>first')
  build('second')
  expect((await portal())?.page).toBe('<p>second')
  rmSync(folder, { recursive: true })
  expect(await portal()).toBeUndefined()
})
