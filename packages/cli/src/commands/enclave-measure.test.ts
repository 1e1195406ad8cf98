import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { measureEif, readEif, writeEif } from '@symbolon/crypto/image'
import { afterAll, expect, test } from 'vitest'
import { runCli } from '../run-cli.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'symbolon-measure-'))
afterAll(() => rmSync(folder, { recursive: true }))

const text = (value: string): Uint8Array => new TextEncoder().encode(value)
const image = writeEif({
  kernel: text('kernel'),
  commandLine: 'console=ttyS0',
  metadata: {
    ImageName: 'symbolon-enclave',
    ImageVersion: '0.1.0',
    BuildMetadata: {
      BuildTime: '1970-01-01T00:00:00Z',
      BuildTool: 'symbolon',
      BuildToolVersion: '0.1.0',
      OperatingSystem: 'Linux',
      KernelVersion: '6.12.1',
    },
    DockerInfo: {},
    CustomMetadata: {},
  },
  ramdisks: [text('first'), text('second')],
})
writeFileSync(path.join(folder, 'small.eif'), image)
writeFileSync(path.join(folder, 'cut.eif'), image.subarray(0, 600))

/** What `symbolon enclave measure` ends with and writes, in the folder of the images and with no environment. */
async function measure(...args: string[]): Promise<[code: number, stdout: string, stderr: string]> {
  let [stdout, stderr] = ['', '']
  const code = await runCli(['enclave', 'measure', ...args], {
    environment: {},
    folder,
    repository: folder,
    print: (said) => {
      stdout += said
    },
    say: (said) => {
      stderr += said
    },
  })
  return [code, stdout, stderr]
}

test('an image is measured without an installation, as JSON and for people', async () => {
  const expected = measureEif(readEif(image))
  expect(expected.pcr0).toMatch(/^[0-9a-f]{96}$/)
  const [code, stdout, stderr] = await measure('small.eif', '--json')
  expect([code, JSON.parse(stdout), stderr]).toEqual([0, expected, ''])
  expect(Object.keys(JSON.parse(stdout))).toEqual(['version', 'pcr0', 'pcr1', 'pcr2', 'pcr8'])
  expect(await measure(path.join(folder, 'small.eif'))).toEqual([
    0,
    `version  0.1.0\npcr0     ${expected.pcr0}\npcr1     ${expected.pcr1}\npcr2     ${expected.pcr2}\npcr8     ${expected.pcr8}\n`,
    '',
  ])
})

test('a file that is missing, or is no image, is named in one sentence', async () => {
  const built = path.join(folder, 'dist/image/symbolon-enclave.eif')
  expect(await measure('--json')).toEqual([
    1,
    '',
    `symbolon: ${built} cannot be read. npm run enclave:image makes an image.\n`,
  ])
  const [code, stdout, stderr] = await measure('cut.eif', '--json')
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(/^symbolon: \S+cut\.eif: [^\n]+\.\n$/)
  expect((await measure('small.eif', 'cut.eif'))[0]).toBe(2)
})
