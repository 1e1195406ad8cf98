import { canonicalJson } from '@symbolon/crypto/attestation'
import { type VerifyExportOptions, verifyExport } from '@symbolon/sdk/verify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type AuditFixture,
  type Checkpoint,
  chunked,
  forgedCheckpoint,
  host,
  partsOf,
  startAuditFixture,
  strangerKey,
} from './audit-fixture.ts'

let fixture: AuditFixture
let organizationId: string
let other: string
let text: string
let lines: string[]
let checkpoint: Checkpoint
let earlier: Checkpoint

beforeAll(async () => {
  fixture = await startAuditFixture()
  organizationId = await fixture.log(100)
  other = await fixture.log(3)
  earlier = await fixture.checkpoint(organizationId)
  await fixture.write(organizationId, 200)
  text = await fixture.download(organizationId)
  ;({ lines, checkpoint } = partsOf(text))
})
afterAll(() => fixture.stop())

const verify = (source: readonly string[] | string, options: Partial<VerifyExportOptions> = {}) =>
  verifyExport({
    keys: fixture.keys,
    ...(options as object),
    ...(typeof source === 'string' ? { stream: chunked(source) } : { lines: source }),
  })

/** What was found, without words. */
const found = async (...args: Parameters<typeof verify>) => {
  const { verdict, findings } = await verify(...args)
  return [
    verdict,
    ...findings.map(({ code, line, lastLine }) => [code, line, lastLine].filter((x) => x !== undefined)),
  ]
}

describe('an untouched export', () => {
  test('is verified at every size of the log, the empty one too', async () => {
    for (const size of [1, 2, 3, 4, 5, 7, 8, 9, 31, 32, 33, 64, 127, 255, 256, 257, 299, 300]) {
      const report = await verify(await fixture.download(organizationId, size))
      expect(report).toMatchObject({
        verdict: 'verified',
        findings: [],
        findingsTotal: 0,
        size,
        organizationId,
      })
    }
    const empty = await fixture.download(await fixture.log(0))
    expect(await verify(empty)).toMatchObject({ verdict: 'verified', size: 0 })
  })

  test('names the organization, the period and the signing key', async () => {
    expect(await verify(text, { host, organizationId })).toEqual({
      verdict: 'verified',
      findings: [],
      findingsTotal: 0,
      organizationId,
      size: 300,
      rootHash: checkpoint.root_hash,
      firstAt: JSON.parse(lines[0] ?? '').timestamp,
      lastAt: JSON.parse(lines[299] ?? '').timestamp,
      checkpoint: { host, size: 300, at: checkpoint.timestamp, kid: fixture.key.jwk.kid },
    })
  })

  test('is the same in chunks of any size, as a web stream, as lines, with its last line feed or without', async () => {
    const { rootHash } = await verify(text)
    for (const bytes of [1, 2, 3, 61, 4_096, 1_000_000]) {
      const report = await verifyExport({ stream: chunked(text, bytes), keys: fixture.keys })
      expect(report).toMatchObject({ verdict: 'verified', rootHash })
    }
    const stream = new Blob([text]).stream()
    expect(await verifyExport({ stream, keys: fixture.keys })).toMatchObject({
      verdict: 'verified',
      rootHash,
    })
    expect(await found(text.slice(0, -1))).toEqual(['verified'])
    expect(await found(lines, { checkpoint })).toEqual(['verified'])
    expect(await found(lines, { checkpoint: checkpoint.note })).toEqual(['verified'])
    expect(await found(lines, { checkpoint: JSON.stringify({ data: checkpoint, error: null }) })).toEqual([
      'verified',
    ])
  })

  test('begins with what every earlier head vouched for', async () => {
    expect(await found(text, { consistentWith: [earlier, checkpoint] })).toEqual(['verified'])
    const begun = await fixture.download(organizationId, 100)
    expect(await found(begun, { consistentWith: [earlier] })).toEqual(['verified'])
  })

  test('is verified by one of several keys, and while a key is replaced', async () => {
    const broken = { kty: 'OKP', crv: 'Ed25519', x: 'short', kid: 'broken' }
    const keys = { keys: [strangerKey().jwk, broken, { kty: 'RSA' }, fixture.key.jwk] }
    expect(await found(text, { keys })).toEqual(['verified'])
  })

  test('counts aloud, every ten thousand', async () => {
    const progress: number[] = []
    await verifyExport({
      lines: Array.from({ length: 20_001 }, () => '{}'),
      onProgress: (size) => progress.push(size),
    })
    expect(progress).toEqual([10_000, 20_000])
  })
})

describe('an unproven log is never called verified', () => {
  test('no checkpoint, no keys', async () => {
    expect(await found(lines)).toEqual(['unproven', ['no_checkpoint']])
    expect(await found([])).toEqual(['unproven', ['no_checkpoint']])
    expect(await found(text, { keys: undefined })).toEqual(['unproven', ['no_keys']])
    expect(await found(text, { keys: { keys: [] } })).toEqual(['failed', ['unknown_key', 301]])
  })
})

