import { getAgentSession } from '@symbolon/api'
import { testIds, testLog } from '@symbolon/testing/database'
import { expect, test } from 'vitest'
import { fairPlaces } from '../runtime/fair-places.ts'
import { fairTurns } from '../runtime/fair-turns.ts'
import { httpServer } from './server.ts'

const fairness = { nowMs: () => performance.now(), refuse: () => new Error('too much waits') }
const url = getAgentSession.path.replace('{id}', '00000000-0000-4000-8000-000000000000')

test('a credential is looked up on behalf of the client address, what it asks for on behalf of its organization', async () => {
  const groups: string[] = []
  const server = httpServer({
    bound: [{ route: getAgentSession, handle: async () => groups.push('handled') }],
    authSchemes: {
      authenticate: async () => ({ principal: { organization: { id: 'one' } }, credentialId: 'key' }),
      isOriginListed: async () => false,
    },
    idempotency: {} as never,
    limiter: {} as never,
    fair: {
      places: fairPlaces(fairness),
      turns: fairTurns(fairness),
      onBehalfOf(group, work) {
        groups.push(group)
        return work()
      },
    },
    ids: testIds,
    log: testLog(),
    metrics: { answered: () => {}, forwardedIgnored: () => {} },
    trustedProxies: [],
    areAnswersChecked: false,
    isSecure: false,
  })
  try {
    await server.inject({ url, remoteAddress: '2001:db8::1:2:3:4' })
    expect(groups).toEqual(['client 2001:db8:0:0', 'one', 'handled'])
  } finally {
    await server.close()
  }
})
