import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { AssetBuild } from './asset-build.ts'
import { inputsStamp, writeStamp } from './build-stamp.ts'

/** Builds one asset beside its output, then swaps the two. Rejects with the build's error, the former output untouched. */
export async function buildAsset(root: string, asset: AssetBuild): Promise<void> {
  const output = path.join(root, asset.output)
  const into = `${output}.new`
  const former = `${output}.old`
  // Before the build: what is edited meanwhile has to count as newer.
  const stamp = inputsStamp(root, asset)
  try {
    for (const leftover of [into, former]) rmSync(leftover, { recursive: true, force: true })
    mkdirSync(into, { recursive: true })
    await asset.build(into)
    if (existsSync(output)) renameSync(output, former)
    renameSync(into, output)
    writeStamp(root, asset, stamp)
  } finally {
    for (const leftover of [into, former]) rmSync(leftover, { recursive: true, force: true })
  }
}
