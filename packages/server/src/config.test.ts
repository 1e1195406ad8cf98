import { describe, expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

const shared = {
  DATABASE_URL: 'postgres://app:hidden-password@db.test/app',
  KMS: 'local:/keys/kms.json',
  SECRETS_FILE: '/keys/secrets.json',
  ENCLAVE_SOCKET: '/run/enclave.sock',
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
        expect(() => read(name, wrong)).toThrow(`${name}: a whole number ${wants}`)
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

  test('of production wants measurements and https, and knows no simulated root', () => {
    const config = readConfig({ ...production, ATTESTATION_ROOT: '/run/root.der' }, 'production')
    expect(config).toMatchObject({
      baseUrl: 'https://wallet.test',
      attestation: { measurements: [measured] },
    })
    expect(JSON.stringify(config)).not.toContain('root.der')
    for (const change of [
      { BASE_URL: 'http://wallet.test' },
      { BASE_URL: undefined },
      { ENCLAVE_MEASUREMENTS: undefined },
      { OIDC_ISSUER: 'http://login.test' },
      { OIDC_ISSUER: undefined },
      { OIDC_CLIENT_SECRET: undefined },
      { ENCLAVE_MEASUREMENTS: '[]' },
      { ENCLAVE_MEASUREMENTS: '{' },
      { ENCLAVE_MEASUREMENTS: '[{"0":"ab"}]' },
      { ENCLAVE_MEASUREMENTS: JSON.stringify([{ 0: register }]) },
      { ENCLAVE_MEASUREMENTS: JSON.stringify([{ ...measured, 2: '0'.repeat(96) }]) },
    ]) {
      expect(() => readConfig({ ...production, ...change }, 'production')).toThrow(ConfigError)
    }
  })

  test.each([
    ['DATABASE_URL', 'mysql://db.test'],
    ['DATABASE_URL', ''],
    ['KMS', 'none'],
    ['PORT', '70000'],
    ['PORT', 'eighty'],
    ['WORKERS', '0'],
    ['DATABASE_CONNECTIONS', '1'],
    ['SMTP_URL', 'http://mail.test'],
    ['SMTP_URL', 'smtp://a.test,smtp://b.test,smtp://c.test'],
    ['SMTP_URL', ','],
    ['LOG_LEVEL', 'chatty'],
  ])('is refused by name with %s=%s', (name, value) => {
    expect(() => readConfig({ ...development, [name]: value }, 'development')).toThrow(new RegExp(`${name}`))
  })

  test('is refused with all that is wrong at once, and no value of it', () => {
    const wrong = { ...development, DATABASE_URL: 'mysql://app:hidden-password@db.test', KMS: '', PORT: 'x' }
    try {
      readConfig(wrong, 'development')
      expect.unreachable()
    } catch (error) {
      const { message } = error as Error
      expect(message).toMatch(/KMS is missing/)
      expect(message).toMatch(/PORT/)
      expect(message).toMatch(/DATABASE_URL/)
      expect(message).not.toContain('hidden-password')
    }
  })
})
