import { generateKeyPairSync } from 'node:crypto'
import { mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readKmsConfig } from './kms-config.ts'

function read(environment: Record<string, string>) {
  const complaints: string[] = []
  const config = readKmsConfig(environment, (variable, says) => complaints.push(`${variable} ${says}`))
  return { config, complaints }
}

test('a key file is named by its absolute path', () => {
  expect(read({ KMS: 'local:/keys/a:b.json' }).config).toEqual({ kind: 'local', path: '/keys/a:b.json' })
})

test('a transit engine has an address, a mount, a prefix and a token', () => {
  const vault = { KMS: 'vault:https://vault.test:8200/teams/wallets/transit/prod', VAULT_TOKEN: 'hvs.x' }
  expect(read({ ...vault, VAULT_NAMESPACE: 'a/b' }).config).toEqual({
    kind: 'vault',
    address: 'https://vault.test:8200',
    mount: 'teams/wallets/transit',
    prefix: 'prod',
    namespace: 'a/b',
    token: { value: 'hvs.x' },
    ca: undefined,
  })
  expect(read({ ...vault, KMS: 'vault:http://127.0.0.1:8200/transit/prod' }).complaints).toEqual([])
})

test.each([
  'vault:http://vault.test:8200/transit/prod',
  'vault:https://vault.test:8200/prod',
  'vault:https://vault.test:8200/transit/',
  'vault:https://vault.test:8200/transit/../prod',
  'vault:https://vault.test:8200/transit/.prod',
  'vault:https://user:secret@vault.test/transit/prod',
  'vault:https://vault.test/transit/prod?token=secret',
  'vault:transit/prod',
])('%s is refused by name, and not repeated', (KMS) => {
  const { config, complaints } = read({ KMS, VAULT_TOKEN: 'hvs.x' })
  expect(config).toBeUndefined()
  expect(complaints).toHaveLength(1)
  expect(complaints[0]).toMatch(/^KMS must be vault:https:/)
  expect(complaints[0]).not.toContain('secret')
})

test('the token is in one place, and its file and that of the authorities can be read', () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'symbolon-kms-config-'))
  const file = join(folder.path, 'token')
  writeFileSync(file, 'hvs.x\n')
  const vault = { KMS: 'vault:https://vault.test:8200/transit/prod' }
  expect(read({ ...vault, VAULT_TOKEN_FILE: file, VAULT_CACERT: file }).config).toMatchObject({
    token: { file },
    ca: 'hvs.x\n',
  })
  const gone = join(folder.path, 'gone')
  for (const [more, variable] of [
    [{}, 'VAULT_TOKEN_FILE'],
    [{ VAULT_TOKEN: 'hvs.x', VAULT_TOKEN_FILE: file }, 'VAULT_TOKEN'],
    [{ VAULT_TOKEN_FILE: gone }, 'VAULT_TOKEN_FILE'],
    [{ VAULT_TOKEN: 'hvs.x', VAULT_CACERT: gone }, 'VAULT_CACERT'],
  ] as const) {
    const { config, complaints } = read({ ...vault, ...more })
    expect(config).toBeUndefined()
    expect(complaints.join()).toMatch(new RegExp(`^${variable} `))
  }
})

const arnOf = (name: string, region = 'eu-central-1') => `arn:aws:kms:${region}:111122223333:key/${name}`
const aws = {
  KMS: 'aws',
  KMS_KEY_PROVIDER: arnOf('a'),
  KMS_KEY_RECOVERY: arnOf('b'),
  KMS_KEY_TEE_B: arnOf('c'),
  KMS_KEY_WEBHOOK: arnOf('d'),
  KMS_KEY_PII: arnOf('mrk-e'),
}

test('AWS KMS has a key per purpose, in the region of the ARNs', () => {
  expect(read(aws).config).toEqual({
    kind: 'aws',
    region: 'eu-central-1',
    keys: {
      provider: arnOf('a'),
      recovery: arnOf('b'),
      'tee-b': arnOf('c'),
      webhook: arnOf('d'),
      pii: arnOf('mrk-e'),
    },
  })
})

