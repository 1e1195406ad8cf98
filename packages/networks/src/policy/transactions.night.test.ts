import { describe, test } from 'vitest'
import { agentRounds, chainsOfRounds } from './transaction-rounds.fuzz.ts'

describe('20,000 transactions that agents are asked to sign', () => {
  test.each(chainsOfRounds)(
    'on %s come with all that a preview shows to leave, or are refused',
    (handle) => {
      agentRounds(handle, 20_000)
    },
    600_000,
  )
})
