import { expect, test } from 'vitest'
import { startConfig } from './start-config.ts'

test.each([
  'AGENT_LLM_URL',
  'AGENT_LLM_KIND',
  'AGENT_LLM_MODEL',
  'AGENT_LLM_API_KEY',
  'AGENT_RUN_RETENTION_DAYS',
  'SYMBOLON_PRICE__ETH',
])('what a developer sets in %s reaches the API', (name) => {
  expect(startConfig({ [name]: 'set' }).passedOn).toEqual({ [name]: 'set' })
})

test.each(['NODE_ENV', 'SECRETS_FILE', 'SYMBOLON_DATA_DIR', 'AGENT_LLM_OTHER'])(
  'what the start decides itself in %s does not',
  (name) => {
    expect(startConfig({ [name]: '/elsewhere' }).passedOn).toEqual({})
  },
)
