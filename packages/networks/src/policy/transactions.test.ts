import { propertyRuns } from '@symbolon/testing/properties'
import { describe, test } from 'vitest'
import { agentRounds, chainsOfRounds } from './transaction-rounds.fuzz.ts'

describe('transactions that agents are asked to sign', () => {
  test.each(chainsOfRounds)('on %s come with all that a preview shows to leave, or are refused', (handle) => {
    agentRounds(handle, propertyRuns(400), 7)
  })
})
