import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { missingTools, preparePlace } from '../../scripts/image/build-image.ts'
import { compileInit, initPrograms, strictFlags } from '../../scripts/image/compile-init.ts'
import { compileNatives } from '../../scripts/image/compile-natives.ts'
import { elfNeeds } from '../../scripts/image/elf-needs.ts'
import type { BuildPlace } from '../../scripts/image/image-files.ts'
import { imageFolder } from '../../scripts/image/image-lock.ts'
import { runTool } from '../../scripts/image/run-tool.ts'

const require = createRequire(import.meta.url)
const scratch = mkdtempSync(path.join(tmpdir(), 'symbolon-enclave-programs-'))
let place: BuildPlace

beforeAll(() => {
  const missing = missingTools()
  if (missing !== undefined) throw new Error(missing)
  place = preparePlace(scratch, process.env['SYMBOLON_IMAGE_SOURCES'])
})
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

describe('the static programs of the image', () => {
  test('compile without a warning, need nothing of the file system, and are the same twice', () => {
    const [one, two] = ['one', 'two'].map((name) => path.join(scratch, name))
    for (const folder of [one ?? '', two ?? '']) compileInit(folder, place.unpacked('musl-dev'))
    for (const name of Object.keys(initPrograms)) {
      const program = readFileSync(path.join(one ?? '', name))
      expect(elfNeeds(program)).toEqual({ libraries: [], loader: undefined })
      expect(readFileSync(path.join(two ?? '', name)).equals(program)).toBe(true)
      expect(program.length).toBeLessThan(40_000)
    }
  })

  test('read nothing out of bounds and answer nothing else, whatever the bytes of a frame or of a command', () => {
    const cwd = path.join(imageFolder, 'init')
    const program = path.join(scratch, 'fuzz')
    const checks = ['-g', '-O1', '-fsanitize=address,undefined', '-fno-sanitize-recover=all']
    const sources = ['fuzz.c', 'nsm-exchange.c', 'command.c']
    runTool('gcc', [...strictFlags, ...checks, '-o', program, ...sources], { cwd })
    const seed = String(Date.now())
    expect(runTool(program, ['50000', seed], { cwd }), `seed ${seed}`).toBe('50000 rounds\n')
  })

  test('say what they are where they are not started as they should be', () => {
    const folder = path.join(scratch, 'words')
    compileInit(folder, place.unpacked('musl-dev'))
    const words = (name: string, ...args: string[]) => {
      const { status, stderr } = spawnSync(path.join(folder, name), args, { encoding: 'utf8' })
      return [status, stderr]
    }
    expect(words('init')).toEqual([2, 'symbolon: this is the first process of an enclave image\n'])
    expect(words('nsm-bridge')).toEqual([2, 'symbolon: usage: nsm-bridge <socket>\n'])
    expect(words('channel-bridge', 'x', '/dev/null', '/run/socket')).toEqual([
      2,
      'symbolon: usage: channel-bridge <vsock port> <virtio port> <socket>\n',
    ])
    expect(words('nsm-bridge', path.join(scratch, 'nsm'))).toEqual([
      1,
      'symbolon: the Nitro Secure Module is absent: this image runs in a Nitro Enclave only\n',
    ])
  })
})

type Call = (...args: unknown[]) => unknown
type Natives = { sodium: Record<string, Call>; secp256k1: Record<string, Call> }

