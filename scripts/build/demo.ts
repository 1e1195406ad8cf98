import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AssetBuild } from './asset-build.ts'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')

/** The demo app at `/demo`, by Vite: React and Tailwind with the SDK from its sources. */
export const demoBuild: AssetBuild = {
  name: 'demo',
  inputs: [
    'packages/dev/src/demo-app',
    'packages/sdk/src',
    'packages/sdk/package.json',
    'packages/iframe/src/protocol',
  ],
  output: 'packages/dev/dist/demo',
  async build(into) {
    const [{ build }, { default: react }, { default: tailwind }] = await Promise.all([
      import('vite'),
      import('@vitejs/plugin-react'),
      import('@tailwindcss/vite'),
    ])
    await build({
      root: path.join(root, 'packages/dev/src/demo-app'),
      base: '/demo/',
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
  },
}
