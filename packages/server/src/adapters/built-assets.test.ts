import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { AssetError, type AssetPlaces, builtAssets } from './built-assets.ts'

let root: string
let places: AssetPlaces

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'symbolon-assets-'))
  places = { frameFolder: join(root, 'frame'), sdkFile: join(root, 'sdk.js') }
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const hashOf = (text: string) => `sha384-${createHash('sha384').update(text).digest('base64')}`

/** Builds as the real one does: into a fresh folder that then takes the other's place. */
function build(script: string, manifest: object = {}) {
  const fresh = join(root, 'fresh')
  mkdirSync(fresh)
  writeFileSync(join(fresh, 'vault-1.js'), script)
  writeFileSync(join(fresh, 'vault-2.css'), 'p{}')
  const entries = {
    script: { file: 'vault-1.js', integrity: hashOf(script) },
    style: { file: 'vault-2.css', integrity: hashOf('p{}') },
  }
  writeFileSync(join(fresh, 'manifest.json'), JSON.stringify({ ...entries, ...manifest }))
  rmSync(places.frameFolder, { recursive: true, force: true })
  renameSync(fresh, places.frameFolder)
}

test('fixed assets are read at the start and never again', async () => {
  build('first')
  writeFileSync(places.sdkFile, 'export {}')
  const assets = builtAssets(places, 'fixed')
  build('second')
  const { script, style } = (await assets.frame()) ?? {}
  expect(script).toMatchObject({
    name: 'vault-1.js',
    type: 'text/javascript; charset=utf-8',
    integrity: hashOf('first'),
  })
  expect(String(script?.body)).toBe('first')
  expect(String(gunzipSync(script?.gzipped ?? ''))).toBe('first')
  expect(style?.type).toBe('text/css; charset=utf-8')
  expect((await assets.sdk())?.integrity).toBe(hashOf('export {}'))
})

test('fixed assets that are missing, changed, elsewhere or badly described are refused with what to do', () => {
  const refused = () => expect(() => builtAssets(places, 'fixed')).toThrow(/npm run build/)
  refused()
  build('script')
  refused()
  writeFileSync(places.sdkFile, 'export {}')
  expect(() => builtAssets(places, 'fixed')).not.toThrow()
  writeFileSync(join(places.frameFolder, 'vault-1.js'), 'changed')
  refused()
  const integrity = hashOf('export {}')
  for (const script of [
    { file: 'vault-9.js', integrity },
    { file: '../sdk.js', integrity },
    { file: 'vault-1.css', integrity },
    { file: 'vault-1.js', integrity: 'sha256-x' },
    {},
  ]) {
    build('script', { script })
    expect(() => builtAssets(places, 'fixed')).toThrow(AssetError)
  }
})

test('followed assets appear when they are built, change with each build, and are gone while they are exchanged', async () => {
  const assets = builtAssets(places, 'following')
  expect([await assets.frame(), await assets.sdk()]).toEqual([undefined, undefined])
  build('first')
  const first = await assets.frame()
  expect(String(first?.script.body)).toBe('first')
  expect(await assets.frame()).toBe(first)
  build('second')
  expect(String((await assets.frame())?.script.body)).toBe('second')
  writeFileSync(join(places.frameFolder, 'manifest.json'), '{"script":')
  expect(await assets.frame()).toBeUndefined()
  rmSync(places.frameFolder, { recursive: true })
  expect(await assets.frame()).toBeUndefined()
  build('third')
  expect(String((await assets.frame())?.script.body)).toBe('third')
})
