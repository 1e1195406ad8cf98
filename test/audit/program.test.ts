import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { canonicalJson } from '@symbolon/crypto/attestation'
import { rounds } from '@symbolon/testing/properties'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type AuditFixture,
  forgedCheckpoint,
  host,
  partsOf,
  startAuditFixture,
  strangerKey,
} from './audit-fixture.ts'

const program = fileURLToPath(new URL('../../packages/verify/dist/verify.js', import.meta.url))
let folder = ''
let fixture: AuditFixture
let organizationId: string
let text: string
let jwks: string

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'symbolon-verify-'))
  fixture = await startAuditFixture()
  organizationId = await fixture.log(250)
  text = await fixture.download(organizationId)
  jwks = saved('jwks.json', JSON.stringify(fixture.keys))
})
afterAll(async () => {
  await fixture.stop()
  rmSync(folder, { recursive: true, force: true })
})

function saved(name: string, content: string): string {
  const file = path.join(folder, name)
  writeFileSync(file, content)
  return file
}

type Run = { code: number | null; out: string; err: string }

/** The most memory that the process had resident, in bytes. (The system's own figure begins with the parent's.) */
const tellPeak = `data:text/javascript,${encodeURIComponent(`
  let peak = 0
  const look = () => { peak = Math.max(peak, process.memoryUsage.rss()) }
  setInterval(look, 10).unref()
  process.on('exit', () => { look(); process.stderr.write('peak ' + peak) })`)}`

/** Runs the built program as a person's shell or pipe would. */
function run(args: string[], { input, node = [] }: { input?: string; node?: string[] } = {}): Promise<Run> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...node, program, ...args], { cwd: folder, env: {} })
    const result: Run = { code: null, out: '', err: '' }
    child.stdout.on('data', (chunk) => {
      result.out += chunk
    })
    child.stderr.on('data', (chunk) => {
      result.err += chunk
    })
    child.on('error', reject).on('close', (code) => resolve({ ...result, code }))
    child.stdin.end(input)
  })
}

test('an untouched export is verified from a file and from a pipe: exit code 0, and the facts to compare', async () => {
  const { checkpoint } = partsOf(text)
  const file = saved('export.ndjson', text)
  for (const result of [
    await run(['export', file, '--jwks', jwks]),
    await run([file, '--jwks', jwks]),
    await run(['-', '--jwks', jwks], { input: text }),
    await run([file, '--jwks', jwks, '--organization', organizationId, '--host', host]),
  ]) {
    expect(result, result.err).toMatchObject({ code: 0, err: '' })
    expect(result.out).toMatch(/^VERIFIED/)
    for (const fact of [
      organizationId,
      '250, from ',
      checkpoint.root_hash,
      checkpoint.timestamp,
      fixture.key.jwk.kid,
    ])
      expect(result.out).toContain(fact)
  }
})

test('the checkpoint may be a file of its own: the answer of the API, with its envelope, or only its note', async () => {
  const { lines, checkpoint } = partsOf(text)
  const bare = saved('bare.ndjson', `${lines.join('\n')}\n`)
  const earlier = partsOf(await fixture.download(organizationId, 100)).checkpoint
  const remembered = ['--consistent-with', saved('earlier.json', JSON.stringify(earlier))]
  for (const content of [
    JSON.stringify(checkpoint),
    JSON.stringify({ data: checkpoint, error: null }),
    checkpoint.note,
  ]) {
    const args = [bare, '--jwks', jwks, '--checkpoint', saved('head', content), ...remembered]
    expect(await run(args)).toMatchObject({ code: 0, err: '' })
  }
})

test('a changed export fails with exit code 1 and the line', async () => {
  const { lines } = partsOf(text)
  const changed = text.replace(lines[100] ?? '', (line) => line.replace('{', '{ '))
  const result = await run(['-', '--jwks', jwks], { input: changed })
  expect(result).toMatchObject({ code: 1, err: '' })
  expect(result.out).toMatch(/^FAILED/)
  expect(result.out).toContain('line 101: ')
  const foreign = saved('foreign.json', JSON.stringify({ keys: [strangerKey().jwk] }))
  expect((await run(['-', '--jwks', foreign], { input: text })).code).toBe(1)
  const both = await run(['-', '--jwks', foreign, '--jwks', jwks], { input: text })
  expect(both.code).toBe(0)
})

