/**
 * What a browser loads, minified, under gzip -9, and its budget in bytes: what was measured and little more, raised only for
 * what it does more (docs/decisions/0016-browser-bundle.md). Run: `npm run check`, or `npx size-limit`.
 */
import { ensureBuilt } from './scripts/build.ts'

await ensureBuilt(['iframe'])

const bundled = {
  gzip: true,
  modifyRolldownConfig: (config) => ({ ...config, platform: 'browser', transform: { target: 'es2022' } }),
}
const asBuilt = { gzip: true, rolldown: false }

// biome-ignore lint/style/noDefaultExport: size-limit reads it.
export default [
  {
    name: 'addresses, previews, assembly and private-key texts for all networks',
    path: 'packages/networks/src/browser.ts',
    limit: '67120 B',
    ...bundled,
  },
  { name: 'the vault, script', path: 'packages/iframe/dist/vault-*.js', limit: '129810 B', ...asBuilt },
  { name: 'the vault, style', path: 'packages/iframe/dist/vault-*.css', limit: '2700 B', ...asBuilt },
  { name: 'the SDK', path: 'packages/sdk/src/index.ts', limit: '22020 B', ...bundled },
  {
    name: 'the React hooks, without React',
    path: 'packages/sdk/src/react.ts',
    limit: '1100 B',
    ignore: ['react'],
    ...bundled,
  },
]
