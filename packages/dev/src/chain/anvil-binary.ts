import { createRequire } from 'node:module'
import path from 'node:path'

const require = createRequire(import.meta.url)
const platforms: Partial<Record<NodeJS.Platform, string>> = {
  linux: 'linux',
  darwin: 'darwin',
  win32: 'win32',
}
const architectures: Partial<Record<NodeJS.Architecture, string>> = { x64: 'amd64', arm64: 'arm64' }

/** The anvil program that its npm package carries for this machine. Throws where there is none. */
export function anvilBinary(): string {
  const name = `@foundry-rs/anvil-${platforms[process.platform]}-${architectures[process.arch]}`
  let manifest: string
  try {
    manifest = require.resolve(`${name}/package.json`)
  } catch {
    throw new Error(
      `The local chain needs the package ${name}, which is not installed: SYMBOLON_CHAIN=off does without`,
    )
  }
  return path.join(path.dirname(manifest), 'bin', process.platform === 'win32' ? 'anvil.exe' : 'anvil')
}
