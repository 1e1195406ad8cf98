import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { frameDocument, framePage } from '@symbolon/server/frame-page'
import { nodeWorld, runVerify } from '@symbolon/verify/command'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type PlatformFixture, startPlatform } from './platform-fixture.ts'

const script = 'the wallet()'
const style = '.wallet{}'
const [scriptPath, stylePath] = ['/frame/assets/vault-0a.js', '/frame/assets/vault-0b.css']
const key = 'pk_live_example'
let folder: string
let platform: PlatformFixture
let pinned: string[]

const integrity = (text: string) => `sha384-${createHash('sha384').update(text).digest('base64')}`
const built = {
  script: { name: 'vault-0a.js', integrity: integrity(script) },
  style: { name: 'vault-0b.css', integrity: integrity(style) },
}
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'symbolon-frame-'))
  platform = await startPlatform()
  const root = path.join(folder, 'root')
  writeFileSync(root, Buffer.from(platform.boot.root).toString('base64'))
  pinned = ['--allow-simulated', '--root', root, '--ring', platform.boot.ringId]
})
beforeEach(() => {
  platform.asked.length = 0
  platform.texts.clear()
  attest({})
  for (const [place, text] of [
    ['/v1/frame', JSON.stringify({ data: { url: platform.url }, error: null })],
    ['/frame/document', frameDocument(built)],
    ['/frame', framePage({ organization: { name: '</script><script>' }, publishable_key: key }, built)],
    [scriptPath, script],
    [stylePath, style],
  ] as const)
    platform.texts.set(place, text)
})
afterAll(async () => {
  await platform.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** The enclave attests a manifest with this configuration. */
function attest(configuration: object): void {
  const manifest = {
    version: 1,
    ring_id: platform.boot.ringId,
    configuration: { frame_url: platform.url, frame_sha256: sha256(frameDocument(built)), ...configuration },
  }
  platform.input = { state: { manifest } }
}

async function run(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  let [out, err] = ['', '']
  const world = nodeWorld({
    called: 'verify',
    print: (text) => {
      out += text
    },
    say: (text) => {
      err += text
    },
  })
  const code = await runVerify(['frame', ...args], world)
  return { code, out, err }
}

/** The verdict and codes of a run with --json, its exit code, and what it says of the frame. */
async function outcome(...args: string[]) {
  const { code, out, err } = await run(platform.url, ...pinned, '--json', ...args)
  expect(err).toBe('')
  const { verdict, mode, findings, ...more } = JSON.parse(out)
  expect([mode, more]).toEqual(['simulated', {}])
  return [code, verdict, ...findings.map((each: { code: string }) => each.code)]
}

const change = (place: string, from: string, to: string) => {
  const text = platform.texts.get(place) ?? ''
  expect(text).toContain(from)
  platform.texts.set(place, text.replace(from, to))
}

test('the frame of the attested manifest is verified, with every file that it loads', async () => {
  const { code, out, err } = await run(`${platform.url}/`, ...pinned)
  expect([code, err]).toEqual([0, ''])
  expect(out).toMatch(/^VERIFIED/)
  expect(out).toContain(sha256(frameDocument(built)))
  expect(platform.asked).toEqual(['/v1/attestation', '/v1/frame', '/frame/document', stylePath, scriptPath])
  expect(await outcome()).toEqual([0, 'verified'])
})

test('the page of a key is the same page, whatever its configuration says', async () => {
  expect(await outcome('--publishable-key', key)).toEqual([0, 'verified'])
  expect(platform.asked).toContain('/frame')
  expect(platform.asked).not.toContain('/frame/document')
  change('/frame', '</head>', '<script src="//evil.example/x.js"></script></head>')
  expect(await outcome('--publishable-key', key)).toEqual([1, 'failed', 'frame_mismatch'])
  expect(await outcome()).toEqual([0, 'verified'])
})

test.each<[string, () => void]>([
  ['a script that was changed', () => change(scriptPath, 'wallet', 'thief')],
  ['a style that was changed', () => change(stylePath, 'wallet', 'thief')],
  ['a script that is gone', () => platform.texts.delete(scriptPath)],
  ['a page that is gone', () => platform.texts.delete('/frame/document')],
  ['a page with one more script', () => change('/frame/document', '</body>', '<script>1</script></body>')],
  [
    'a page with a script where its configuration was',
    () => change('/frame/document', '></script>', '><b></script>'),
  ],
  ['a page with a mark before it', () => change('/frame/document', '<!doctype', '\ufeff<!doctype')],
  [
    'a script and a page for it',
    () => {
      platform.texts.set(scriptPath, 'the thief()')
      change('/frame/document', integrity(script), integrity('the thief()'))
    },
  ],
  [
    'another frame than the one that the manifest names',
    () => attest({ frame_url: 'https://frame.example' }),
  ],
  ['a frame at no address', () => platform.texts.set('/v1/frame', '{"data":{"url":"javascript:1"}}')],
])('a frame with %s is not verified', async (_, spoil) => {
  spoil()
  expect(await outcome()).toEqual([1, 'failed', 'frame_mismatch'])
})

test('a page that the manifest names, but that loads a file without its hash, or from elsewhere, fails', async () => {
  for (const tag of [
    '<script src="/x.js"></script>',
    `<script src="//x.example/x.js" integrity="${integrity('')}"></script>`,
  ]) {
    const page = frameDocument(built).replace('</body>', `${tag}</body>`)
    platform.texts.set('/frame/document', page)
    attest({ frame_sha256: sha256(page) })
    expect(await outcome()).toEqual([1, 'failed', 'frame_mismatch'])
  }
})

test('a manifest without a frame proves nothing about it, and an enclave that is not the expected one never does', async () => {
  attest({ frame_sha256: null })
  expect(await outcome()).toEqual([3, 'unproven', 'frame_not_pinned'])
  attest({})
  expect(await outcome('--ring', 'other')).toEqual([1, 'failed', 'ring_mismatch'])
  const { code, out } = await run(platform.url, '--json')
  expect([code, JSON.parse(out).findings[0].code]).toEqual([1, 'simulated_not_allowed'])
})

test('wrong usage, and what is not a platform, is exit code 2 in one sentence', async () => {
  expect(await run('--help')).toMatchObject({ code: 0, out: '' })
  for (const args of [[], ['a', 'b'], ['--jwks', 'x']])
    expect(await run(...args)).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('--publishable-key'),
    })
  for (const address of ['saved.json', '127.0.0.1:8080', `${platform.url}/v1`, 'http://127.0.0.1:1']) {
    const { code, out, err } = await run(address, ...pinned)
    expect([address, code, out]).toEqual([address, 2, ''])
    expect(err.trim().split('\n')).toHaveLength(1)
  }
})

test('a person recomputes the hash with the commands of the guide', async () => {
  const page = path.join(folder, 'page.html')
  writeFileSync(page, platform.texts.get('/frame') ?? '')
  const command = `sed 's|\\(id="frame-config">\\)[^<]*|\\1|' ${page} | sha256sum`
  const { stdout } = spawnSync('sh', ['-c', command], { encoding: 'utf8' })
  expect(stdout.slice(0, 64)).toBe(sha256(frameDocument(built)))
})