describe('the natives of the image', () => {
  let natives: Natives
  let npm: Natives

  beforeAll(() => {
    const file = path.join(scratch, 'natives.node')
    const [secp256k1, sodium] = ['libsecp256k1-dev', 'libsodium-dev'].map((name) => place.unpacked(name))
    compileNatives(file, { secp256k1: secp256k1 ?? '', sodium: sodium ?? '', scratch })
    expect(elfNeeds(readFileSync(file)).libraries).toEqual(['libc.so.6'])
    natives = require(file)
    npm = { sodium: require('sodium-native'), secp256k1: require('secp256k1/bindings.js') }
  })

  const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes))
  /** What a function answers, with what it wrote into its arguments, or that it threw. */
  function outcome(call: Call | undefined, args: readonly unknown[]): unknown {
    const copies = args.map((one) => (one instanceof Uint8Array ? Uint8Array.from(one) : one))
    try {
      return [call?.(...copies), ...copies]
    } catch {
      return 'threw'
    }
  }

  test('make the same as the npm bindings of libsodium', () => {
    const name = 'crypto_aead_chacha20poly1305_ietf'
    for (let length = 0; length < 200; length += 7) {
      const [message, aad, nonce, key] = [random(length), random(length % 50), random(12), random(32)]
      const sealed = new Uint8Array(length + 16)
      npm.sodium[`${name}_encrypt`]?.(sealed, message, aad, null, nonce, key)
      const [tag, wrong] = [sealed.subarray(length), random(16)]
      const opening = [new Uint8Array(length), null, sealed.subarray(0, length)]
      const secret = new Uint8Array(64)
      const signature = new Uint8Array(64)
      npm.sodium['crypto_sign_seed_keypair']?.(new Uint8Array(32), secret, key)
      npm.sodium['crypto_sign_detached']?.(signature, message, secret)
      const cases: [string, unknown[]][] = [
        [`${name}_encrypt`, [new Uint8Array(length + 16), message, aad, null, nonce, key]],
        [`${name}_decrypt_detached`, [...opening, tag, aad, nonce, key]],
        [`${name}_decrypt_detached`, [...opening, wrong, aad, nonce, key]],
        ['crypto_generichash', [new Uint8Array(16 + (length % 49)), message, key]],
        ['crypto_sign_seed_keypair', [new Uint8Array(32), new Uint8Array(64), key]],
        ['crypto_sign_detached', [new Uint8Array(64), message, secret]],
        ['crypto_sign_verify_detached', [signature, message, secret.subarray(32)]],
        ['crypto_sign_verify_detached', [signature, random(length + 1), secret.subarray(32)]],
      ]
      for (const [call, args] of cases)
        expect(outcome(natives.sodium[call], args), call).toEqual(outcome(npm.sodium[call], args))
    }
  })

  test('make the same as the npm binding of libsecp256k1', () => {
    for (let round = 0; round < 100; round++) {
      const [digest, key] = [random(32), round === 0 ? new Uint8Array(32).fill(255) : random(32)]
      const point = new Uint8Array(33)
      const isKey = npm.secp256k1['privateKeyVerify']?.(key)
      expect(natives.secp256k1['privateKeyVerify']?.(key)).toBe(isKey)
      const cases: [string, unknown[]][] = [
        ['publicKeyCreate', [key, true, point]],
        ['ecdsaSign', [digest, key]],
      ]
      if (isKey === true) {
        npm.secp256k1['publicKeyCreate']?.(key, true, point)
        const signed = npm.secp256k1['ecdsaSign']?.(digest, key)
        const { signature } = signed as { signature: Uint8Array }
        cases.push(['ecdsaVerify', [signature, digest, point]], ['ecdsaVerify', [signature, key, point]])
        cases.push(
          ['ecdsaVerify', [random(64), digest, point]],
          ['ecdsaVerify', [signature, digest, random(33)]],
        )
      }
      for (const [call, args] of cases)
        expect(outcome(natives.secp256k1[call], args), call).toEqual(outcome(npm.secp256k1[call], args))
    }
  })

  test('keep secrets in locked memory, which is zero at first and can be wiped', () => {
    const memory = natives.sodium['sodium_malloc']?.(64) as Uint8Array
    expect([...memory]).toEqual(Array(64).fill(0))
    natives.sodium['randombytes_buf']?.(memory)
    expect(new Set(memory).size).toBeGreaterThan(10)
    natives.sodium['sodium_memzero']?.(memory.subarray(0, 32))
    expect([...memory.subarray(0, 32)]).toEqual(Array(32).fill(0))
    // Locked pages of this very process.
    expect(readFileSync('/proc/self/status', 'utf8')).toMatch(/^VmLck:\s+[1-9]/m)
  })

  test('refuse every argument that is not bytes of the right length', () => {
    const lengths = [0, 1, 31, 32, 33, 63, 64, 65]
    const right: Record<string, unknown[]> = {
      contextRandomize: [32],
      privateKeyVerify: [32],
      publicKeyCreate: [32, true, 33],
      ecdsaSign: [32, 32],
      ecdsaVerify: [64, 32, 33],
    }
    for (const [call, wanted] of Object.entries(right))
      for (const [index, one] of wanted.entries())
        for (const other of [...lengths.filter((length) => length !== one), 'text', null, undefined]) {
          const args = wanted.map((length, at) => (at === index ? other : length))
          const given = args.map((length) => (typeof length === 'number' ? new Uint8Array(length) : length))
          expect(() => natives.secp256k1[call]?.(...given), `${call} ${args}`).toThrow('takes')
        }
    for (const call of Object.values({ ...natives.sodium, ...natives.secp256k1 })) {
      expect(() => call()).toThrow()
      expect(() => call(new Uint16Array(32), new Uint16Array(32), new Uint16Array(32))).toThrow()
    }
  })
})
