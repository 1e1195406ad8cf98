import { spawn } from 'node:child_process'
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { releaseText } from '@symbolon/crypto/attestation'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type PlatformFixture, startPlatform } from './platform-fixture.ts'

const program = fileURLToPath(new URL('../../packages/verify/dist/verify.js', import.meta.url))
let folder = ''
let platform: PlatformFixture
let root: string
let pinned: string[]

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'symbolon-attestation-'))
  platform = await startPlatform()
  root = saved('root', Buffer.from(platform.boot.root).toString('base64'))
  pinned = ['--allow-simulated', '--root', root, '--ring', platform.boot.ringId]
})
beforeEach(() => {
  platform.input = {}
  platform.instead = undefined
  platform.asked.length = 0
})
afterAll(async () => {
  await platform.stop()
  rmSync(folder, { recursive: true, force: true })
})

function saved(name: string, content: string | Uint8Array | object): string {
  const file = path.join(folder, name)
  const isPlain = typeof content === 'string' || content instanceof Uint8Array
  writeFileSync(file, isPlain ? content : JSON.stringify(content))
  return file
}

type Run = { code: number | null; out: string; err: string }

function run(...args: string[]): Promise<Run> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...args], { cwd: folder, env: {} })
    const result: Run = { code: null, out: '', err: '' }
    child.stdout.on('data', (chunk) => {
      result.out += chunk
    })
    child.stderr.on('data', (chunk) => {
      result.err += chunk
    })
    child.on('error', reject).on('close', (code) => resolve({ ...result, code }))
    child.stdin.end()
  })
}

/** The verdict and codes of a run with --json, and its exit code. */
async function outcome(...args: string[]) {
  const { code, out, err } = await run(...args, '--json')
  expect(err).toBe('')
  const { verdict, findings } = JSON.parse(out)
  return { code, verdict, codes: findings.map((finding: { code: string }) => finding.code) }
}

const attestation = (...args: string[]) => outcome('attestation', platform.url, ...pinned, ...args)
const verified = { code: 0, verdict: 'verified', codes: [] }
const failed = (...codes: string[]) => ({ code: 1, verdict: 'failed', codes })
const unproven = (...codes: string[]) => ({ code: 3, verdict: 'unproven', codes })
const pcr = (index: number, hex = platform.boot.measurements[index]) => ['--pcr', `${index}=${hex}`]

test('a platform is asked once, with a fresh nonce, and verified: exit code 0, and the facts to compare', async () => {
  const { code, out, err } = await run('attestation', `${platform.url}/`, ...pinned)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toMatch(/^VERIFIED/)
  expect(out).toContain(platform.boot.ringId)
  expect(out).toContain(platform.boot.measurements[0])
  expect(platform.asked).toEqual(['/v1/attestation'])
  expect(await attestation(...pcr(0), ...pcr(1), ...pcr(2))).toEqual(verified)
})

test('the report for programs has verdict, mode and findings, and nothing else', async () => {
  const { out } = await run('attestation', platform.url, '--allow-simulated', '--root', root, '--json')
  const message = expect.stringContaining(platform.boot.ringId)
  expect(JSON.parse(out)).toEqual({
    verdict: 'verified',
    mode: 'simulated',
    findings: [{ code: 'ring_not_pinned', message }],
  })
})

test('a simulation fails unless it is allowed, and proves nothing without its root', async () => {
  expect(await outcome('attestation', platform.url, '--ring', platform.boot.ringId)).toEqual(
    failed('simulated_not_allowed'),
  )
  expect((await run('attestation', platform.url)).out).toContain(
    'In development, add --allow-simulated --root .symbolon/dev.json. [simulated_not_allowed]',
  )
  expect(
    await outcome('attestation', platform.url, '--ring', platform.boot.ringId, '--allow-simulated'),
  ).toEqual(unproven('root_not_pinned'))
})

test('the root may be base64, PEM, DER, or the file dev.json that names it', async () => {
  const base64 = Buffer.from(platform.boot.root).toString('base64')
  const pem = `-----BEGIN CERTIFICATE-----\n${base64.match(/.{1,64}/g)?.join('\n')}\n-----END CERTIFICATE-----\n`
  for (const content of [`${base64}\n`, pem, platform.boot.root, { attestation_root: base64 }])
    expect(await attestation('--root', saved('other-root', content))).toEqual(verified)
})

