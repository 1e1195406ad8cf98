import { readFileSync, realpathSync } from 'node:fs'
import path from 'node:path'
import type { CpioEntry } from '../../packages/enclave/src/image/index.ts'
import { enclaveNodeArguments } from '../../packages/enclave/src/process-guard.ts'
import {
  bundleProgram,
  bundleRingMaker,
  bundleSimulatedModule,
  natives,
  packageVersion,
  wasmFile,
} from './bundle-program.ts'
import { compileInit } from './compile-init.ts'
import { compileNatives } from './compile-natives.ts'
import { sha256 } from './debian-packages.ts'
import { ImageError } from './image-error.ts'
import { type ImageLock, lockedPackage } from './image-lock.ts'
import { repository } from './repository.ts'

/**
 * One file of the image: what it is made from (packages of others, by name and version; none: of this repository alone) and why it is there.
 * PCR 1 measures the files of `bootstrap`, PCR 2 those of `application`.
 */
export type ImageFile = {
  ramdisk: 'bootstrap' | 'application'
  path: string
  mode: number
  data: Uint8Array
  from: readonly string[]
  why: string
}

/** The libraries that Node asks for, and where Debian's packages have them. */
const libraries: Readonly<Record<string, readonly [packageName: string, file: string, path: string]>> = {
  'ld-linux-x86-64.so.2': ['libc6', 'lib/x86_64-linux-gnu/ld-linux-x86-64.so.2', 'lib64'],
  'libc.so.6': ['libc6', 'lib/x86_64-linux-gnu/libc.so.6', 'lib/x86_64-linux-gnu'],
  'libdl.so.2': ['libc6', 'lib/x86_64-linux-gnu/libdl.so.2', 'lib/x86_64-linux-gnu'],
  'libgcc_s.so.1': ['libgcc-s1', 'lib/x86_64-linux-gnu/libgcc_s.so.1', 'lib/x86_64-linux-gnu'],
  'libm.so.6': ['libc6', 'lib/x86_64-linux-gnu/libm.so.6', 'lib/x86_64-linux-gnu'],
  'libpthread.so.0': ['libc6', 'lib/x86_64-linux-gnu/libpthread.so.0', 'lib/x86_64-linux-gnu'],
  'libstdc++.so.6': ['libstdc++6', 'usr/lib/x86_64-linux-gnu/libstdc++.so.6', 'lib/x86_64-linux-gnu'],
}

const executable = 0o755
const readable = 0o644

/** Where the simulated module stands in the test image, and the bridge to the real one in the release. */
export const modulePath = 'symbolon/nsm-bridge'

/** What makes the ring of the test image; not in the release. */
export const ringMakerPath = 'symbolon/make-ring.mjs'

/** What the build has on disk: `unpacked(name)` is the folder of a locked package's files, `scratch` one to work in. */
export type BuildPlace = { lock: ImageLock; scratch: string; unpacked(name: string): string }

/** Makes every file of the release image. Throws `ImageError` where one cannot be made. */
export async function imageFiles(place: BuildPlace): Promise<ImageFile[]> {
  return [
    ...staticPrograms(place),
    commandFile(),
    ...nodeFiles(place),
    await programFile(),
    ...nativeFiles(place),
  ]
}

/**
 * The files of the test image: the release's, with the simulated module in the place of the bridge to the real one, and a ring of keys that is
 * made at the start. Nothing else differs.
 */
export async function testImageFiles(release: readonly ImageFile[]): Promise<ImageFile[]> {
  const [module, maker] = [await bundleSimulatedModule(), await bundleRingMaker()]
  const command = commandFile([`--import=/${ringMakerPath}`])
  return [
    ...release.map((file) => {
      if (file.path === command.path) return command
      if (file.path !== modulePath) return file
      return { ...file, data: module.code, from: npm(module.packages), why: 'the simulated secure module' }
    }),
    {
      ramdisk: 'bootstrap',
      path: ringMakerPath,
      mode: readable,
      data: maker.code,
      from: npm(maker.packages),
      why: 'makes a ring of keys and its manifest',
    },
  ]
}

/** The entries of a ramdisk: its files, and the folders that they are in. */
export function ramdiskEntries(files: readonly ImageFile[], ramdisk: ImageFile['ramdisk']): CpioEntry[] {
  const own = files.filter((file) => file.ramdisk === ramdisk)
  const folders = new Set(own.flatMap((file) => parents(file.path)))
  if (ramdisk === 'bootstrap') for (const folder of ['dev', 'proc', 'run']) folders.add(folder)
  return [
    ...[...folders].map((folder): CpioEntry => ({ path: folder, kind: 'folder', mode: executable })),
    // Init's standard streams, before it mounts /dev.
    ...(ramdisk === 'bootstrap'
      ? [{ path: 'dev/console', kind: 'device', mode: 0o600, major: 5, minor: 1 } as const]
      : []),
    ...own.map((file): CpioEntry => ({ path: file.path, kind: 'file', mode: file.mode, data: file.data })),
  ]
}

