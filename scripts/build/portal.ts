import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AssetBuild } from './asset-build.ts'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')

/**
 * The portal at `/portal`, by Vite: React and Tailwind with the SDK from its sources. `manifest.json` has the `integrity`
 * (`sha384`) of every file that the page may load.
 */
export const portalBuild: AssetBuild = {
  name: 'portal',
  inputs: [
    'packages/portal/src',
    'packages/sdk/src',
    'packages/sdk/package.json',
    'packages/iframe/src/protocol',
    'scripts/build/portal.ts',
  ],
  output: 'packages/portal/dist',
  async build(into) {
    const [{ build }, { default: react }, { default: tailwind }] = await Promise.all([
      import('vite'),
      import('@vitejs/plugin-react'),
      import('@tailwindcss/vite'),
    ])
    await build({
      root: path.join(root, 'packages/portal/src'),
      base: '/portal/',
      configFile: false,
      logLevel: 'warn',
      plugins: [react(), tailwind()],
      build: {
        outDir: into,
        emptyOutDir: true,
        // The first with light-dark(), which the styles are written in.
        target: ['chrome123', 'firefox120', 'safari17.5'],
        // The policy of the page allows no data in URLs but pictures, and no inline script.
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
      },
    })
    const assets = path.join(into, 'assets')
    const manifest = Object.fromEntries(
      readdirSync(assets)
        .sort()
        .map((file) => [file, integrityOf(readFileSync(path.join(assets, file)))]),
    )
    writeFileSync(path.join(into, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  },
}

function integrityOf(content: Uint8Array): string {
  return `sha384-${createHash('sha384').update(content).digest('base64')}`
}
