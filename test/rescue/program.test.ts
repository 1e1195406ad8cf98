import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sampleShares } from './sample-shares.ts'

const program = fileURLToPath(new URL('../../packages/rescue/dist/rescue.js', import.meta.url))
let folder = ''
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'symbolon-rescue-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs the built program as a person's shell or pipe would. */
function run(args: string[], input = ''): Promise<{ code: number | null; out: string; err: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...args], { cwd: folder, env: {} })
    let out = ''
    let err = ''
    child.stdout.on('data', (chunk) => {
      out += chunk
    })
    child.stderr.on('data', (chunk) => {
      err += chunk
    })
    child.on('error', reject).on('close', (code) => resolve({ code, out, err }))
    child.stdin.end(input)
  })
}

function saved(name: string, text: string): string {
  const file = path.join(folder, name)
  writeFileSync(file, text)
  return file
}

test('two share files give the keys on standard output, the addresses beside it, and no file', async () => {
  const { files, key, secretHex } = sampleShares()
  const args = ['--share-file', saved('a.json', files[0]), '--share-file', saved('b.json', files[1])]
  const before = readdirSync(folder)
  const { code, out, err } = await run(args)
  expect(code, err).toBe(0)
  expect(out).toContain(`0x${secretHex}`)
  expect(err).toContain(key.address)
  expect(err).not.toContain(secretHex)
  expect(err).not.toContain('WARNING')
  expect(readdirSync(folder)).toEqual(before)
})

test('shares come by pipe, files with their line breaks and bare ones alike', async () => {
  const { files, bare, key, secretHex } = sampleShares('ed25519')
  expect((await run([], `${files[0]}\n${bare[1]}\n`)).out).toContain(`ed25519-priv-0x${secretHex}`)
  expect((await run(['--address', key.address], bare.join('\n'))).out).toContain(secretHex)
  expect((await run(['--share-file', saved('c.json', files[1])], bare[0])).out).toContain(secretHex)
})

test('a key that nothing proves comes with a loud warning', async () => {
  const { bare, secretHex } = sampleShares()
  const { out, err } = await run(['--curve', 'secp256k1'], bare.join('\n'))
  expect(out).toContain(secretHex)
  expect(err).toMatch(/WARNING: Nothing proves this key/)
})

test('asked for, a new file takes the keys, which only its owner reads; an existing one is never replaced', async () => {
  const { files, secretHex } = sampleShares()
  const out = path.join(folder, 'keys.json')
  const first = await run(['--out', out], files.join('\n'))
  expect(first).toMatchObject({ code: 0, out: '' })
  expect(JSON.parse(readFileSync(out, 'utf8')).networks[0].privateKey).toBe(`0x${secretHex}`)
  expect(statSync(out).mode & 0o777).toBe(0o600)
  const again = await run(['--out', out], sampleShares().files.join('\n'))
  expect(again).toMatchObject({ code: 1, out: '' })
  expect(readFileSync(out, 'utf8')).toContain(secretHex)
})

test('shares that do not belong together are refused without repeating any of them', async () => {
  const [mine, other] = [sampleShares(), sampleShares()]
  for (const input of [
    [mine.files[0], other.files[1]],
    [mine.bare[0], mine.bare[0]],
    [mine.bare[0], 'nonsense'],
    [mine.bare[0], mine.bare[1]],
    [mine.bare[0]],
    [],
  ]) {
    const { code, out, err } = await run([], input.join('\n'))
    expect([1, 130], err).toContain(code)
    expect(out).toBe('')
    for (const share of [...mine.bare, ...other.bare]) expect(err).not.toContain(share.slice(0, 16))
  }
})

test('an unusable file is reported in plain words, and a share in its place is not repeated', async () => {
  const { files, bare } = sampleShares()
  const absent = await run(['--share-file', 'absent.json'])
  expect(absent).toEqual({ code: 1, out: '', err: 'absent.json cannot be read. File not found.\n' })
  expect((await run(['--share-file', folder])).err).toMatch(/cannot be read\. It is a folder\.\n$/)
  expect((await run(['--share-file', bare[0] ?? ''])).err).toBe('This file cannot be read. File not found.\n')
  const there = saved('there.json', 'mine')
  const existing = await run(['--out', there], files.join('\n'))
  expect(existing.err).toMatch(/there\.json cannot be written\. The file exists already\./)
  const nowhere = await run(['--out', path.join(folder, 'no', 'keys.json')], files.join('\n'))
  expect(nowhere.err).toMatch(/cannot be written\. Folder not found\.\n$/)
  // The folder has a random name.
  for (const { err } of [absent, existing, nowhere])
    expect(err.replaceAll(folder, '')).not.toMatch(/E[A-Z]{4,}|syscall|open/)
})

test('by pipe, shares that do not say their curve need --curve, and a mistyped --address is reported', async () => {
  const { bare, key } = sampleShares()
  const unsaid = await run([], bare.join('\n'))
  expect(unsaid).toMatchObject({ code: 1, out: '' })
  expect(unsaid.err).toMatch(/--curve secp256k1 .*Ethereum/)
  const mistyped = await run(['--address', key.address.slice(0, -1)], bare.join('\n'))
  expect(mistyped).toEqual({ code: 1, out: '', err: 'This is not an address.\n' })
})

test('a share on the command line is refused, and not repeated', async () => {
  const { bare } = sampleShares()
  for (const args of [bare, [`--share=${bare[0]}`], ['--curve', bare[0] ?? ''], ['--unknown']]) {
    const { code, out, err } = await run(args)
    expect(code).toBe(2)
    expect(err).toContain('--share-file')
    expect(out + err).not.toContain(bare[0])
  }
  expect(await run(['--help'])).toMatchObject({ code: 0, out: '' })
})

test('an error in the command line is named', async () => {
  const { bare } = sampleShares()
  for (const [args, problem] of [
    [['--curv', 'ed25519'], 'Unknown option --curv.'],
    [[`--share=${bare[0]}`], 'Unknown option --share.'],
    [['-x'], 'Unknown option -x.'],
    [['--curve', 'ed448'], '--curve takes secp256k1 or ed25519.'],
    [['--share-file'], 'An option has no value, or an argument too many.'],
    [bare, 'Give options only, no other arguments.'],
  ] as const)
    expect((await run([...args])).err.split('\n')[0]).toBe(problem)
})

test('the program is one file that loads nothing but file access and argument parsing', () => {
  const code = readFileSync(program, 'utf8')
  const loaded = [...code.matchAll(/^import\b[^'"]*['"]([^'"]+)['"]|\b(?:import|require)\(([^)]*)\)/gm)].map(
    ([, name, computed]) => name ?? `computed ${computed}`,
  )
  expect(loaded.sort()).toEqual(['node:fs', 'node:util'])
  expect(builtinModules.filter((name) => code.includes(`getBuiltinModule("${name}")`))).toEqual([])
  expect(code).not.toMatch(/\b(?:fetch|WebSocket|XMLHttpRequest|EventSource|sendBeacon)\s*\(/)
})
