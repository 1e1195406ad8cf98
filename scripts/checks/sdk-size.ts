/**
 * Fails when what a page loads of the SDK grows past its budget: `@symbolon/sdk` as `/sdk.js` has it, minified, under
 * gzip -9; the React hooks beside it, without React. Run: `npm run check`, or this file alone.
 */
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')

/** In bytes: what was measured, and little more. */
const budgets: readonly (readonly [entry: string, budget: number])[] = [
  ['packages/sdk/src/index.ts', 12_800],
  ['packages/sdk/src/react.ts', 1_100],
]

async function size(entry: string): Promise<number> {
  const bundle = await rolldown({
    input: path.join(root, entry),
    external: [/^react(\/|$)/],
    platform: 'browser',
    transform: { target: 'es2022' },
  })
  try {
    const { output } = await bundle.generate({ format: 'esm', minify: true, comments: false })
    return output.reduce(
      (total, file) => total + gzipSync(file.type === 'chunk' ? file.code : file.source, { level: 9 }).length,
      0,
    )
  } finally {
    await bundle.close()
  }
}

for (const [entry, budget] of budgets) {
  const bytes = await size(entry)
  console.log(`${entry}: ${bytes} bytes of ${budget}`)
  if (bytes > budget) {
    console.error(`${entry} is ${bytes - budget} bytes too large.`)
    process.exitCode = 1
  }
}