test('another ring, image or root, an old document and a debug enclave fail with their codes', async () => {
  expect(await attestation('--ring', 'other')).toEqual(failed('ring_mismatch'))
  expect(await attestation(...pcr(1, 'ab'.repeat(48)))).toEqual(failed('pcr_mismatch'))
  const stranger = await startPlatform()
  const strange = saved('strange', Buffer.from(stranger.boot.root).toString('base64'))
  await stranger.stop()
  expect(await attestation('--root', strange)).toEqual(failed('root_untrusted'))
  platform.input = { nowMs: Date.now() - 61_000 }
  expect(await attestation()).toEqual(failed('document_expired'))
  platform.input = { nonce: new Uint8Array(32) }
  expect(await attestation()).toEqual(failed('nonce_mismatch'))
  platform.input = { measurements: new Map() }
  expect((await attestation()).codes).toContain('debug_enclave')
})

test('a release names the image; a register may be named beside it, and not against it', async () => {
  const [pcr0, pcr1, pcr2] = [0, 1, 2].map((index) => platform.boot.measurements[index])
  const release = { version: '0.1.0', pcr0, pcr1, pcr2, pcr8: null }
  const file = saved('release.json', release)
  expect(await attestation('--release', file, ...pcr(0))).toEqual(verified)
  expect((await run('attestation', platform.url, ...pinned, '--release', file)).out).toContain(
    'release not signed',
  )
  const other = saved('other.json', { ...release, pcr2: 'ab'.repeat(48) })
  expect(await attestation('--release', other)).toEqual(failed('pcr_mismatch'))
  expect(await run('attestation', platform.url, '--release', file, ...pcr(0, 'ab'.repeat(48)))).toMatchObject(
    {
      code: 2,
      out: '',
      err: expect.stringContaining('contradicts'),
    },
  )
})

test('with a key, a release counts only where its owner signed it', async () => {
  const [pcr0 = '', pcr1 = '', pcr2 = ''] = [0, 1, 2].map((index) => platform.boot.measurements[index])
  const image = { version: '0.1.0', pcr0, pcr1, pcr2, pcr8: null }
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const signature = sign(null, releaseText(image), privateKey).toString('base64url')
  const key = saved('owner.pem', publicKey.export({ type: 'spki', format: 'pem' }))
  const release = saved('signed.json', { ...image, signature })
  const withRelease = (...args: string[]) => run('attestation', platform.url, ...pinned, '--release', ...args)
  expect(await attestation('--release', release, '--release-key', key)).toEqual(verified)
  expect((await withRelease(release, '--release-key', key)).out).toContain(`signed by the key of ${key}`)
  expect((await withRelease(release)).out).toContain('signature not checked')
  const stranger = generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' })
  const changed = saved('changed.json', { ...image, version: '0.2.0', signature })
  const secret = saved('secret.pem', privateKey.export({ type: 'pkcs8', format: 'pem' }))
  for (const [file, owner, says] of [
    [saved('unsigned.json', image), key, /Nobody signed/],
    [changed, key, /Another key signed/],
    [release, saved('stranger.pem', stranger), /Another key signed/],
    [release, secret, /not a public Ed25519 key/],
    [release, release, /not a public Ed25519 key/],
  ] as const) {
    const { code, out, err } = await withRelease(file, '--release-key', owner)
    expect({ file, code, out }).toEqual({ file, code: 2, out: '' })
    expect(err).toMatch(says)
    expect(err).not.toContain('PRIVATE')
  }
  expect((await run('attestation', platform.url, '--release-key', key)).code).toBe(2)
})

test('a saved attestation is unproven, never verified, and fails once it is old', async () => {
  const nonce = Buffer.from('a nonce of another person')
  const file = saved('saved.json', {
    data: platform.boot.attestation(nonce, { nowMs: Date.now() }),
    error: null,
  })
  expect(await outcome('attestation', file, ...pinned)).toEqual(unproven('nonce_not_checked'))
  const old = saved('old.json', platform.boot.attestation(nonce, { nowMs: Date.now() - 3_600_000 + 60_000 }))
  expect(await outcome('attestation', old, ...pinned)).toEqual(
    failed('document_expired', 'nonce_not_checked'),
  )
  expect(platform.asked).toEqual([])
})

