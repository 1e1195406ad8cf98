import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type EifMetadata, writeCpio, writeEif } from '../../packages/enclave/src/image/index.ts'
import { buildKernel, type Kernel } from './build-kernel.ts'
import { fetchPackages } from './debian-packages.ts'
import { ImageError } from './image-error.ts'
import { type BuildPlace, type ImageFile, ramdiskEntries } from './image-files.ts'
import { type ImageLock, imageLock, lockedPackage } from './image-lock.ts'
import { repository } from './repository.ts'
import { runTool } from './run-tool.ts'

/** Debian's packages that the build runs, with what of them. */
const neededTools: Readonly<Record<string, string>> = {
  bc: '/usr/bin/bc',
  binutils: '/usr/bin/objcopy',
  bison: '/usr/bin/bison',
  flex: '/usr/bin/flex',
  gcc: '/usr/bin/gcc',
  'libelf-dev': '/usr/include/libelf.h',
  make: '/usr/bin/make',
  'xz-utils': '/usr/bin/xz',
}

/**
 * The console is the parent's, who sees it of a debug enclave alone. A panic ends the machine at once. The processor's generator counts as
 * random, beside the secure module's.
 */
const commandLine = 'reboot=k panic=-1 console=ttyS0 loglevel=4 random.trust_cpu=on'

/** One sentence that names every package which the build needs and this machine has not; undefined where all are there. */
export function missingTools(): string | undefined {
  const missing = Object.entries(neededTools).flatMap(([name, file]) => (existsSync(file) ? [] : [name]))
  if (missing.length === 0) return undefined
  return `An enclave image needs the packages ${missing.join(', ')}: apt-get install ${missing.join(' ')}`
}

/**
 * A build below `scratch`; the locked packages are fetched and unpacked when they are first asked for. `sources` is a folder of `.deb` files
 * for what the mirror has dropped. Throws `ImageError` where a tool is missing or another than the lock names.
 */
export function preparePlace(scratch: string, sources?: string): BuildPlace {
  const missing = missingTools()
  if (missing !== undefined) throw new ImageError(`${missing}.`)
  const lock = imageLock()
  assertTools(lock)
  return {
    lock,
    scratch,
    unpacked(name) {
      const folder = path.join(scratch, 'unpacked', name)
      if (existsSync(folder)) return folder
      const [file = ''] = fetchPackages([lockedPackage(lock, name)], path.join(scratch, 'packages'), sources)
      mkdirSync(folder, { recursive: true })
      runTool('dpkg-deb', ['--extract', file, folder], { cwd: scratch })
      return folder
    },
  }
}

/** Another compiler makes other bytes, and a release of other measurements. */
function assertTools({ tools }: ImageLock): void {
  for (const [name, version] of Object.entries(tools)) {
    const found = runTool('dpkg-query', ['--show', name], { cwd: repository }).trim().split('\t')[1]
    if (found !== version)
      throw new ImageError(`The image is made with ${name} ${version}, and this machine has ${found}.`)
  }
}

/** Builds the kernel of a prepared build. */
export function kernelOf({ scratch, unpacked }: BuildPlace): Kernel {
  return buildKernel(unpacked('linux-source-6.12'), scratch)
}

/** Puts an image together; its name says which of the two it is. */
export function assembleImage(name: string, kernel: Kernel, files: readonly ImageFile[]): Uint8Array {
  return writeEif({
    kernel: kernel.image,
    commandLine,
    metadata: metadata(name, kernel.version),
    ramdisks: (['bootstrap', 'application'] as const).map((one) => writeCpio(ramdiskEntries(files, one))),
  })
}

function metadata(name: string, kernelVersion: string): EifMetadata {
  const { version } = JSON.parse(readFileSync(path.join(repository, 'package.json'), 'utf8')) as {
    version: string
  }
  return {
    ImageName: name,
    ImageVersion: version,
    BuildMetadata: {
      BuildTime: '1970-01-01T00:00:00Z',
      BuildTool: 'symbolon',
      BuildToolVersion: version,
      OperatingSystem: 'Linux',
      KernelVersion: kernelVersion,
    },
    DockerInfo: {},
    CustomMetadata: {},
  }
}
