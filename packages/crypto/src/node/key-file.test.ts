import { execFile } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { EnvelopeContext } from './envelope-context.ts'
import { makeKeyFile, openKeyFile } from './key-file.ts'
import type { KeyPurpose } from './key-purpose.ts'

const run = promisify(execFile)
const module = new URL('./key-file.ts', import.meta.url).href
const purposes: KeyPurpose[] = ['provider', 'pii']
const context: EnvelopeContext = {
  organizationId: '017f22e2-79b0-7cc3-98c4-dc0c0c07398f',
  walletId: '017f22e2-79b0-7cc3-98c4-dc0c0c073990',
  purpose: 'provider',
  shareIndex: 0,
  polynomialVersion: 0,
}

let path = ''
beforeEach(() => {
  path = join(mkdtempSync(join(tmpdir(), 'key-file-')), 'deeper', 'keys.json')
})
afterEach(() => rmSync(dirname(dirname(path)), { recursive: true, force: true }))

const made = (wanted = purposes) => {
  makeKeyFile(path, wanted)
  return openKeyFile(path, wanted)
}
const coded = (code: string) => expect.objectContaining({ name: 'KeyFileError', code, path })
const content = (): { keys: Record<string, { keyId: string; versions: string[] }> } =>
  JSON.parse(readFileSync(path, 'utf8'))
const versionCount = () => content().keys['provider']?.versions.length
const inProcess = (body: string) =>
  run(
    process.execPath,
    ['--input-type=module', '-e', `import { makeKeyFile, openKeyFile } from '${module}'\n${body}`],
    {
      env: { KEY_FILE: path },
    },
  )
const openText = `makeKeyFile(process.env.KEY_FILE, ['provider', 'pii'])
const file = openKeyFile(process.env.KEY_FILE, ['provider', 'pii'])\n`

test('an absent file is made with mode 0600 in a folder of mode 0700, and nothing is left beside it', () => {
  made()
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(statSync(dirname(path)).mode & 0o777).toBe(0o700)
  expect(readdirSync(dirname(path))).toEqual(['keys.json'])
  expect(Object.keys(content().keys)).toEqual(purposes)
})

test('opening makes no file, and no keys of a purpose that the file lacks', () => {
  expect(() => openKeyFile(path, purposes)).toThrow(coded('missing'))
  expect(existsSync(path)).toBe(false)
  made(['provider'])
  const before = readFileSync(path, 'utf8')
  expect(() => openKeyFile(path, purposes).ring('pii')).toThrow(
    expect.objectContaining({ name: 'EnvelopeError', code: 'unknown_key' }),
  )
  expect(readFileSync(path, 'utf8')).toBe(before)
})

test('a purpose in use gets no keys', () => {
  makeKeyFile(path, purposes, { inUse: ['pii'] })
  expect(Object.keys(content().keys)).toEqual(['provider'])
  makeKeyFile(path, purposes, { inUse: ['pii'] })
  expect(Object.keys(content().keys)).toEqual(['provider'])
})

test.each([0o640, 0o604, 0o660, 0o610, 0o601, 0o644])('a file of mode %o is refused', (mode) => {
  made()
  chmodSync(path, mode)
  expect(() => openKeyFile(path, purposes)).toThrow(coded('permissions'))
})

test('a key file is read and rotated through a link; a folder is refused', () => {
  made()
  symlinkSync(path, `${path}.link`)
  expect(openKeyFile(`${path}.link`, purposes).rotate('provider')).toBe(2)
  expect(versionCount()).toBe(2)
  expect(lstatSync(`${path}.link`).isSymbolicLink()).toBe(true)
  expect(() => openKeyFile(dirname(path), purposes)).toThrow(expect.objectContaining({ code: 'permissions' }))
})

test('a key wrapped before the file is reopened unwraps after', () => {
  const { dataKey, wrappedKey } = made().ring('provider').generateDataKey(context)
  expect(openKeyFile(path, purposes).ring('provider').unwrap(wrappedKey, context)).toEqual(dataKey)
})

test('eight processes starting at once share one file, and every one unwraps what the others wrapped', async () => {
  const body = `${openText}
    const { dataKey, wrappedKey } = file.ring('provider').generateDataKey(${JSON.stringify(context)})
    console.log(JSON.stringify({ dataKey: [...dataKey], wrappedKey, wrapped: [...wrappedKey.wrapped] }))`
  const answers = await Promise.all(Array.from({ length: 8 }, () => inProcess(body)))
  const ring = openKeyFile(path, purposes).ring('provider')
  for (const { stdout } of answers) {
    const { dataKey, wrappedKey, wrapped } = JSON.parse(stdout)
    const unwrapped = ring.unwrap({ ...wrappedKey, wrapped: Uint8Array.from(wrapped) }, context)
    expect([...unwrapped]).toEqual(dataKey)
  }
  expect(readdirSync(dirname(path))).toEqual(['keys.json'])
})

test('rotations by several processes at once lose no version', async () => {
  made()
  const body = `${openText}for (let i = 0; i < 5; i++) console.log(file.rotate('provider'))`
  const answers = await Promise.all(Array.from({ length: 4 }, () => inProcess(body)))
  const versions = answers.flatMap(({ stdout }) => stdout.trim().split('\n').map(Number))
  expect(versions.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i + 2))
  expect(versionCount()).toBe(21)
  expect(new Set(content().keys['provider']?.versions).size).toBe(21)
  expect(readdirSync(dirname(path))).toEqual(['keys.json'])
})

