/**
 * Fails when what a browser loads grows past its budget, minified, under gzip -9: `@symbolon/networks/browser` (to derive
 * addresses and to decode, preview and assemble for all eight networks), and the vault in the wallet frame, script and style.
 * Run: `npm run check`, or this file alone.
 */
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { vaultScript, vaultStyle } from '../build/iframe.ts'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')

/** What is measured and its budget in bytes, raised only for what more it does (docs/decisions/0016-browser-bundle.md). */
const budgets: readonly { name: string; budget: number; measure(): Promise<number> }[] = [
  {
    name: 'packages/networks/src/browser.ts',
    budget: 60_500,
    measure: () => bundleSize(path.join(root, 'packages/networks/src/browser.ts')),
  },
  { name: 'the vault, script', budget: 113_000, measure: async () => zippedSize(await vaultScript()) },
  { name: 'the vault, style', budget: 2_700, measure: async () => zippedSize(vaultStyle()) },
]

/** The size of a module with all it imports, as a browser receives it, in bytes. */
export async function bundleSize(input: string): Promise<number> {
  const bundle = await rolldown({ input, platform: 'browser', transform: { target: 'es2022' } })
  try {
    const { output } = await bundle.generate({ format: 'esm', minify: true, comments: false })
    return output.reduce(
      (size, file) => size + zippedSize(file.type === 'chunk' ? file.code : file.source),
      0,
    )
  } finally {
    await bundle.close()
  }
}

function zippedSize(content: string | Uint8Array): number {
  return gzipSync(content, { level: 9 }).length
}

if (import.meta.main) {
  for (const { name, budget, measure } of budgets) {
    const size = await measure()
    console.log(`${name}: ${size} bytes of ${budget}`)
    if (size <= budget) continue
    console.error(`${name} is ${size - budget} bytes too large.`)
    process.exitCode = 1
  }
}