function parents(file: string): string[] {
  const parts = file.split('/').slice(0, -1)
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
}

function staticPrograms({ lock, scratch, unpacked }: BuildPlace): ImageFile[] {
  const folder = path.join(scratch, 'init')
  compileInit(folder, unpacked('musl-dev'))
  const from = [debian(lock, 'musl-dev')]
  const program = (name: string, to: string, why: string): ImageFile => ({
    ramdisk: 'bootstrap',
    path: to,
    mode: executable,
    data: readFileSync(path.join(folder, name)),
    from,
    why,
  })
  return [
    program('init', 'init', 'the first process: mounts, starts the three others, ends the machine'),
    program('nsm-bridge', modulePath, 'the call to the Nitro Secure Module, which Node cannot make'),
    program('channel-bridge', 'symbolon/channel-bridge', 'vsock, which Node does not speak'),
  ]
}

/** Its layout is `init/command.h`. */
function commandFile(moreArguments: readonly string[] = []): ImageFile {
  const words = [
    ...['/symbolon/node', ...enclaveNodeArguments, ...moreArguments, '/symbolon/enclave.mjs'],
    '',
    ...['ENCLAVE_SOCKET=/run/enclave/socket', 'ENCLAVE_KEY_FILE=/run/enclave/tee-a.json'],
    'ENCLAVE_NSM_SOCKET=/run/nsm/socket',
  ]
  return {
    ramdisk: 'bootstrap',
    path: 'symbolon/command',
    mode: readable,
    data: Buffer.from(words.map((word) => `${word}\0`).join('')),
    from: [],
    why: "the enclave program's arguments and environment",
  }
}

function nodeFiles({ lock, unpacked }: BuildPlace): ImageFile[] {
  const file = path.join(repository, 'node_modules', lock.node.package, 'bin/node')
  const version = packageVersion(lock.node.package)
  if (version !== lock.node.version || sha256(file) !== lock.node.binary_sha256)
    throw new ImageError(
      `node_modules has another Node than packages/enclave/image/image.lock.json: ${version}.`,
    )
  const node: ImageFile = {
    ramdisk: 'application',
    path: 'symbolon/node',
    mode: executable,
    data: readFileSync(file),
    from: [`${lock.node.package} ${version} (npm)`],
    why: 'runs the enclave program',
  }
  const needed = Object.entries(libraries).map(
    ([name, [owner, source, folder]]): ImageFile => ({
      ramdisk: 'application',
      path: `${folder}/${name}`,
      mode: executable,
      data: readFileSync(realpathSync(path.join(unpacked(owner), source))),
      from: [debian(lock, owner)],
      why: 'Node is linked to it',
    }),
  )
  return [node, ...needed]
}

async function programFile(): Promise<ImageFile> {
  const { code, packages } = await bundleProgram()
  return {
    ramdisk: 'application',
    path: 'symbolon/enclave.mjs',
    mode: readable,
    data: code,
    from: npm(packages),
    why: 'the enclave program',
  }
}

function nativeFiles({ lock, scratch, unpacked }: BuildPlace): ImageFile[] {
  const [secp256k1, sodium] = ['libsecp256k1-dev', 'libsodium-dev'] as const
  const file = path.join(scratch, 'natives.node')
  compileNatives(file, { secp256k1: unpacked(secp256k1), sodium: unpacked(sodium), scratch })
  const wasm = 'tiny-secp256k1'
  return [
    {
      ramdisk: 'application',
      path: natives.slice(1),
      mode: readable,
      data: readFileSync(file),
      from: [debian(lock, secp256k1), debian(lock, sodium)],
      why: 'ECDSA, ed25519, ChaCha20-Poly1305, BLAKE2b and locked memory',
    },
    {
      ramdisk: 'application',
      path: `symbolon/${wasm}/${wasmFile}`,
      mode: readable,
      data: readFileSync(path.join(repository, 'node_modules', wasm, wasmFile)),
      from: [`${wasm} ${packageVersion(wasm)} (npm)`],
      why: 'BIP-340 signatures for taproot',
    },
  ]
}

function npm(packages: ReadonlyMap<string, string>): string[] {
  return [...packages].map(([name, version]) => `${name} ${version} (npm)`)
}

function debian(lock: ImageLock, name: string): string {
  return `${name} ${lockedPackage(lock, name).version} (Debian)`
}
