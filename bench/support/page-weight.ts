import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

const packages = fileURLToPath(new URL('../../packages/', import.meta.url))

/** What a browser loads of each part, as it is served; the portal's further pages come when they are opened. */
const parts: readonly (readonly [name: string, folder: string, pattern: RegExp])[] = [
  ['wallet frame, script', 'iframe/dist', /^vault-.*\.js$/],
  ['wallet frame, style', 'iframe/dist', /^vault-.*\.css$/],
  ['/sdk.js', 'sdk/dist', /^browser\.js$/],
  ['portal, first script', 'portal/dist/assets', /^index-.*\.js$/],
  ['portal, style', 'portal/dist/assets', /^index-.*\.css$/],
]

/** Bytes of every part, plain and under gzip -9. The assets have to be built. */
export function pageWeight(): { name: string; bytes: number; gzipBytes: number }[] {
  return parts.map(([name, folder, pattern]) => {
    const at = path.join(packages, folder)
    const contents = readdirSync(at)
      .filter((file) => pattern.test(file))
      .map((file) => readFileSync(path.join(at, file)))
    if (contents.length === 0) throw new Error(`Nothing is built in packages/${folder}.`)
    const sum = (sizes: number[]) => sizes.reduce((a, b) => a + b, 0)
    return {
      name,
      bytes: sum(contents.map((content) => content.length)),
      gzipBytes: sum(contents.map((content) => gzipSync(content, { level: 9 }).length)),
    }
  })
}
