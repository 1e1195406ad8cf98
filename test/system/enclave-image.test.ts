import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keyRing } from '@symbolon/crypto/node'
import { measureEif, readCpio, readEif } from '@symbolon/enclave/image'
import { decodeIntent, signingDigest } from '@symbolon/networks/testing/by-intent'
import { enclaveSocket, simulatedPolicy } from '@symbolon/server/testing/adapters'
import { expectedMeasurements, loadNoMarks, makeTeeWallet, messageIntent } from '@symbolon/testing/enclave'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { assembleImage, kernelOf, missingTools, preparePlace } from '../../scripts/image/build-image.ts'
import type { Kernel } from '../../scripts/image/build-kernel.ts'
import { elfNeeds } from '../../scripts/image/elf-needs.ts'
import { fileTable, packagesMax, packagesOf } from '../../scripts/image/file-table.ts'
import {
  type ImageFile,
  imageFiles,
  modulePath,
  ringMakerPath,
  testImageFiles,
} from '../../scripts/image/image-files.ts'
import { imageFolder, lockedPackage } from '../../scripts/image/image-lock.ts'
import { type MicroMachine, missingMachine, startMachine } from './machine/micro-machine.ts'

const scratch = mkdtempSync(path.join(tmpdir(), 'symbolon-enclave-image-'))
const buildMs = 20 * 60_000

type Built = { kernel: Kernel; files: ImageFile[]; image: Uint8Array; kernelFrom: string }
let first: Built
let testImage: Uint8Array

/** Builds the release image from nothing, in a folder of its own. */
async function build(name: string): Promise<Built> {
  const folder = path.join(scratch, name)
  mkdirSync(folder)
  const place = preparePlace(folder, process.env['SYMBOLON_IMAGE_SOURCES'])
  const files = await imageFiles(place)
  const kernel = kernelOf(place)
  rmSync(path.join(folder, 'linux'), { recursive: true })
  const { name: source, version } = lockedPackage(place.lock, 'linux-source-6.12')
  const image = assembleImage('symbolon-enclave', kernel, files)
  return { kernel, files, image, kernelFrom: `${source} ${version} (Debian)` }
}

beforeAll(async () => {
  const missing = missingTools() ?? missingMachine()
  if (missing !== undefined) throw new Error(missing)
  first = await build('first')
  testImage = assembleImage('symbolon-enclave-test', first.kernel, await testImageFiles(first.files))
}, buildMs)
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

const contentOf = (image: Uint8Array) => readEif(image).ramdisks.flatMap((ramdisk) => readCpio(ramdisk))
const filesOf = (image: Uint8Array) =>
  contentOf(image).flatMap((entry) => (entry.kind === 'file' ? [entry] : []))

