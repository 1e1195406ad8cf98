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
