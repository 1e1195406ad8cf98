import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { iframeBuild } from './iframe.ts'

let folders: string[]

beforeAll(async () => {
  folders = [0, 1].map(() => mkdtempSync(path.join(tmpdir(), 'symbolon-frame-')))
  for (const folder of folders) await iframeBuild.build(folder)
})

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true })
})

const contents = (folder = '') =>
  Object.fromEntries(readdirSync(folder).map((file) => [file, readFileSync(path.join(folder, file), 'utf8')]))

describe('the built frame', () => {
  test('the same sources give the same bytes', () => {
    expect(contents(folders[0])).toEqual(contents(folders[1]))
  })

  test('is one script and one style, each bound by its hash in name and integrity', () => {
    const files = contents(folders[0])
    const manifest: Record<string, { file: string; integrity: string }> = JSON.parse(
      files['manifest.json'] ?? '',
    )
    expect(Object.keys(manifest)).toEqual(['script', 'style'])
    expect(Object.keys(files)).toHaveLength(3)
    for (const { file, integrity } of Object.values(manifest)) {
      expect(file).toMatch(/^vault-[0-9a-f]{16}\.(js|css)$/)
      const digest = createHash('sha384')
        .update(files[file] ?? '')
        .digest('base64')
      expect(integrity).toBe(`sha384-${digest}`)
    }
  })

  test('makes no code from text, writes no markup and names no path of the machine that built it', () => {
    const all = Object.values(contents(folders[0])).join('\n')
    expect(all).not.toMatch(/\beval\(|new Function\b|innerHTML|document\.write|insertAdjacentHTML/)
    expect(all).not.toContain(process.cwd())
    expect(all).not.toMatch(/sourceMappingURL/)
  })
})
