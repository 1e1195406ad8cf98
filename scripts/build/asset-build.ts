/**
 * One browser or package asset that is built from sources of ours. `inputs` are files and folders, `output` a folder, all
 * relative to the root; what a folder holds of tests, `dist` and `node_modules` does not count. `build` writes everything
 * into the fresh, empty folder `into` (absolute), which then replaces `output` as a whole. Build tools are imported inside
 * of `build`, so that asking whether an asset is up to date costs next to nothing.
 */
export type AssetBuild = {
  name: string
  inputs: readonly string[]
  output: string
  build(into: string): Promise<void>
}
