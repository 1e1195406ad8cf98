import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { ConfigError, readConfig, readPlaces } from './config.ts'

const apiKey = generateKeyPairSync('x25519').privateKey.export({ format: 'jwk' })
const shared = {
  DATABASE_URL: 'postgres://app:hidden-password@db.test/app',
  KMS: 'local:/keys/kms.json',
  SECRETS_FILE: '/keys/secrets.json',
  ENCLAVE_SOCKET: '/run/enclave.sock',
  ENCLAVE_API_KEY: JSON.stringify(apiKey),
  SMTP_URL: 'smtps://user:hidden-password@mail.test, smtp://127.0.0.1:2525',
}
const development = { ...shared, ATTESTATION_ROOT: '/run/root.der' }
const register = 'ab'.repeat(48)
const measured = { 0: register, 1: register, 2: register }
const measurements = JSON.stringify([measured])
const production = {
  ...shared,
  BASE_URL: 'https://wallet.test/',
  ENCLAVE_MEASUREMENTS: measurements,
  OIDC_ISSUER: 'https://login.test',
  OIDC_CLIENT_ID: 'portal',
  OIDC_CLIENT_SECRET: 'hidden-client-secret',
}

const model = {
  AGENT_LLM_URL: 'https://llm.test/v1/',
  AGENT_LLM_MODEL: 'large',
  AGENT_LLM_API_KEY: 'hidden-model-key',
}

/** The sentences that an environment is refused with; none may hold a secret of it. */
function complaintsOf(
  environment: Record<string, string>,
  mode: 'development' | 'production' = 'production',
): string[] {
  try {
    readConfig(environment, mode)
    return []
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    expect(error.message).not.toContain('hidden')
    return error.message.split('\n')
  }
}

