import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { ImageError } from './image-error.ts'
import type { LockedPackage } from './image-lock.ts'
import { runTool } from './run-tool.ts'

/** The name of a package's file in Debian's archive, and in a folder of sources. */
export function packageFile({ name, version, architecture }: LockedPackage): string {
  // An epoch is not part of it.
  return `${name}_${version.replace(/^\d+:/, '')}_${architecture}.deb`
}

/**
 * Puts the packages into `folder` and returns their paths, in their order: from the folder `sources`, where there is one, else by apt. A file
 * that is there already is taken if its hash is right.
 * Throws `ImageError` for one that cannot be had, or that is another than the lock names.
 */
export function fetchPackages(
  packages: readonly LockedPackage[],
  folder: string,
  sources: string | undefined,
): string[] {
  mkdirSync(folder, { recursive: true })
  const missing = packages.filter((one) => !isThere(one, folder, sources))
  if (missing.length > 0) download(missing, folder)
  return packages.map((one) => {
    const file = path.join(folder, packageFile(one))
    const found = sha256(file)
    if (found !== one.sha256)
      throw new ImageError(`${packageFile(one)} has the SHA-256 ${found}, and the lock names ${one.sha256}.`)
    return file
  })
}

function isThere(one: LockedPackage, folder: string, sources: string | undefined): boolean {
  const file = path.join(folder, packageFile(one))
  const source = sources === undefined ? undefined : path.join(sources, packageFile(one))
  if (source !== undefined && existsSync(source)) copyFileSync(source, file)
  return existsSync(file) && sha256(file) === one.sha256
}

/** By the machine's apt, which checks the archive's signature. */
function download(packages: readonly LockedPackage[], folder: string): void {
  const names = packages.map(({ name, version }) => `${name}=${version}`)
  try {
    runTool('apt-get', ['-o', 'APT::Sandbox::User=root', '--quiet', 'download', ...names], {
      cwd: folder,
      environment: proxies(),
    })
  } catch {
    throw new ImageError(
      `Debian's mirror does not give ${names.join(', ')}: run apt-get update, or put the .deb files into a folder and name it in SYMBOLON_IMAGE_SOURCES.`,
    )
  }
}

/** How this machine reaches the mirror is no part of the build. */
function proxies(): Record<string, string> {
  const names = ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'no_proxy', 'NO_PROXY']
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  )
}

/** The SHA-256 of a file, in lower-case hex. */
export function sha256(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}
