import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import {
  apiPurposes,
  kmsContract,
  kmsPkcs11,
  type Pkcs11Config,
  type Pkcs11Module,
  remoteKms,
} from '@symbolon/server/testing/kms'
import { builtPkcs11 } from '@symbolon/testing/kms'
import { afterAll, beforeAll, expect, test } from 'vitest'

const library = '/usr/lib/softhsm/libsofthsm2.so'
const pin = 'planted-pin-4711'
const folder = mkdtempSync(path.join(tmpdir(), 'symbolon-softhsm-'))
let module: Pkcs11Module

beforeAll(() => {
  for (const [program, debianPackage] of [
    ['softhsm2-util', 'softhsm2'],
    ['pkcs11-tool', 'opensc'],
    ['g++', 'g++'],
  ] as const) {
    if (spawnSync(program, ['--version']).error !== undefined)
      throw new Error(`These tests need the package ${debianPackage}: apt-get install ${debianPackage}`)
  }
  const configuration = path.join(folder, 'softhsm2.conf')
  mkdirSync(path.join(folder, 'tokens'))
  writeFileSync(configuration, `directories.tokendir = ${path.join(folder, 'tokens')}\nlog.level = ERROR\n`)
  process.env['SOFTHSM2_CONF'] = configuration
  for (const label of ['symbolon', 'empty', 'locked'])
    execFileSync('softhsm2-util', ['--init-token', '--free', '--label', label, '--pin', pin, '--so-pin', pin])
  for (const purpose of apiPurposes) makeKey(`prod-${purpose}`)
  module = builtPkcs11(folder) as Pkcs11Module
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const tool = (token: string, ...args: string[]) =>
  execFileSync(
    'pkcs11-tool',
    ['--module', library, '--token-label', token, '--login', '--pin', pin, ...args],
    {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  )

/** As the guide says, where no other flags are given. */
const makeKey = (label: string, flags: readonly string[] = ['--private', '--sensitive']) =>
  tool('symbolon', '--keygen', '--key-type', 'AES:32', '--label', label, '--id', '00000001', ...flags)

const kmsOf = async (more: Partial<Pkcs11Config> = {}) =>
  remoteKms(
    await kmsPkcs11(
      { modulePath: library, token: 'symbolon', prefix: 'prod', pin, ...more },
      async () => module,
    ),
  )

kmsContract('SoftHSM', {
  open: () => kmsOf(),
  openOutOfReach: () => kmsOf({ modulePath: path.join(folder, 'no-library.so') }),
  openWithoutKeys: async () => ({
    kms: await kmsOf({ token: 'empty' }),
    keys: async () => tool('empty', '--list-objects').split('Secret Key').length - 1,
  }),
  secrets: [pin],
})

const context = {
  organizationId: '017f22e2-79b0-7cc3-98c4-dc0c0c07398f',
  walletId: '017f22e2-79b0-7cc3-98c4-dc0c0c073990',
  purpose: 'tee-b',
  shareIndex: 2,
  polynomialVersion: 1,
} as const
const unavailable = expect.objectContaining({ name: 'KmsError', code: 'unavailable' })

test('a key that a rotation made never leaves the token', async () => {
  const kms = await kmsOf()
  await kms.rotate('pii')
  const listed = tool('symbolon', '--list-objects', '--type', 'secrkey')
  const objects = listed.split('Secret Key Object').filter((object) => object.includes('prod-pii'))
  expect(objects).toHaveLength(2)
  for (const object of objects) expect(object).toMatch(/always sensitive, never extractable, local/)
})

test.each([
  ['extractable', ['--sensitive', '--extractable']],
  ['not sensitive', ['--private']],
])('a key that is %s is refused', async (kind, flags) => {
  const prefix = kind.replace(' ', '-')
  for (const purpose of apiPurposes) makeKey(`${prefix}-${purpose}`, flags)
  const kms = await kmsOf({ prefix })
  await expect(kms.ping()).rejects.toThrow(unavailable)
  await expect(kms.generateDataKey('tee-b', context)).rejects.toThrow(unavailable)
})

test('a refused PIN is sent once: more would lock the token', async () => {
  let logins = 0
  class Counting {
    constructor() {
      const real = new module.PKCS11()
      const login = real.C_Login.bind(real)
      real.C_Login = (...given) => {
        logins += 1
        login(...given)
      }
      // biome-ignore lint/correctness/noConstructorReturn: the package wraps the methods of each instance, not of the class.
      return real
    }
  }
  const config = { modulePath: library, token: 'locked', prefix: 'prod', pin: 'wrong' }
  const kms = remoteKms(
    await kmsPkcs11(config, async () => ({ ...module, PKCS11: Counting as Pkcs11Module['PKCS11'] })),
  )
  await expect(kms.ping()).rejects.toThrow(unavailable)
  await expect(kms.generateDataKey('tee-b', context)).rejects.toThrow(unavailable)
  expect(logins).toBe(1)
})

test('a session that the token closed is opened again', async () => {
  const kms = await kmsOf()
  const { dataKey, wrappedKey } = await kms.generateDataKey('tee-b', context)
  const other = new module.PKCS11() as unknown as {
    load(file: string): void
    C_GetSlotList(present: boolean): Buffer[]
    C_CloseAllSessions(slot: Buffer): void
  }
  other.load(library)
  for (const slot of other.C_GetSlotList(true)) other.C_CloseAllSessions(slot)
  expect(await kms.unwrap(wrappedKey, context)).toEqual(dataKey)
})
