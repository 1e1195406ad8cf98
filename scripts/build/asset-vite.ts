import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')

/** What every page of ours is made of beside its own sources: the SDK, from its sources. */
export const pageInputs = [
  'packages/sdk/src',
  'packages/sdk/package.json',
  'packages/iframe/src/protocol',
  'scripts/build/asset-vite.ts',
]

/** Builds a page of React and Tailwind by Vite: `source` is its folder in the tree, `base` where it is served, `into` where it goes. */
export async function buildPage({
  source,
  base,
  into,
}: {
  source: string
  base: string
  into: string
}): Promise<void> {
  const [{ build }, { default: react }, { default: tailwind }] = await Promise.all([
    import('vite'),
    import('@vitejs/plugin-react'),
    import('@tailwindcss/vite'),
  ])
  await build({
    root: path.join(root, source),
    base,
    configFile: false,
    logLevel: 'warn',
    plugins: [react(), tailwind()],
    build: {
      outDir: into,
      emptyOutDir: true,
      // The first with light-dark(), which the styles are written in.
      target: ['chrome123', 'firefox120', 'safari17.5'],
      // The policy of the pages allows no data in URLs but pictures, and no inline script.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
    },
  })
}