test.each([
  [
    'one key for two purposes',
    { KMS_KEY_RECOVERY: arnOf('a') },
    'KMS_KEY_RECOVERY must name another key than KMS_KEY_PROVIDER',
  ],
  [
    'a missing key',
    { KMS_KEY_TEE_B: 'none' },
    'KMS_KEY_TEE_B must be arn:aws:kms:<region>:<account>:key/<id> with KMS=aws',
  ],
  [
    'an alias',
    { KMS_KEY_PII: 'arn:aws:kms:eu-central-1:111122223333:alias/pii' },
    'KMS_KEY_PII must be arn:aws:kms:',
  ],
  [
    'a key of another region',
    { KMS_KEY_PII: arnOf('e', 'eu-west-1') },
    'KMS_KEY_PROVIDER must be in the region of the other keys',
  ],
])('AWS KMS with %s is refused in a sentence', (_, change, sentence) => {
  const { config, complaints } = read({ ...aws, ...change })
  expect(config).toBeUndefined()
  expect(complaints.join()).toContain(sentence)
})

const ring = 'projects/example/locations/europe-west3/keyRings/wallets/cryptoKeys'

test('Google Cloud KMS has a key ring and a prefix, and a key file where there is no metadata server', () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'symbolon-kms-config-'))
  const KMS = `gcp:${ring}/symbolon`
  expect(read({ KMS }).config).toEqual({ kind: 'gcp', prefix: `${ring}/symbolon`, account: undefined })
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const key = { private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }), private_key_id: 'k1' }
  const file = join(folder.path, 'key.json')
  writeFileSync(file, JSON.stringify({ type: 'service_account', client_email: 'a@b.test', ...key }))
  expect(read({ KMS, GOOGLE_APPLICATION_CREDENTIALS: file }).config).toMatchObject({
    account: { email: 'a@b.test', keyId: 'k1' },
  })
  writeFileSync(file, JSON.stringify({ type: 'authorized_user' }))
  for (const wrong of [file, join(folder.path, 'gone')]) {
    const { config, complaints } = read({ KMS, GOOGLE_APPLICATION_CREDENTIALS: wrong })
    expect(config).toBeUndefined()
    expect(complaints.join()).toMatch(/^GOOGLE_APPLICATION_CREDENTIALS must be /)
  }
})

test.each(['gcp:symbolon', `gcp:${ring}`, `gcp:${ring}/a/../b`, `gcp:${ring}/a?x`])(
  '%s is refused',
  (KMS) => {
    expect(read({ KMS })).toEqual({
      config: undefined,
      complaints: [expect.stringMatching(/^KMS must be gcp:/)],
    })
  },
)

const hsm = 'pkcs11:token=symbolon;object=prod?module-path=/usr/lib/hsm%20a.so'

test('a hardware module has a token, a prefix, a library and a PIN', () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'symbolon-kms-config-'))
  const file = join(folder.path, 'pin')
  writeFileSync(file, '1234 \n')
  const place = { kind: 'pkcs11', token: 'symbolon', prefix: 'prod', modulePath: '/usr/lib/hsm a.so' }
  expect(read({ KMS: hsm, PKCS11_PIN: '1234' }).config).toEqual({ ...place, pin: '1234' })
  expect(read({ KMS: hsm, PKCS11_PIN_FILE: file }).config).toEqual({ ...place, pin: '1234 ' })
  for (const wrong of [{}, { PKCS11_PIN: '1234', PKCS11_PIN_FILE: file }, { PKCS11_PIN_FILE: `${file}x` }]) {
    const { config, complaints } = read({ KMS: hsm, ...wrong })
    expect(config).toBeUndefined()
    expect(complaints.join()).toMatch(/^PKCS11_PIN_FILE /)
  }
})

test.each([
  'pkcs11:token=symbolon;object=prod',
  'pkcs11:token=symbolon;object=prod?module-path=relative.so',
  'pkcs11:token=two%20words;object=prod?module-path=/a.so',
  'pkcs11:token=%zz;object=prod?module-path=/a.so',
  'pkcs11:token=symbolon;object=prod?module-path=/a.so&pin-value=1234',
])('%s is refused', (KMS) => {
  const { config, complaints } = read({ KMS, PKCS11_PIN: '1234' })
  expect(config).toBeUndefined()
  expect(complaints).toEqual([expect.stringMatching(/^KMS must be pkcs11:/)])
})
