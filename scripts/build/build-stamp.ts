import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { AssetBuild } from './asset-build.ts'

const skippedFolder = /^(node_modules|dist|coverage)$/
const skippedFile = /\.(test|test-d|contract|night|bench|fuzz)\.tsx?$/

/*
 * Stamps and lock stay ours because `npm start` has to know whether an output is current without building it, so that it can
 * serve first and build behind that: wireit and Turborepo only know how to run a task and wait for it.
 */

/**
 * What an asset was or would be built from: a hash over the path, size and content of each input, of its builder and of the
 * lock file that names the build tools.
 */
export function inputsStamp(root: string, { name, inputs }: AssetBuild): string {
  const hash = createHash('sha256')
  for (const input of [...inputs, `scripts/build/${name}.ts`, 'package-lock.json'])
    for (const file of filesOf(root, input)) {
      const content = readFileSync(path.join(root, file))
      hash.update(`${file}\0${content.length}\0`).update(content)
    }
  return hash.digest('hex')
}

/** Whether the output is there and was built from what the inputs are now. */
export function isUpToDate(root: string, asset: AssetBuild): boolean {
  const file = stampFile(root, asset)
  return (
    existsSync(path.join(root, asset.output)) &&
    existsSync(file) &&
    readFileSync(file, 'utf8') === inputsStamp(root, asset)
  )
}

/** Remembers what the output was built from. */
export function writeStamp(root: string, asset: AssetBuild, stamp: string): void {
  const file = stampFile(root, asset)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, stamp)
}

/** Outside of the output, which is published as it is. */
function stampFile(root: string, { name }: AssetBuild): string {
  return path.join(root, 'node_modules/.cache/build', `${name}.stamp`)
}

/** All files of an input in a fixed order; none where there is no such input. */
function filesOf(root: string, input: string): string[] {
  const absolute = path.join(root, input)
  if (!existsSync(absolute)) return []
  if (!statSync(absolute).isDirectory()) return [input]
  return readdirSync(absolute, { withFileTypes: true })
    .filter((entry) => !(entry.isDirectory() ? skippedFolder : skippedFile).test(entry.name))
    .map((entry) => `${input}/${entry.name}`)
    .sort()
    .flatMap((below) => filesOf(root, below))
}
