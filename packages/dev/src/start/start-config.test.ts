import { expect, test } from 'vitest'
import { startConfig } from './start-config.ts'

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