test('a platform that gives no attestation is exit code 2 and one sentence, with nothing on stdout', async () => {
  const error = { code: 'unavailable', message: 'x' }
  for (const [instead, says] of [
    [{ status: 503, body: JSON.stringify({ data: null, error }) }, /answered 503 \(unavailable\)/],
    [{ status: 200, body: '<html>' }, /other than JSON: is this the platform's address\?/],
    [{ status: 200, body: '{"data":{}}' }, /not an attestation/],
    [
      { status: 302, body: '' },
      /^http:\/\/127\.0\.0\.1:\d+ redirects instead of answering: check the address/,
    ],
    [
      { status: 200, body: `"${'x'.repeat(2 << 20)}"` },
      /^http:\/\/127\.0\.0\.1:\d+ answered with something other than JSON/,
    ],
  ] as const) {
    platform.instead = instead
    const { code, out, err } = await run('attestation', platform.url, ...pinned, '--json')
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toMatch(says)
    expect(err.trim().split('\n')).toHaveLength(1)
  }
})

test('wrong usage and unreadable files are exit code 2, and say what is wrong', async () => {
  for (const args of [
    ['attestation'],
    ['attestation', 'a', 'b'],
    ['attestation', platform.url, '--pcr', '0=12'],
    ['attestation', platform.url, ...pcr(0), ...pcr(0)],
    ['attestation', platform.url, '--jwks', 'x'],
    ['receipt', 'a'],
  ]) {
    const { code, out, err } = await run(...args)
    expect({ args, code, out }).toEqual({ args, code: 2, out: '' })
    expect(err).toContain('--allow-simulated')
  }
  for (const args of [
    ['attestation', 'absent'],
    ['attestation', `${platform.url}/v1`],
    ['attestation', platform.url.replace('//', '//u:p@')],
    ['attestation', folder],
    ['attestation', saved('text', 'text')],
    ['attestation', saved('list', '[]')],
    ['attestation', platform.url, '--root', saved('no-root', 'text')],
    ['attestation', platform.url, '--release', saved('no-release', '{}')],
    ['receipt', saved('no-receipt', 'text'), '--attestation', platform.url],
    ['receipt', saved('receipt', platform.boot.receipt()), '--attestation', saved('no-attestation', '{}')],
    ['receipt', saved('receipt', platform.boot.receipt()), '--attestation', 'absent'],
  ]) {
    const { code, out, err } = await run(...args)
    expect({ args, code, out }).toEqual({ args, code: 2, out: '' })
    expect(err.trim().split('\n'), err).toHaveLength(1)
  }
  expect(platform.asked).toEqual([])
  for (const command of [[], ['attestation'], ['receipt'], ['export']])
    expect(await run(...command, '--help')).toMatchObject({ code: 0, out: '' })
})

test('a receipt is verified with what the platform attested for its key, or with a file of that', async () => {
  const { boot, url } = platform
  const jws = boot.receipt()
  for (const content of [
    jws,
    `${jws}\n`,
    { receipt: jws, signature: '0x' },
    { data: { receipt: jws }, error: null },
  ])
    expect(await outcome('receipt', saved('receipt', content), '--attestation', url, ...pinned)).toEqual(
      verified,
    )
  expect(platform.asked).toEqual(Array(4).fill(`/v1/attestation/keys/${boot.kid}`))
  const file = saved('key.json', boot.keyAttestation({ nowMs: Date.now() - 600_000 }))
  expect(await outcome('receipt', saved('receipt', jws), '--attestation', file, ...pinned)).toEqual(verified)
  const { out } = await run('receipt', saved('receipt', jws), '--attestation', file, ...pinned)
  expect(out).toMatch(/^VERIFIED/)
  expect(out).toContain('1000000000000000 native to 0x000000000000000000000000000000000000dEaD')
})

test('a receipt with other effects, of another key or another ring fails with its code', async () => {
  const { boot, url } = platform
  const verify = (jws: string) => outcome('receipt', saved('bad', jws), '--attestation', url, ...pinned)
  expect(await verify(boot.receipt({ effects: [] }))).toEqual(failed('effects_mismatch'))
  expect(await verify(boot.receipt({ ring_id: 'other' }))).toEqual(failed('ring_mismatch'))
  expect(await verify(boot.receipt().slice(0, -4))).toEqual(failed('signature_invalid'))
  const other = await startPlatform()
  const key = saved('other-key.json', other.boot.keyAttestation())
  await other.stop()
  expect(
    (await outcome('receipt', saved('good', boot.receipt()), '--attestation', key, ...pinned)).codes,
  ).toContain('receipt_key_not_attested')
})

test('the proof of another receipt is no proof', async () => {
  const event = {
    event_type: 'wallet.signed',
    payload: { receipt_sha256: createHash('sha256').update('x').digest('hex') },
  }
  const empty = { leaf_index: 0, tree_size: 1, root_hash: '', hashes: [] }
  const proof = saved('proof.json', { event, proof: empty, checkpoint: 'x' })
  const jws = saved('receipt', platform.boot.receipt())
  const { code, codes } = await outcome(
    'receipt',
    jws,
    '--attestation',
    platform.url,
    ...pinned,
    '--proof',
    proof,
  )
  expect({ code, codes: [...new Set(codes)] }).toEqual({ code: 1, codes: ['proof_invalid'] })
  const broken = saved('broken.json', { event })
  expect(await run('receipt', jws, '--attestation', platform.url, '--proof', broken)).toMatchObject({
    code: 2,
    out: '',
  })
})
