import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { AssetBuild } from './asset-build.ts'
import { buildPage, pageInputs } from './asset-vite.ts'

const source = 'packages/portal/src'

/** The portal at `/portal`. `manifest.json` has the `integrity` (`sha384`) of every file that the page may load. */
export const portalBuild: AssetBuild = {
  name: 'portal',
  inputs: [
    source,
    'packages/policy/src/fields.ts',
    'packages/policy/src/reasons.ts',
    'scripts/build/portal.ts',
    ...pageInputs,
  ],
  output: 'packages/portal/dist',
  async build(into) {
    await buildPage({ source, base: '/portal/', into })
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
