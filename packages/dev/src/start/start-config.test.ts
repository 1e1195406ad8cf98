import { expect, test } from 'vitest'
import { serverComplaints } from './server-complaints.ts'
import { ignoredSettings, readStartConfig, startConfig } from './start-config.ts'

test.each([
  'AGENT_LLM_URL',
  'AGENT_LLM_KIND',
  'AGENT_LLM_MODEL',
  'AGENT_LLM_API_KEY',
  'AGENT_RUN_RETENTION_DAYS',
  'SYMBOLON_PRICE__ETH',
])('a setting of the developer reaches the API: %s', (name) => {
  expect(startConfig({ [name]: 'set' }).passedOn).toEqual({ [name]: 'set' })
})

test.each(['NODE_ENV', 'SECRETS_FILE', 'SYMBOLON_DATA_DIR', 'AGENT_LLM_OTHER'])(
  'a setting of the start itself is not passed on: %s',
  (name) => {
    expect(startConfig({ [name]: '/elsewhere' }).passedOn).toEqual({})
  },
)

test('a port is a number as everybody writes it', () => {
  expect(startConfig({ PORT: '9302' }).port).toBe(9302)
  expect(startConfig({ PORT: '65535' }).port).toBe(65_535)
  expect(startConfig({ PORT: '' }).port).toBe(8080)
  for (const wrong of ['0', '65536', '0x50', '1e3', '9302.0', ' 80', '+80', '080', '1_000', 'http'])
    expect(() => startConfig({ PORT: wrong })).toThrow(
      `PORT is ${wrong}: it must be a number from 1 to 65535`,
    )
})

test('beyond the loopback interface, the start wants to know by which address it is reached', () => {
  for (const host of ['0.0.0.0', '::', '192.168.0.7', 'box.test', '127.0.0.1.test'])
    expect(() => startConfig({ HOST: host })).toThrow(/^HOST is .*BASE_URL/)
  const { baseUrl, localUrl } = startConfig({ HOST: '0.0.0.0', BASE_URL: 'https://box.test/', PORT: '9302' })
  expect([baseUrl, localUrl]).toEqual(['https://box.test', 'http://127.0.0.1:9302'])
  expect(startConfig({ HOST: '::', BASE_URL: 'http://box.test' }).localUrl).toBe('http://[::1]:8080')
  expect(startConfig({ HOST: '::1' }).baseUrl).toBe('http://[::1]:8080')
  for (const wrong of ['box.test', 'ftp://box.test', 'http://box.test/path', 'http://user@box.test'])
    expect(() => startConfig({ BASE_URL: wrong })).toThrow(/^BASE_URL must be/)
})

test('the metrics have a port of their own', () => {
  expect(startConfig({}).metrics).toEqual({ host: '127.0.0.1', port: undefined })
  expect(startConfig({ METRICS_PORT: '9500' }).metrics.port).toBe(9500)
  expect(() => startConfig({ METRICS_PORT: 'x' })).toThrow('METRICS_PORT is x')
  expect(() => startConfig({ METRICS_PORT: '8080' })).toThrow('METRICS_PORT must differ from PORT')
})

/** All that is wrong with an environment, a sentence each. */
function complaintsOf(environment: Record<string, string>): string[] {
  const { config, complaints } = readStartConfig(environment)
  return [...complaints, ...serverComplaints(config)]
}

test('a usual environment, and one with every setting right, has no fault', () => {
  expect(complaintsOf({})).toEqual([])
  expect(
    complaintsOf({
      LOG_LEVEL: 'debug',
      WORKERS: '2',
      HOST: '::1',
      DATABASE_URL: 'postgres://a:b@127.0.0.1/c',
      SMTP_URL: 'smtp://127.0.0.1:2525',
      KMS: 'local:/keys.json',
      TRUSTED_PROXIES: '10.0.0.0/8',
      OIDC_ISSUER: 'https://login.test',
      OIDC_CLIENT_ID: 'portal',
      OIDC_CLIENT_SECRET: 'x',
      SYMBOLON_RPC__BASE: 'https://rpc.test',
      SYMBOLON_PRICE__ETH: '2500',
      SYMBOLON_BUNDLER__LOCAL: 'http://127.0.0.1:1',
      SYMBOLON_RPC__LOCAL: 'http://127.0.0.1:1',
    }),
  ).toEqual([])
})

test.each([
  ['LOG_LEVEL', 'loud'],
  ['WORKERS', 'many'],
  ['TRUSTED_PROXIES', 'everybody'],
  ['DATABASE_URL', 'mysql://u:hidden@db.test/x'],
  ['SMTP_URL', 'http://u:hidden@mail.test'],
  ['KMS', 'somewhere'],
  ['KMS', 'aws'],
  ['OIDC_ISSUER', 'login.test'],
  ['OIDC_ISSUER', 'https://login.test'],
  ['OIDC_CLIENT_ID', 'portal'],
  ['AGENT_LLM_URL', 'https://llm.test'],
  ['AGENT_LLM_MODEL', 'large'],
  ['AGENT_LLM_KIND', 'other'],
  ['AGENT_RUN_RETENTION_DAYS', 'ever'],
  ['SYMBOLON_RPC__BASE', 'rpc.test'],
  ['SYMBOLON_RPC__NOWHERE', 'https://rpc.test'],
  ['SYMBOLON_BUNDLER__BASE', 'https://bundler.test'],
  ['SYMBOLON_CONFIRMATIONS__BASE', '0'],
  ['SYMBOLON_PAYMASTER__BASE', 'https://paymaster.test'],
  ['SYMBOLON_PRICE__ETH', 'dear'],
  ['SYMBOLON_PRICE_FEED__ETH', 'base'],
  ['HOST', '0.0.0.0'],
  ['HOST', 'no such host'],
  ['PORT', '0'],
  ['METRICS_PORT', '8080'],
  ['BASE_URL', 'box.test'],
  ['FRAME_BASE_URL', 'frame.test'],
  ['SYMBOLON_CHAIN', 'maybe'],
])('the start refuses a wrong %s (%s) in sentences that begin with its name', (name, value) => {
  const complaints = complaintsOf({ [name]: value })
  expect(complaints.length).toBeGreaterThan(0)
  for (const complaint of complaints) {
    expect(complaint).toMatch(new RegExp(`^${name}[^\\n]*\\.$`))
    expect(complaint).not.toContain('hidden')
  }
})

test('the start names all faults together', () => {
  expect(
    complaintsOf({ PORT: 'x', BASE_URL: 'y', LOG_LEVEL: 'loud', HOST: '0.0.0.0' }).map(
      (text) => text.split(' ')[0],
    ),
  ).toEqual(['BASE_URL', 'PORT', 'LOG_LEVEL'])
})

test('the start says which settings of production it ignores, and a HOST that names nothing asks for no BASE_URL', () => {
  expect(ignoredSettings({ ENCLAVE_MEASUREMENTS: '[]', PORT: '1' })).toEqual([
    'ENCLAVE_MEASUREMENTS is ignored: npm start accepts its own simulated enclave alone.',
  ])
  expect(ignoredSettings({ SMTP_URL: 'smtp://127.0.0.1' })).toEqual([])
  expect(complaintsOf({ HOST: 'no such host' })).toEqual([
    'HOST is no such host: it must be an IP address or a host name of this machine, such as 127.0.0.1.',
  ])
})
