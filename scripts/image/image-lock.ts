import { readFileSync } from 'node:fs'
import path from 'node:path'
import { repository } from './repository.ts'

/** A file of a Debian package that the image or its build takes, by the hash that the archive signs for. */
export type LockedPackage = { name: string; version: string; architecture: string; sha256: string }

/**
 * What the image is built from, beside this repository and its npm lock file. `node`: the npm package and the SHA-256 of its binary;
 * `packages`: Debian's, by name; `tools`: the versions that make these very bytes; others may make others.
 */
export type ImageLock = {
  node: { package: string; version: string; binary_sha256: string }
  packages: readonly LockedPackage[]
  tools: Readonly<Record<string, string>>
}

/** Where the lock lies; below it are the sources of the image. */
export const imageFolder: string = path.join(repository, 'packages/enclave/image')

/** Reads the committed lock. */
export function imageLock(): ImageLock {
  return JSON.parse(readFileSync(path.join(imageFolder, 'image.lock.json'), 'utf8')) as ImageLock
}

/** The locked package of a name. Throws where there is none. */
export function lockedPackage(lock: ImageLock, name: string): LockedPackage {
  const found = lock.packages.find((one) => one.name === name)
  if (found === undefined) throw new Error(`packages/enclave/image/image.lock.json has no package ${name}`)
  return found
}
