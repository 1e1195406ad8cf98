import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { AssetError } from './built-assets.ts'
import { builtDocs } from './built-docs.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'symbolon-docs-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const hashOf = (text: string) => `sha384-${createHash('sha384').update(text).digest('base64')}`

function build(text: string, files: object = { 'guides/agents.html': hashOf(text) }) {
  mkdirSync(join(folder, 'guides'), { recursive: true })
  writeFileSync(join(folder, 'guides/agents.html'), text)
  writeFileSync(join(folder, 'guides/agents.html.gz'), gzipSync(text))
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ scripts: [], styles: [], files }))
}

test('a file is answered with its type, its hash and its compressed form', async () => {
  build('<p>agents')
  const site = await builtDocs(folder, 'fixed')()
  const file = await site?.file('guides/agents.html')
  expect(file?.type).toBe('text/html; charset=utf-8')
  expect(file?.integrity).toBe(hashOf('<p>agents'))
  expect(String(gunzipSync(file?.gzipped ?? ''))).toBe('<p>agents')
  expect(await site?.file('manifest.json')).toBeUndefined()
  expect(await site?.file('../guides/agents.html')).toBeUndefined()
})

test('a fixed site that is missing, changed, elsewhere or badly described is refused with what to do', () => {
  expect(() => builtDocs(folder, 'fixed')).toThrow(/npm run build/)
  for (const files of [
    { 'guides/agents.html': hashOf('other') },
    { 'guides/none.html': hashOf('<p>agents') },
    { '../agents.html': hashOf('<p>agents') },
    { 'guides/../agents.html': hashOf('<p>agents') },
    { 'guides/agents.html': 'sha256-x' },
  ]) {
    build('<p>agents', files)
    expect(() => builtDocs(folder, 'fixed'), JSON.stringify(files)).toThrow(AssetError)
  }
})

test('a followed site appears when it is built', async () => {
  const docs = builtDocs(folder, 'following')
  expect(await docs()).toBeUndefined()
  build('<p>agents')
  expect(await (await docs())?.file('guides/agents.html')).toBeDefined()
})