describe('the release image', () => {
  test(
    'is the same to the last byte when it is built again, elsewhere, later and by a user with another mask',
    async () => {
      const mask = process.umask(0o077)
      try {
        const second = await build('second-folder-with-a-longer-name')
        for (const [index, file] of second.files.entries())
          expect(Buffer.compare(file.data, first.files[index]?.data ?? new Uint8Array()), file.path).toBe(0)
        expect(Buffer.compare(second.kernel.image, first.kernel.image), 'the kernel').toBe(0)
        expect(Buffer.compare(second.image, first.image)).toBe(0)
        expect(measureEif(readEif(second.image))).toEqual(measureEif(readEif(first.image)))
      } finally {
        process.umask(mask)
      }
    },
    buildMs,
  )

  test('holds what its committed table lists, from at most 20 packages of others', () => {
    const table = readFileSync(path.join(imageFolder, 'files.md'), 'utf8')
    expect(
      fileTable(first.files, first.kernel, first.kernelFrom),
      'run npm run enclave:image -- --table',
    ).toBe(table)
    expect(packagesOf(first.files, first.kernelFrom).length).toBeLessThanOrEqual(packagesMax)
    expect(filesOf(first.image).map((file) => file.path)).toEqual(
      (['bootstrap', 'application'] as const).flatMap((one) =>
        first.files
          .filter(({ ramdisk }) => ramdisk === one)
          .map((file) => file.path)
          .sort(),
      ),
    )
  })

  test('has no simulated module, no shell, no debugger and no elliptic in it', () => {
    const signs: Readonly<Record<string, RegExp>> = {
      'the simulated module': /SIMULATED|make-ring|simulated-(nsm|pki)|simulated\.nitro/,
      elliptic: /\belliptic(\/lib|\.js|@)|require\(['"]elliptic/,
      'an npm binding': /sodium-native|secp256k1\/bindings|node-gyp-build|require-addon/,
      'a shell': /#!\/bin\/|BusyBox|\bdash\b|GNU bash/,
      'a debugger': /gdbserver|GNU gdb|\bstrace\b|--inspect/,
    }
    const own = first.files.filter(
      ({ from }) => !from.some((one) => /^(node-linux|lib(c6|gcc|stdc))/.test(one)),
    )
    expect(own.map((file) => file.path)).toContain('symbolon/enclave.mjs')
    for (const file of own)
      for (const [what, sign] of Object.entries(signs))
        expect(sign.test(Buffer.from(file.data).toString('latin1')), `${what} in ${file.path}`).toBe(false)
    // The same signs are found where they are.
    const [module] = filesOf(testImage).filter((file) => file.path === modulePath)
    expect(Buffer.from(module?.data ?? []).toString('latin1')).toMatch(signs['the simulated module'] ?? /^$/)
    const names = filesOf(first.image).map((file) => path.basename(file.path))
    expect(names.filter((name) => /^(ba|da|z|k|c)?sh$|busybox|gdb|strace|perf/.test(name))).toEqual([])
  })

  test('can execute only what it lists, and everything that those programs are linked to is in it', () => {
    const files = filesOf(first.image)
    const names = new Set(files.map((file) => path.basename(file.path)))
    const executable = files.filter((file) => (file.mode & 0o111) !== 0)
    for (const file of executable) {
      const { libraries, loader } = elfNeeds(file.data)
      for (const one of libraries) expect(names, `${file.path} needs ${one}`).toContain(one)
      if (loader !== undefined) expect(files.map((one) => `/${one.path}`)).toContain(loader)
    }
    expect(executable.map((file) => file.path).filter((one) => !/\.so\.\d+$/.test(one))).toEqual([
      'init',
      'symbolon/channel-bridge',
      'symbolon/nsm-bridge',
      'symbolon/node',
    ])
  })

  test('differs from the test image in three listed files, and so in PCR 0 and PCR 1', () => {
    const [release, tested] = [filesOf(first.image), filesOf(testImage)].map(
      (files) => new Map(files.map((file) => [file.path, file])),
    )
    const paths = [...new Set([...(release?.keys() ?? []), ...(tested?.keys() ?? [])])]
    const changed = paths.filter((one) => {
      const [a, b] = [release?.get(one), tested?.get(one)]
      return !a || !b || a.mode !== b.mode || Buffer.compare(a.data, b.data) !== 0
    })
    expect(changed.sort()).toEqual(['symbolon/command', ringMakerPath, modulePath].sort())
    expect(release?.has(ringMakerPath)).toBe(false)
    const [a, b] = [measureEif(readEif(first.image)), measureEif(readEif(testImage))]
    expect([a.pcr0 === b.pcr0, a.pcr1 === b.pcr1, a.pcr2 === b.pcr2]).toEqual([false, false, true])
  })
})

const absent = 'symbolon: the Nitro Secure Module is absent: this image runs in a Nitro Enclave only'
const bootMs = 120_000

describe('in a machine of its own', () => {
  const running: MicroMachine[] = []
  let machines = 0
  function boot(image: Uint8Array, more: { moreCommandLine?: string; moreArguments?: string[] } = {}) {
    machines += 1
    const folder = path.join(scratch, `machine-${machines}`)
    mkdirSync(folder)
    const machine = startMachine({ image, folder, ...more })
    running.push(machine)
    return machine
  }
  afterAll(() => Promise.all(running.map((machine) => machine.stop())))

  test.each([
    ['as it is', {}],
    [
      'with words of the host for the program',
      { moreCommandLine: 'ENCLAVE_NSM_SOCKET=/run/x simulated=1 -- --simulated /symbolon/node' },
    ],
    [
      'with a file of the host in its firmware',
      { moreArguments: ['-fw_cfg', 'name=opt/symbolon/simulated,string=1'] },
    ],
  ])(
    'the release image %s says that there is no secure module, and ends',
    async (_how, more) => {
      const said = await boot(first.image, more).ended
      expect(said.split(/\r?\n/).filter((line) => line.startsWith('symbolon:'))).toEqual([absent])
      expect(said).not.toMatch(/SIMULATED|serving|panic/i)
    },
    bootMs,
  )

  test(
    'the test image attests itself to the host and signs, for both curves',
    async () => {
      const machine = boot(testImage)
      await machine.says('ring opened')
      const root = /SIMULATED root ([A-Za-z0-9+/=]+)/.exec(machine.console())?.[1] ?? ''
      const policy = simulatedPolicy(Buffer.from(root, 'base64'), [expectedMeasurements])
      const key = /SIMULATED api-key ([A-Za-z0-9+/=]+)/.exec(machine.console())?.[1] ?? ''
      const apiKey = JSON.parse(Buffer.from(key, 'base64').toString())
      const enclave = enclaveSocket({
        path: machine.socketPath,
        policy,
        apiKey,
        loadMarks: loadNoMarks,
      })
      try {
        const ring = keyRing({ purpose: 'tee-b', keyId: 'test', keys: [randomBytes(32)] })
        for (const curve of ['secp256k1', 'ed25519'] as const) {
          const wallet = await makeTeeWallet(enclave, ring, curve)
          const intent = messageIntent(curve, 'signed in an image')
          const {
            signatures: [{ signature }],
          } = await enclave.sign({ ...wallet, intent })
          const digest = signingDigest(decodeIntent(intent), curve, wallet.publicKey)
          expect(
            curve === 'ed25519'
              ? ed25519.verify(signature, digest, wallet.publicKey)
              : secp256k1.verify(signature, digest, wallet.publicKey, { prehash: false, lowS: true }),
          ).toBe(true)
        }
        expect(await enclave.status()).toMatchObject({ phase: 'serving' })
      } finally {
        await enclave.close()
        await machine.stop()
      }
    },
    bootMs,
  )
})
