import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { ImageError } from './image-error.ts'
import { imageFolder } from './image-lock.ts'
import { runTool } from './run-tool.ts'

/** What no kernel of ours compiles, and what takes most of the time to unpack. */
const leftOut = [
  '*/drivers/gpu/*.[ch]',
  '*/drivers/media/*.[ch]',
  '*/drivers/net/ethernet/*.[ch]',
  '*/drivers/net/wireless/*.[ch]',
  '*/sound/*.[ch]',
  '*.rst',
  '*.dts*',
]

/** Date, user, host and count of builds stand in the kernel's version. */
const fixed: Readonly<Record<string, string>> = {
  KBUILD_BUILD_TIMESTAMP: 'Thu Jan  1 00:00:00 UTC 1970',
  KBUILD_BUILD_USER: 'symbolon',
  KBUILD_BUILD_HOST: 'symbolon',
  KBUILD_BUILD_VERSION: '1',
}

/** The kernel to boot and its version, as `6.12.117`. */
export type Kernel = { image: Uint8Array; version: string }

/**
 * Builds the kernel of the image below `scratch`, from Debian's source package that is unpacked in `source`, with `kernel.config` and nothing
 * else. Takes minutes. Throws `ImageError` where the kernel does not compile, or where its own rules leave out a line of the configuration.
 */
export function buildKernel(source: string, scratch: string): Kernel {
  const folder = path.join(scratch, 'linux')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const archive = path.join(source, 'usr/src/linux-source-6.12.tar.xz')
  const without = leftOut.map((pattern) => `--exclude=${pattern}`)
  const place = { cwd: folder, environment: fixed }
  runTool('tar', ['-xJf', archive, '--strip-components=1', ...without], place)
  configure(folder)
  const jobs = String(availableParallelism())
  runTool('nice', ['-n', '19', 'make', '-s', '-j', jobs, 'bzImage'], place)
  const version = runTool('make', ['-s', 'kernelversion'], place).trim()
  return { image: readFileSync(path.join(folder, 'arch/x86/boot/bzImage')), version }
}

function configure(folder: string): void {
  const ours = path.join(imageFolder, 'kernel.config')
  const place = { cwd: folder, environment: { ...fixed, KCONFIG_ALLCONFIG: ours } }
  // Otherwise the version ends in what the folder's repository is.
  writeFileSync(path.join(folder, '.scmversion'), '')
  runTool('make', ['-s', 'allnoconfig'], place)
  const made = new Set(readFileSync(path.join(folder, '.config'), 'utf8').split('\n'))
  const lost = readFileSync(ours, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('CONFIG_') && !made.has(line))
  if (lost.length > 0) throw new ImageError(`The kernel has no place for ${lost.join(', ')}.`)
}