describe('the environment', () => {
  test('says for how many days runs are kept; 0 is for ever', () => {
    const days = (given?: string) =>
      readConfig(
        { ...development, ...(given !== undefined && { AGENT_RUN_RETENTION_DAYS: given }) },
        'development',
      ).runDays
    expect([days(), days('0'), days('7')]).toEqual([90, 0, 7])
    for (const wrong of ['-1', '1.5', 'ever', '40000'])
      expect(() => days(wrong)).toThrow(/AGENT_RUN_RETENTION_DAYS/)
  })

  test('the frame is at its own origin, at a second port in development, or at the platform’s', () => {
    const frameOf = (given: Record<string, string>, mode: 'development' | 'production') =>
      readConfig({ ...(mode === 'production' ? production : development), ...given }, mode).frame
    const place = (origin: string, isLasting: boolean, port?: number) => ({ origin, port, isLasting })
    expect(frameOf({}, 'production')).toEqual(place('https://wallet.test', true))
    const own = { FRAME_BASE_URL: 'https://frame.test/' }
    expect(frameOf(own, 'production')).toEqual(place('https://frame.test', true))
    expect(frameOf({}, 'development')).toEqual(place('http://127.0.0.1:8080', false))
    const second = { FRAME_PORT: '20123', BASE_URL: 'http://box.test' }
    expect(frameOf(second, 'development')).toEqual(place('http://box.test:20123', false, 20_123))
    expect(frameOf(own, 'development')).toEqual(place('https://frame.test', true))
    for (const wrong of ['http://frame.test', 'https://frame.test/frame', 'frame.test'])
      expect(complaintsOf({ ...production, FRAME_BASE_URL: wrong })).toHaveLength(1)
  })

  test('metrics have an address of their own, which is not the port of the API', () => {
    expect(readConfig(development, 'development').metrics).toEqual({ host: '127.0.0.1', port: 9464 })
    const given = { METRICS_HOST: '10.0.0.7', METRICS_PORT: '9100' }
    expect(readConfig({ ...production, ...given }, 'production').metrics).toEqual({
      host: '10.0.0.7',
      port: 9100,
    })
    expect(complaintsOf({ ...production, METRICS_PORT: '8080' })).toEqual([
      'METRICS_PORT must differ from PORT.',
    ])
    expect(complaintsOf({ ...production, PORT: '9464' })).toEqual(['METRICS_PORT must differ from PORT.'])
  })

  test('takes whole numbers as everybody writes them, and says between which', () => {
    const read = (name: string, text: string) => readConfig({ ...development, [name]: text }, 'development')
    expect(read('PORT', '0').port).toBe(0)
    expect(read('PORT', '65535').port).toBe(65_535)
    expect(read('WORKERS', '64').workers).toBe(64)
    for (const [name, wants] of [
      ['PORT', 'from 0 to 65535'],
      ['WORKERS', 'from 1 to 64'],
      ['DATABASE_CONNECTIONS', 'from 2 to 100'],
      ['AGENT_RUN_RETENTION_DAYS', 'from 0 to 36500'],
    ] as const)
      for (const wrong of ['0x10', '1e1', '8.0', ' 8', '+8', '08', '-1', 'many', '65536'])
        expect(() => read(name, wrong)).toThrow(`${name} must be a whole number ${wants}.`)
    const chain = { SYMBOLON_RPC__BASE: 'http://127.0.0.1:1', SYMBOLON_CONFIRMATIONS__BASE: '1e1' }
    expect(() => readConfig({ ...development, ...chain }, 'development')).toThrow(
      /SYMBOLON_CONFIRMATIONS__BASE/,
    )
  })

  test('of development is loopback and simulated attestation', () => {
    expect(readConfig(development, 'development')).toMatchObject({
      mode: 'development',
      host: '127.0.0.1',
      port: 8080,
      baseUrl: 'http://127.0.0.1:8080',
      attestation: { simulatedRootFile: '/run/root.der' },
      smtpUrls: ['smtps://user:hidden-password@mail.test', 'smtp://127.0.0.1:2525'],
      trustedProxies: [],
    })
  })

  test('of production wants the key of the API and https, and knows no simulated root', () => {
    const config = readConfig({ ...production, ATTESTATION_ROOT: '/run/root.der' }, 'production')
    expect(config).toMatchObject({
      baseUrl: 'https://wallet.test',
      attestation: { measurements: [measured] },
    })
    expect(JSON.stringify(config)).not.toContain('root.der')
    for (const change of [
      { BASE_URL: undefined },
      { ENCLAVE_API_KEY: undefined },
      { ENCLAVE_API_KEY: JSON.stringify({ ...apiKey, x: apiKey.d }) },
      { ENCLAVE_API_KEY: JSON.stringify({ ...apiKey, d: undefined }) },
      { OIDC_ISSUER: undefined },
      { OIDC_CLIENT_SECRET: undefined },
      { ENCLAVE_MEASUREMENTS: JSON.stringify([{ ...measured, 2: '0'.repeat(96) }]) },
    ]) {
      expect(() => readConfig({ ...production, ...change }, 'production')).toThrow(ConfigError)
    }
  })

  test.each([
    ['DATABASE_URL', 'mysql://db.test', 'cannot be used: it must be a postgres:// URL'],
    ['DATABASE_URL', '', 'is missing'],
    [
      'KMS',
      'none',
      'must be local:<path of the key file>, vault:https://<host>:<port>/<mount>/<prefix of the keys>, aws, gcp:projects/<project>/locations/<location>/keyRings/<key ring>/cryptoKeys/<prefix of the keys> or pkcs11:token=<label>;object=<prefix of the keys>?module-path=<path of the library>',
    ],
    ['PORT', '70000', 'must be a whole number from 1 to 65535'],
    ['PORT', 'eighty', 'must be a whole number from 1 to 65535'],
    ['PORT', '0', 'must be a whole number from 1 to 65535'],
    ['WORKERS', '0', 'must be a whole number from 1 to 64'],
    ['DATABASE_CONNECTIONS', '1', 'must be a whole number from 2 to 100'],
    ['TRUSTED_PROXIES', '10.0.0.0/33', 'must be IP addresses or CIDR ranges, separated by commas'],
    ...['0.0.0.0/0', '::/0', '10.0.0.0/8, ::/00'].map((value) => [
      'TRUSTED_PROXIES',
      value,
      'must not contain a range of all addresses (/0): list the addresses of your proxies',
    ]),
    ...[
      'http://mail.test',
      'smtp://a.test,smtp://b.test,smtp://c.test',
      ',',
      'smtp://',
      'smtps://mail.test/inbox',
      'smtp://mail.test?tls=never',
    ].map((value) => [
      'SMTP_URL',
      value,
      'must be one or two smtp:// or smtps:// URLs without path and query, separated by a comma',
    ]),
    ...[
      'Example',
      'a@b.test, c@d.test',
      'Example, Inc. <a@b.test>',
      'Example <a@b.test',
      'Example <a@b.test> <c@d.test>',
      '<a b@c.test>',
      'a@',
      'Example\nBcc: x@y.test <a@b.test>',
    ].map((value) => [
      'MAIL_FROM',
      value,
      'must be one email address, as in no-reply@example.com or Example <no-reply@example.com>',
    ]),
    ...[
      'wallet.test',
      'http://wallet.test',
      'https://wallet.test/wallets',
      'https://wallet.test/?a=b',
      'https://wallet.test?',
      'https://wallet.test/#a',
      'https://user:hidden-password@wallet.test',
    ].map((value) => ['BASE_URL', value, 'must be an https:// URL without user, path, query and fragment']),
    ['OIDC_ISSUER', 'http://login.test', 'must be an https:// URL'],
    ['AGENT_LLM_KIND', 'other', 'must be openai or anthropic'],
    ['LOG_LEVEL', 'chatty', 'must be fatal, error, warn, info, debug or silent'],
    ...['[]', '{}', '{', '[{"0":"ab"}]', JSON.stringify([{ 0: register }])].map((value) => [
      'ENCLAVE_MEASUREMENTS',
      value,
      'must be a JSON array with an object for each enclave: PCR 0, 1 and 2 by their numbers, 96 hex digits each and not all zero',
    ]),
  ] as [string, string, string][])(
    'of production is refused in a sentence with %s=%s',
    (name, value, says) => {
      const more = name === 'AGENT_LLM_KIND' ? model : {}
      expect(complaintsOf({ ...production, ...more, [name]: value })).toEqual([`${name} ${says}.`])
    },
  )

  test('names a model wholly or not at all; in production, with its key and by https', () => {
    const { AGENT_LLM_MODEL, AGENT_LLM_URL, AGENT_LLM_API_KEY } = model
    expect(readConfig({ ...production, ...model }, 'production').model).toEqual({
      url: 'https://llm.test/v1',
      kind: 'openai',
      model: 'large',
      apiKey: 'hidden-model-key',
    })
    expect(complaintsOf({ ...production, AGENT_LLM_MODEL })).toEqual(['AGENT_LLM_MODEL needs AGENT_LLM_URL.'])
    expect(complaintsOf({ ...production, AGENT_LLM_API_KEY, AGENT_LLM_KIND: 'openai' })).toEqual([
      'AGENT_LLM_API_KEY needs AGENT_LLM_URL.',
      'AGENT_LLM_KIND needs AGENT_LLM_URL.',
    ])
    expect(complaintsOf({ ...production, AGENT_LLM_URL })).toEqual([
      'AGENT_LLM_URL needs AGENT_LLM_MODEL.',
      'AGENT_LLM_URL needs AGENT_LLM_API_KEY.',
    ])
    expect(complaintsOf({ ...production, ...model, AGENT_LLM_URL: 'http://llm.test/v1' })).toEqual([
      'AGENT_LLM_URL must be an https:// URL.',
    ])
    const own = { AGENT_LLM_URL: 'http://127.0.0.1:11434/v1', AGENT_LLM_MODEL }
    expect(readConfig({ ...development, ...own }, 'development').model?.apiKey).toBe(undefined)
    expect(complaintsOf({ ...development, AGENT_LLM_MODEL }, 'development')).toEqual([
      'AGENT_LLM_MODEL needs AGENT_LLM_URL.',
    ])
  })

  test('has one origin, however it is written, and senders with and without a name', () => {
    const read = (more: object) => readConfig({ ...production, ...more }, 'production')
    expect(read({ BASE_URL: 'HTTPS://Wallet.Test:443/' }).baseUrl).toBe('https://wallet.test')
    for (const MAIL_FROM of ['a@b.test', '<a@b.test>', 'Älex <a@b.test>', '"Example, Inc." <a@b.test>'])
      expect(read({ MAIL_FROM }).mailFrom).toBe(MAIL_FROM)
  })

  test('without measurements accepts no enclave, and a command that needs one says so', () => {
    const { ENCLAVE_MEASUREMENTS: _, ...rest } = production
    expect(readConfig(rest, 'production').attestation).toEqual({ measurements: [] })
    expect(() => readPlaces(rest)).toThrow('ENCLAVE_MEASUREMENTS is missing.')
  })

  test('has the key that the enclave knows it by, in every mode and for commands', () => {
    expect(readConfig(development, 'development').enclaveApiKey).toEqual(apiKey)
    expect(readConfig(production, 'production').enclaveApiKey).toEqual(apiKey)
    expect(readPlaces(production).enclaveApiKey).toEqual(apiKey)
    const { ENCLAVE_API_KEY: _, ...rest } = production
    expect(() => readPlaces(rest)).toThrow('ENCLAVE_API_KEY is missing.')
  })

  test('of a secret that comes from a file at fault says that alone', () => {
    const { DATABASE_URL: _, ...rest } = production
    expect(
      complaintsOf({ ...rest, DATABASE_URL_FILE: '/hidden/none' }).map((line) => line.slice(0, 40)),
    ).toEqual(['DATABASE_URL_FILE names a file that cann'])
    expect(complaintsOf({ ...production, DATABASE_URL_FILE: '/run/secret' })).toEqual([
      'DATABASE_URL_FILE cannot be set together with DATABASE_URL.',
    ])
  })

  test('is refused with all that is wrong at once, and no value of it', () => {
    const wrong = { ...development, DATABASE_URL: 'mysql://app:hidden-password@db.test', KMS: '', PORT: 'x' }
    expect(complaintsOf(wrong, 'development').sort()).toEqual([
      'DATABASE_URL cannot be used: it must be a postgres:// URL.',
      'KMS is missing.',
      'PORT must be a whole number from 0 to 65535.',
    ])
  })
})
