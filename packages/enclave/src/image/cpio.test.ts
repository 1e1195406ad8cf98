import { createHash } from 'node:crypto'
import { propertyRuns } from '@symbolon/testing/properties'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CpioEntry, CpioError } from './cpio.ts'
import { readCpio } from './read-cpio.ts'
import { writeCpio } from './write-cpio.ts'

const file = (path: string, data = 'hello', mode = 0o755): CpioEntry => ({
  path,
  kind: 'file',
  mode,
  data: Buffer.from(data),
})
const folder = (path: string): CpioEntry => ({ path, kind: 'folder', mode: 0o755 })

const small: CpioEntry[] = [
  { path: 'link', kind: 'link', target: 'init' },
  file('init'),
  { path: 'dev/console', kind: 'device', mode: 0o600, major: 5, minor: 1 },
  folder('dev'),
]

const name = fc.stringMatching(/^[a-z+_-]{1,6}$/)
const mode = fc.nat(0o777)
const leaf = fc.oneof(
  fc.record({
    kind: fc.constant('file' as const),
    mode,
    data: fc.uint8Array({ maxLength: 40 }).map((data) => Buffer.from(data)),
  }),
  fc.record({ kind: fc.constant('link' as const), target: name }),
  fc.record({ kind: fc.constant('device' as const), mode, major: fc.nat(255), minor: fc.nat(255) }),
)
const tree = fc
  .uniqueArray(fc.tuple(name, mode, fc.uniqueArray(fc.tuple(name, leaf), { selector: ([one]) => one })), {
    selector: ([one]) => one,
    maxLength: 4,
  })
  .map((folders) =>
    folders.flatMap(([path, bits, leaves]): CpioEntry[] => [
      { path, kind: 'folder', mode: bits },
      ...leaves.map(([one, rest]) => ({ path: `${path}/${one}`, ...rest })),
    ]),
  )

const sorted = (entries: readonly CpioEntry[]) =>
  entries.toSorted((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)))

describe('a ramdisk', () => {
  // The expected value is a Python script's, written from the format's description alone.
  test('has the bytes that the format describes', () => {
    const archive = writeCpio(small)
    expect(archive).toHaveLength(1024)
    expect(createHash('sha256').update(archive).digest('hex')).toBe(
      '935e52fccc37a01dd50cc372191a4dac94d4d2fbd419a9e090dfb8fac6d53604',
    )
  })

  test('is read as it was written', () => {
    fc.assert(
      fc.property(tree, (entries) => {
        expect(readCpio(writeCpio(entries))).toEqual(sorted(entries))
      }),
      { numRuns: propertyRuns(2_000) },
    )
  })

  test('is the same in whatever order its entries come', () => {
    fc.assert(
      fc.property(
        tree.chain((entries) =>
          fc.tuple(fc.constant(entries), fc.shuffledSubarray(entries, { minLength: entries.length })),
        ),
        ([entries, others]) => {
          expect(writeCpio(others)).toEqual(writeCpio(entries))
        },
      ),
      { numRuns: propertyRuns(1_000) },
    )
  })

  test.each([
    ['/init', 'is no path'],
    ['', 'is no path'],
    ['a b', 'is no path'],
    ['..', 'is no path'],
    ['dev/../init', 'is no path'],
    ['dev//null', 'is no path'],
    ['dev/', 'is no path'],
    ['nowhere/init', 'nowhere/init is in no folder'],
    ['init/init', 'init/init is in no folder'],
    ['dev/console', 'dev/console is there twice'],
  ])('is not made with an entry %j', (path, message) => {
    expect(() => writeCpio([...small, file(path)])).toThrow(message)
  })

  test('holds no file that runs as its owner', () => {
    expect(() => writeCpio([file('init', '', 0o4755)])).toThrow('init has other mode bits')
  })

  test('is refused when it is cut off, or goes on with other bytes than zeros', () => {
    const archive = writeCpio(small)
    const end = Buffer.from(archive).lastIndexOf('TRAILER!!!') + 11
    for (let length = 0; length < end; length++)
      expect(() => readCpio(archive.subarray(0, length)), `${length} bytes`).toThrow(CpioError)
    expect(() => readCpio(Buffer.concat([archive, Buffer.from('x')]))).toThrow('goes on behind its end')
  })

  test('never crashes the reader, whatever its bytes', () => {
    const archive = writeCpio(small)
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(archive.length - 1), fc.nat(255)), { maxLength: 8 }),
        (changes) => {
          const copy = Uint8Array.from(archive)
          for (const [at, value] of changes) copy[at] = value
          try {
            readCpio(copy)
          } catch (error) {
            expect(error).toBeInstanceOf(CpioError)
          }
        },
      ),
      { numRuns: propertyRuns(8_000) },
    )
  })
})
