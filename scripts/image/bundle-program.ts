import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Plugin } from 'rolldown'
import { ImageError } from './image-error.ts'
import { repository } from './repository.ts'

/** A program in one file, and the packages of others that are in it, by name. */
export type Bundle = { code: Uint8Array; packages: ReadonlyMap<string, string> }

/** Where the image keeps what the program loads by path. */
export const natives = '/symbolon/natives.node'

/** The WebAssembly of tiny-secp256k1, relative to its package and below `/symbolon/tiny-secp256k1`. */
export const wasmFile = 'lib/secp256k1.wasm'

/**
 * In the image there is no `node_modules`: what these modules look up there by name is a file of the image's. The npm bindings of libsodium
 * and libsecp256k1 give way to the addon of our own.
 */
const replaced: Readonly<Record<string, readonly [string, string]>> = {
  'packages/enclave/src/native.ts': ["require('sodium-native')", `require('${natives}').sodium`],
  'packages/enclave/src/signer-secp256k1.ts': [
    "require('secp256k1/bindings.js')",
    `require('${natives}').secp256k1`,
  ],
  'packages/enclave/src/wasm-secp256k1.ts': [
    "require.resolve('tiny-secp256k1')",
    "'/symbolon/tiny-secp256k1/lib/cjs/index.cjs'",
  ],
}

/** Bundles the enclave program of production as it is in the image. Throws `ImageError` where the sources no longer load their natives so. */
export function bundleProgram(): Promise<Bundle> {
  return bundle('packages/enclave/src/main.ts', 'esm', '')
}

/** Bundles the simulated secure module, which takes the place of the bridge in the test image, as a program that runs by itself. */
export function bundleSimulatedModule(): Promise<Bundle> {
  return bundle('packages/dev/src/attestation/nsm-socket-main.ts', 'cjs', '#!/symbolon/node\n')
}

/** Bundles what makes the ring of the test image. */
export function bundleRingMaker(): Promise<Bundle> {
  return bundle('packages/dev/src/attestation/image-ring-main.ts', 'esm', '')
}

async function bundle(entry: string, format: 'esm' | 'cjs', firstLine: string): Promise<Bundle> {
  const { rolldown } = await import('rolldown')
  const build = await rolldown({
    cwd: repository,
    input: path.join(repository, entry),
    platform: 'node',
    plugins: [imagePaths()],
  })
  try {
    const { output } = await build.generate({ format })
    const [chunk, ...more] = output
    if (more.length > 0) throw new ImageError(`${entry} is not one file any more: ${more[0]?.fileName}.`)
    return { code: Buffer.from(firstLine + chunk.code), packages: packagesOf(chunk.moduleIds) }
  } finally {
    await build.close()
  }
}

function imagePaths(): Plugin {
  return {
    name: 'image-paths',
    transform(code, id) {
      const file = path.relative(repository, id).replaceAll(path.sep, '/')
      if (!file.startsWith('packages/')) return null
      const [from, to] = replaced[file] ?? []
      if (from === undefined || to === undefined) {
        if (/\brequire(\.resolve)?\(/.test(code))
          throw new ImageError(
            `${file} looks up a module by name; say in scripts/image/bundle-program.ts which file of the image that is.`,
          )
        return null
      }
      if (code.split(from).length !== 2)
        throw new ImageError(`${file} no longer has ${from}; scripts/image/bundle-program.ts replaces it.`)
      return code.replace(from, to)
    },
  }
}

/** The packages of `node_modules` among the modules, with their versions, by name. */
function packagesOf(modules: readonly string[]): Map<string, string> {
  const names = modules.flatMap((id) => {
    const file = path.relative(repository, id).replaceAll(path.sep, '/')
    return /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []
  })
  const ours = (name: string) => name.startsWith('@symbolon/')
  return new Map(
    [...new Set(names)]
      .filter((name) => !ours(name))
      .sort()
      .map((name) => [name, packageVersion(name)]),
  )
}

/** The version of an installed package. */
export function packageVersion(name: string): string {
  const file = path.join(repository, 'node_modules', name, 'package.json')
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}
