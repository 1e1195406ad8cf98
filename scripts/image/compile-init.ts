import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { imageFolder } from './image-lock.ts'
import { runTool } from './run-tool.ts'

/** The static programs of the image, by their sources below `packages/enclave/image/init`. */
export const initPrograms: Readonly<Record<string, readonly string[]>> = {
  init: ['init.c', 'command.c', 'say.c'],
  'nsm-bridge': ['nsm-bridge.c', 'nsm-exchange.c', 'say.c'],
  'channel-bridge': ['channel-bridge.c', 'say.c'],
}

/** Warnings are errors, and what a compiler may find is asked of it. */
export const strictFlags: readonly string[] = [
  '-std=c11',
  ...['all', 'extra', 'conversion', 'shadow', 'strict-prototypes', 'missing-prototypes', 'vla', 'error'].map(
    (warning) => `-W${warning}`,
  ),
]

/** The same bytes in whatever folder, and none that only a debugger reads; a smashed stack ends the process. */
export const stableFlags: readonly string[] = [
  '-O2',
  '-g0',
  '-fno-ident',
  '-fno-asynchronous-unwind-tables',
  '-fstack-protector-strong',
]

/** Nothing of the file's folder or time in it, nothing writable that can be executed. */
export const linkFlags: readonly string[] = ['-s', '-Wl,--build-id=none,-z,relro,-z,now,-z,noexecstack']

/**
 * Compiles the static programs into `folder`, with the musl that is unpacked in `musl` (Debian's musl-dev): unlike a static glibc it has no
 * plug-ins, locales or name services that a program without a file system would look for, and adds some 15 kB to each. Throws `ImageError`
 * where they do not compile.
 */
export function compileInit(folder: string, musl: string): void {
  mkdirSync(folder, { recursive: true })
  const cwd = path.join(imageFolder, 'init')
  const libraries = path.join(musl, 'usr/lib/x86_64-linux-musl')
  const ofGcc = runTool('gcc', ['-print-file-name=include'], { cwd }).trim()
  const headers = [
    '-nostdinc',
    '-isystem',
    path.join(musl, 'usr/include/x86_64-linux-musl'),
    '-isystem',
    ofGcc,
  ]
  const [first, last] = [
    ['crt1.o', 'crti.o'],
    ['libc.a', '-lgcc', 'crtn.o'],
  ].map((names) => names.map((name) => (name.startsWith('-') ? name : path.join(libraries, name))))
  for (const [name, sources] of Object.entries(initPrograms))
    runTool(
      'gcc',
      [
        ...[...strictFlags, ...stableFlags, '-fno-pie', ...headers],
        ...[...linkFlags, '-nostdlib', '-static', '-no-pie', '-o', path.join(folder, name)],
        ...[...(first ?? []), ...sources, ...(last ?? [])],
      ],
      { cwd },
    )
}
