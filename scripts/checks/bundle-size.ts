/**
 * Fails when what a browser loads to derive addresses and to decode, preview and assemble for all eight networks grows past
 * its budget: `@symbolon/networks/browser`, minified, under gzip -9. Run: `npm run check`, or this file alone.
 */
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')
const entry = 'packages/networks/src/browser.ts'
/** In bytes; raised only for what more is decoded (docs/decisions/0016-browser-bundle.md). */
const budget = 59_100

/** The size of a module with all it imports, as a browser receives it, in bytes. */
export async function bundleSize(input: string): Promise<number> {
  const bundle = await rolldown({ input, platform: 'browser', transform: { target: 'es2022' } })
  try {
    const { output } = await bundle.generate({ format: 'esm', minify: true, comments: false })
    return output.reduce(
      (size, file) => size + gzipSync(file.type === 'chunk' ? file.code : file.source, { level: 9 }).length,
      0,
    )
  } finally {
    await bundle.close()
  }
}

if (import.meta.main) {
  const size = await bundleSize(path.join(root, entry))
  const left = budget - size
  console.log(`${entry}: ${size} bytes of ${budget}`)
  if (left < 0) console.error(`${entry} is ${-left} bytes too large.`)
  process.exitCode = left < 0 ? 1 : 0
}