test('an unproven log is exit code 3, never 0', async () => {
  const noKeys = await run(['-'], { input: text })
  expect(noKeys.code).toBe(3)
  expect(noKeys.out).toMatch(/^UNPROVEN[\s\S]*no_keys/)
  const { lines } = partsOf(text)
  expect((await run(['-', '--jwks', jwks], { input: lines.join('\n') })).code).toBe(3)
})

test('the report comes as JSON for programs', async () => {
  const { code, out } = await run(['-', '--jwks', jwks, '--json'], {
    input: text.replace('"success":true', '"success":false'),
  })
  expect(code).toBe(1)
  expect(JSON.parse(out)).toMatchObject({
    verdict: 'failed',
    size: 250,
    findings: [{ code: 'root_mismatch' }],
  })
})

test('wrong usage and unreadable files are exit code 2, and say what is wrong', async () => {
  for (const args of [[], ['a', 'b'], ['--unknown'], ['export.ndjson', '--jwks']]) {
    const { code, out, err } = await run(args)
    expect({ args, code, out }).toEqual({ args, code: 2, out: '' })
    expect(err).toContain('--consistent-with')
  }
  for (const args of [
    ['absent'],
    ['-', '--jwks', 'absent'],
    ['-', '--checkpoint', 'absent'],
    [folder],
    ['-', '--jwks', saved('x', '[]')],
  ]) {
    const { code, out, err } = await run(args, { input: text })
    expect({ args, code, out }).toEqual({ args, code: 2, out: '' })
    expect(err).toMatch(/^There is no file absent\.|is a folder, not a file\.|not a key set/)
  }
  expect(await run(['--help'])).toMatchObject({ code: 0, out: '' })
})

// Four times as many bytes as the program may have on its heap, and at night as many as an organization of years.
const manyEvents = rounds({ suite: 80_000, night: 200_000 })

test('very many events are verified in the memory that a few need', async () => {
  const template = JSON.parse(partsOf(text).lines[5] ?? '')
  const [start = '', middle = '', end = ''] = canonicalJson({
    ...template,
    id: '<>',
    timestamp: '<>',
    payload: { note: 'x'.repeat(200) },
  }).split('<>')
  const lines = Array.from({ length: manyEvents }, (_, i) => {
    const id = `00000000-0000-7000-8000-${i.toString(16).padStart(12, '0')}`
    return `${start}${id}${middle}${new Date(1_700_000_000_000 + i).toISOString()}${end}`
  })
  const head = { organizationId, at: new Date().toISOString(), signer: fixture.key }
  const { note } = await forgedCheckpoint(lines, head)
  const file = saved('long.ndjson', `${lines.join('\n')}\n`)
  const peakOf = async (args: string[], input?: string) => {
    const result = await run(args, {
      ...(input && { input }),
      node: ['--max-old-space-size=32', '--import', tellPeak],
    })
    expect(result, result.err).toMatchObject({ code: 0 })
    return { out: result.out, megabytes: Number(/peak (\d+)/.exec(result.err)?.[1]) / 2 ** 20 }
  }
  const few = await peakOf(['-', '--jwks', jwks], text)
  const many = await peakOf([file, '--jwks', jwks, '--checkpoint', saved('long-head', note)])
  expect(many.out).toContain(`${manyEvents}, from `)
  expect(statSync(file).size).toBeGreaterThan(manyEvents * 500)
  expect(many.megabytes - few.megabytes).toBeLessThan(40)
}, 60_000)

test('an export is verified without a connection', async () => {
  const noFetch = 'globalThis.fetch = () => { throw new Error("a connection") }'
  const node = ['--import', `data:text/javascript,${encodeURIComponent(noFetch)}`]
  expect(await run(['export', '-', '--jwks', jwks], { input: text, node })).toMatchObject({
    code: 0,
    err: '',
  })
})

test('the program is one file that loads nothing but access to files, reading of keys and argument parsing', () => {
  const code = readFileSync(program, 'utf8')
  const loaded = [...code.matchAll(/^import\b[^'"]*['"]([^'"]+)['"]|\b(?:import|require)\(([^)]*)\)/gm)].map(
    ([, name, computed]) => name ?? `computed ${computed}`,
  )
  expect(loaded.sort()).toEqual(['node:crypto', 'node:fs', 'node:util'])
  expect(code).not.toMatch(/\b(?:WebSocket|XMLHttpRequest|EventSource|sendBeacon)\s*\(/)
})
