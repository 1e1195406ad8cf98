import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import type { Served } from './pages.ts'

/** Bundles a module of the tests (or of a package) for the browser, unminified, as one ES module. `file`: from the root. */
export async function bundled(file: string): Promise<Served> {
  const build = await rolldown({
    input: fileURLToPath(new URL(`../../../../${file}`, import.meta.url)),
    platform: 'browser',
    logLevel: 'silent',
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
  })
  try {
    const { output } = await build.generate({ format: 'esm', codeSplitting: false })
    return { body: output[0].code, type: 'text/javascript' }
  } finally {
    await build.close()
  }
}
