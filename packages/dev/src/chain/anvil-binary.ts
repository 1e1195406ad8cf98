import { createRequire } from 'node:module'
import path from 'node:path'

const require = createRequire(import.meta.url)
const architectures: Partial<Record<NodeJS.Architecture, string>> = { x64: 'amd64' }
/** The package that carries anvil for this machine; npm does not have one for every system. */
const name = `@foundry-rs/anvil-${process.platform}-${architectures[process.arch] ?? process.arch}`

/** The anvil program that its npm package carries for this machine. Throws if it is missing. */
export function anvilBinary(): string {
  const manifest = anvilManifest()
  if (manifest === undefined)
    throw new Error(
      `The local chain needs the package ${name}, which is not installed: install it, or set SYMBOLON_CHAIN=off`,
    )
  return path.join(path.dirname(manifest), 'bin', process.platform === 'win32' ? 'anvil.exe' : 'anvil')
}

/** The name of the package that would carry anvil here, where it is not installed; undefined where it is. */
export function missingAnvil(): string | undefined {
  return anvilManifest() === undefined ? name : undefined
}

function anvilManifest(): string | undefined {
  try {
    return require.resolve(`${name}/package.json`)
  } catch {
    return undefined
  }
}