describe('a finding names its line where that is known', () => {
  const edit = (at: number, change: (line: string) => string) =>
    lines.with(at - 1, change(lines[at - 1] ?? ''))
  const whole = ['root_mismatch', 1, 300]

  test('an edited line that is no longer what the platform writes', async () => {
    const changes: [string, (line: string) => string][] = [
      ['not_canonical', (line) => line.replace('{', '{ ')],
      ['not_canonical', (line) => `${line}\r`],
      ['not_canonical', (line) => line.replace('{', '{"actor_id":"x",')],
      [
        'not_canonical',
        (line) => line.replace(/"payload":\{.*?\},"success/s, '"payload":{"x":"\\ud800"},"success'),
      ],
      [
        'not_canonical',
        (line) => line.replace(/"payload":\{.*?\},"success/s, '"payload":{"n":1.0},"success'),
      ],
      [
        'not_canonical',
        (line) =>
          line.replace(
            /"payload":\{.*?\},"success/s,
            `"payload":${'['.repeat(20_000)}${']'.repeat(20_000)},"success`,
          ),
      ],
      ['not_json', (line) => line.slice(0, -1)],
      ['not_json', (line) => `\ufeff${line}`],
      ['not_json', () => ''],
      ['not_an_event', (line) => line.replace(/"id":"[^"]+",/, '')],
      ['not_an_event', (line) => line.replace(/"success":(true|false)/, '"success":"$1"')],
      ['not_an_event', (line) => line.replace(/T\d\d:/, 'T25:')],
      ['not_an_event', () => '[]'],
      ['line_too_long', (line) => line.replace('"error_code":"', `"error_code":"${'x'.repeat(1_048_576)}`)],
      ['other_organization', (line) => line.replace(organizationId, other)],
    ]
    for (const [code, change] of changes)
      expect([code, await found(edit(77, change), { checkpoint })]).toEqual([
        code,
        ['failed', [code, 77], whole],
      ])
    const bytes = Buffer.from(text)
    bytes[bytes.indexOf('"actor_id":"key') + 13] = 0xff
    const { findings } = await verifyExport({ stream: chunkedBytes(bytes), keys: fixture.keys })
    expect(findings[0]).toMatchObject({ code: 'not_utf8', line: 1 })
  })

  test('a repeated line, one out of time, one behind the checkpoint', async () => {
    expect(await found(lines.toSpliced(50, 0, lines[49] ?? ''), { checkpoint })).toEqual([
      'failed',
      ['duplicate_event', 51],
      ['lines_beyond', 301, 301],
      whole,
    ])
    const late = edit(300, (line) =>
      line.replace(/"timestamp":"[^"]+"/, '"timestamp":"2000-01-01T00:00:00.000Z"'),
    )
    expect(await found(late, { checkpoint })).toEqual(['failed', ['time_went_back', 300], whole])
    expect(await found(`${text}${lines[0]}\n`)).toContainEqual(['line_after_checkpoint', 302])
    expect(await found(`${text}${text}`)).toContainEqual(['line_after_checkpoint', 302])
  })

  test('missing lines, and lines that nobody vouches for', async () => {
    expect(await found(lines.slice(0, 290), { checkpoint })).toEqual(['failed', ['lines_missing', 291, 300]])
    expect(await found(lines, { checkpoint: earlier })).toEqual(['failed', ['lines_beyond', 101, 300]])
  })

  test('an edit after what an earlier head vouched for, and one before', async () => {
    const actor = (line: string) => line.replace('"actor_id":"key', '"actor_id":"kex')
    expect(await found(edit(222, actor), { checkpoint, consistentWith: [earlier] })).toEqual([
      'failed',
      ['root_mismatch', 101, 300],
    ])
    expect(await found(edit(22, actor), { checkpoint, consistentWith: [earlier] })).toEqual([
      'failed',
      ['root_mismatch', 1, 100],
      whole,
    ])
  })

  test('a file that is wrong in every line has a bounded report, which never leaves out findings about the whole', async () => {
    const report = await verify(lines.map((line) => `${line} `).concat(lines), { checkpoint })
    expect(report.findingsTotal).toBeGreaterThan(300)
    expect(report.findings.length).toBeLessThan(110)
    expect(report.findings.slice(-2)).toMatchObject([{ code: 'lines_beyond' }, { code: 'root_mismatch' }])
  })
})

async function* chunkedBytes(bytes: Uint8Array) {
  yield bytes
}

describe('a head is believed only as it was signed', () => {
  test('not as another text, another key, another log', async () => {
    const cases: [string, unknown][] = [
      ['checkpoint_malformed', checkpoint.note.slice(0, -1)],
      ['checkpoint_malformed', checkpoint.note.replace('\n300\n', '\n0300\n')],
      ['checkpoint_malformed', checkpoint.note.replace('\n300\n', '\n300\r\n')],
      ['checkpoint_malformed', checkpoint.note.replace(/=\n/, '\n')],
      ['checkpoint_malformed', checkpoint.note.replace('timestamp ', 'time ')],
      ['checkpoint_malformed', `${checkpoint.note}garbage\n`],
      ['checkpoint_malformed', { note: 7 }],
      ['checkpoint_malformed', '{"note":'],
      ['checkpoint_malformed', ''],
      ['checkpoint_contradiction', { ...checkpoint, tree_size: 299 }],
      ['checkpoint_contradiction', { ...checkpoint, signature: earlier.signature }],
      ['signature_invalid', checkpoint.note.replace('\n300\n', '\n299\n')],
      ['signature_invalid', checkpoint.note.replace(organizationId, other)],
      ['unknown_key', checkpoint.note.replaceAll(host, 'wallet.evil.test')],
      ['unknown_key', checkpoint.note.replace(`— ${host}`, '— wallet.evil.test')],
    ]
    for (const [code, input] of cases)
      expect([code, await found(lines, { checkpoint: input as string })]).toEqual([code, ['failed', [code]]])
  })

  test('a second signature by a witness does not disturb, a false one under the known key does', async () => {
    const witness = `— witness.example ${Buffer.alloc(68, 1).toString('base64')}\n— old.example ${Buffer.alloc(100).toString('base64')}\n`
    expect(await found(lines, { checkpoint: checkpoint.note + witness })).toEqual(['verified'])
    const [line = ''] = checkpoint.note.split('\n').slice(-2)
    const bytes = Buffer.from(line.split(' ')[2] ?? '', 'base64')
    bytes[40] = (bytes[40] ?? 0) ^ 1
    const forged = `— ${host} ${bytes.toString('base64')}\n`
    expect(await found(lines, { checkpoint: checkpoint.note + forged })).toEqual([
      'failed',
      ['signature_invalid'],
    ])
  })

  test('of another platform or organization than asked for', async () => {
    expect(await found(text, { host: 'other.example' })).toEqual(['failed', ['other_platform']])
    const report = await verify(text, { organizationId: other })
    expect(report.verdict).toBe('failed')
    expect(report.findings[0]).toMatchObject({ code: 'other_organization', line: 1 })
    const foreign = await fixture.checkpoint(other)
    expect(await found(lines.slice(0, 3), { checkpoint: foreign })).toContainEqual(['other_organization', 1])
    expect(await found(text, { consistentWith: [foreign] })).toContainEqual(['other_organization', 1])
  })

  test('a platform that signs two logs of one size, or rewrites its past, is caught by what somebody remembers', async () => {
    const rewritten = lines.with(20, (lines[20] ?? '').replace('"actor_id":"key', '"actor_id":"kex'))
    const head = { organizationId, at: checkpoint.timestamp, signer: fixture.key }
    const lie = await forgedCheckpoint(rewritten, head)
    const file = `${rewritten.join('\n')}\n${canonicalJson({ checkpoint: lie })}\n`
    // To whoever remembers nothing, the other log is as good as the true one.
    expect(await found(file)).toEqual(['verified'])
    expect(await found(file, { consistentWith: [checkpoint] })).toEqual([
      'failed',
      ['root_mismatch', 1, 300],
      ['split_view'],
    ])
    expect(await found(file, { consistentWith: [earlier] })).toEqual([
      'failed',
      ['history_rewritten', 1, 100],
    ])
    expect(await found(file, { checkpoint })).toEqual(['failed', ['root_mismatch', 1, 300], ['split_view']])
  })

  test('a clock that was set back is reported, and does not invalidate a log that was signed so', async () => {
    const odd = lines.with(
      299,
      (lines[299] ?? '').replace(/"timestamp":"[^"]+"/, '"timestamp":"2001-01-01T00:00:00.000Z"'),
    )
    const signer = fixture.key
    const signed = await forgedCheckpoint(odd, { organizationId, at: checkpoint.timestamp, signer })
    expect(await found(odd, { checkpoint: signed })).toEqual(['verified', ['time_went_back', 300]])
    const early = await forgedCheckpoint(lines, { organizationId, at: '2001-01-01T00:00:00.000Z', signer })
    expect(await found(lines, { checkpoint: early })).toEqual(['verified', ['event_after_checkpoint', 300]])
  })
})

test('a download that breaks off is an error, never a shorter log', async () => {
  async function* broken() {
    yield Buffer.from(text.slice(0, 2_000))
    throw new Error('the connection was lost')
  }
  await expect(verifyExport({ stream: broken(), keys: fixture.keys })).rejects.toThrow(
    'the connection was lost',
  )
})
