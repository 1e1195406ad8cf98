import { spawnSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { isReleaseSignedBy, readRelease } from '../packages/crypto/src/attestation/index.ts'
import { measureEif, readEif, writeEif } from '../packages/enclave/src/image/index.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'symbolon-sign-release-'))
const at = (name: string) => path.join(folder, name)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const text = (value: string) => new TextEncoder().encode(value)
const image = writeEif({
  kernel: text('kernel'),
  commandLine: 'console=ttyS0',
  ramdisks: [text('first'), text('second')],
  metadata: {
    ImageName: 'symbolon-enclave',
    ImageVersion: '9.8.7',
    BuildMetadata: {
      BuildTime: '1970-01-01T00:00:00Z',
      BuildTool: 'symbolon',
      BuildToolVersion: '9.8.7',
      OperatingSystem: 'Linux',
      KernelVersion: '6.12.1',
    },
    DockerInfo: {},
    CustomMetadata: {},
  },
})
writeFileSync(at('image.eif'), image)

const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' })
writeFileSync(at('key.pem'), pem)

function release(...args: string[]) {
  const root = path.resolve(import.meta.dirname, '..')
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['scripts/node.mjs', 'scripts/release.ts', '--out', at('release.json'), ...args],
    { cwd: root, encoding: 'utf8' },
  )
  return { status, stdout, stderr }
}

test('the measurements of an image are signed with the key of the file', async () => {
  const { status, stdout, stderr } = release('--sign-key', at('key.pem'), '--image', at('image.eif'))
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(stdout).toContain('9.8.7')
  const written = readRelease(JSON.parse(readFileSync(at('release.json'), 'utf8')))
  const { pcr0, pcr1, pcr2 } = measureEif(readEif(image))
  expect(written).toMatchObject({ version: '9.8.7', pcr0, pcr1, pcr2, pcr8: null })
  const owner = Buffer.from(String(publicKey.export({ format: 'jwk' }).x), 'base64url')
  expect(await isReleaseSignedBy(owner, written)).toBe(true)
})

test('a key or an image that is none is one sentence and exit code 1, and nothing is written', () => {
  rmSync(at('release.json'), { force: true })
  writeFileSync(at('text'), 'text')
  const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  writeFileSync(at('other.pem'), other.export({ type: 'pkcs8', format: 'pem' }))
  for (const [key, eif, says] of [
    ['absent', 'image.eif', /absent cannot be read/],
    ['text', 'image.eif', /is not a private Ed25519 key/],
    ['other.pem', 'image.eif', /is not a private Ed25519 key/],
    ['key.pem', 'absent', /npm run enclave:image/],
    ['key.pem', 'text', /text: /],
  ] as const) {
    const { status, stdout, stderr } = release('--sign-key', at(key), '--image', at(eif))
    expect({ key, eif, status, stdout }).toEqual({ key, eif, status: 1, stdout: '' })
    expect(stderr).toMatch(says)
    expect(stderr.trim().split('\n')).toHaveLength(1)
  }
  expect(release('--nothing').status).toBe(2)
  expect(existsSync(at('release.json'))).toBe(false)
})