test('a version made by another process is used for the next key and to unwrap, without a restart', () => {
  const [mine, other] = [made(), made()]
  const ring = mine.ring('provider')
  const before = ring.generateDataKey(context)
  expect(other.rotate('provider')).toBe(2)
  const { dataKey, wrappedKey } = other.ring('provider').generateDataKey(context)
  expect(ring.unwrap(wrappedKey, context)).toEqual(dataKey)
  expect(ring.unwrap(before.wrappedKey, context)).toEqual(before.dataKey)
  expect(ring.rewrap(before.wrappedKey, context).keyVersion).toBe(2)
  expect(other.rotate('provider')).toBe(3)
  expect(ring.version).toBe(3)
  expect(ring.generateDataKey(context).wrappedKey.keyVersion).toBe(3)
  expect(mine.ring('pii').version).toBe(1)
})

test('while the file is gone no new key is made, but known ones unwrap; putting it back heals', () => {
  const file = made()
  const { dataKey, wrappedKey } = file.ring('provider').generateDataKey(context)
  renameSync(path, `${path}.away`)
  expect(() => file.ring('provider').generateDataKey(context)).toThrow(coded('unavailable'))
  expect(() => file.rotate('provider')).toThrow(coded('unavailable'))
  expect(file.ring('provider').unwrap(wrappedKey, context)).toEqual(dataKey)
  renameSync(`${path}.away`, path)
  expect(file.ring('provider').generateDataKey(context).wrappedKey.keyVersion).toBe(1)
})

test('a file that lost or changed a key in use is refused, and known keys still unwrap', () => {
  const file = made()
  const { dataKey, wrappedKey } = file.ring('provider').generateDataKey(context)
  rmSync(path)
  made()
  expect(() => file.ring('provider').generateDataKey(context)).toThrow(coded('replaced'))
  expect(() => file.rotate('provider')).toThrow(coded('replaced'))
  expect(file.ring('provider').unwrap(wrappedKey, context)).toEqual(dataKey)
})

test('a purpose that came with an upgrade is added, the old keys stay', () => {
  made().rotate('provider')
  const before = content().keys
  made([...purposes, 'webhook'])
  expect(content().keys).toMatchObject(before)
  expect(Object.keys(content().keys)).toEqual([...purposes, 'webhook'])
})

test('a file with the keys of another side is refused', () => {
  made(['tee-a'])
  expect(() => openKeyFile(path, purposes)).toThrow(coded('malformed'))
  expect(() => makeKeyFile(path, purposes)).toThrow(coded('malformed'))
})

test.each([
  ['nothing', () => ''],
  ['half a file', (text: string) => text.slice(0, text.length / 2)],
  ['another format', (text: string) => text.replace('symbolon-keys/1', 'symbolon-keys/2')],
  ['a short key', (text: string) => text.replace(/"[^"]{44}"/, '"AAAA"')],
  ['a key that is not base64', (text: string) => text.replace(/"[^"]{44}"/, '"!"')],
  ['a number as key', (text: string) => text.replace(/"[^"]{44}"/, '7')],
  ['no versions', (text: string) => text.replace(/\[[^\]]*\]/, '[]')],
  ['no list of versions', (text: string) => text.replace(/\[[^\]]*\]/, 'null')],
  ['an unknown purpose', (text: string) => text.replace('"pii"', '"other"')],
  ['a list', () => '[]'],
])('a file with %s is malformed, is left alone, and no message quotes it', (_, damage) => {
  made()
  const damaged = damage(readFileSync(path, 'utf8'))
  writeFileSync(path, damaged)
  expect(() => openKeyFile(path, purposes)).toThrow(coded('malformed'))
  expect(readFileSync(path, 'utf8')).toBe(damaged)
  try {
    openKeyFile(path, purposes)
  } catch (error) {
    const shown = error instanceof Error ? `${error.stack} ${error.cause}` : ''
    for (const key of damaged.match(/[A-Za-z0-9+/]{43}=/g) ?? []) expect(shown).not.toContain(key.slice(0, 8))
  }
})

test('the lock of a killed process is broken once it is old, and a fresh one is respected', () => {
  const file = made()
  writeFileSync(`${path}.lock`, '')
  expect(() => file.rotate('provider')).toThrow(coded('locked'))
  expect(file.ring('provider').version).toBe(1)
  const past = statSync(`${path}.lock`).mtimeMs / 1000 - 11
  utimesSync(`${path}.lock`, past, past)
  expect(file.rotate('provider')).toBe(2)
  expect(readdirSync(dirname(path))).toEqual(['keys.json'])
})

test('an unknown purpose is an EnvelopeError', () => {
  const file = made()
  expect(() => file.ring('tee-a')).toThrow(
    expect.objectContaining({ name: 'EnvelopeError', code: 'unknown_key' }),
  )
  expect(() => file.rotate('tee-a')).toThrow(expect.objectContaining({ code: 'unknown_key' }))
})

test('a process killed at any moment of its rotations leaves a whole file with every acknowledged version', async () => {
  made()
  for (let round = 0; round < 6; round++) {
    const body = `${openText}for (;;) process.stdout.write(file.rotate('provider') + '\\n')`
    const started = inProcess(body)
    let acknowledged = ''
    started.child.stdout?.on('data', (text) => {
      acknowledged += text
      if (acknowledged.split('\n').length > 2 + round) started.child.kill('SIGKILL')
    })
    await started.catch(() => undefined)
    rmSync(`${path}.lock`, { force: true })
    const last = Number(acknowledged.trim().split('\n').at(-1))
    expect(openKeyFile(path, purposes).ring('provider').version).toBeGreaterThanOrEqual(last)
  }
  openKeyFile(path, purposes).rotate('provider')
  expect(readdirSync(dirname(path))).toEqual(['keys.json'])
})
