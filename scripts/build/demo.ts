import type { AssetBuild } from './asset-build.ts'
import { buildPage, pageInputs } from './asset-vite.ts'

const source = 'packages/dev/src/demo-app'

/** The demo app at `/demo`. */
export const demoBuild: AssetBuild = {
  name: 'demo',
  inputs: [source, ...pageInputs],
  output: 'packages/dev/dist/demo',
  build: (into) => buildPage({ source, base: '/demo/', into }),
}
