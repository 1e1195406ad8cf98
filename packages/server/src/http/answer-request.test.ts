import { setImmediate as tick } from 'node:timers/promises'
import { getAgentSession, listAgentSessions, type Route } from '@symbolon/api'
import { testIds, testLog } from '@symbolon/testing/database'
import { expect, test } from 'vitest'
import { fairPlaces } from '../runtime/fair-places.ts'
import { fairTurns } from '../runtime/fair-turns.ts'
import { httpServer } from './server.ts'

const fairness = { nowMs: () => performance.now(), refuse: () => new Error('too much waits') }

/** How many of 40 requests for the route, sent at once by one organization, its handler has at the same time; all are answered. */
async function mostAtOnce(route: Route): Promise<number> {
  let count = 0
  let most = 0
  const handle = async () => {
    most = Math.max(most, ++count)
    await tick()
    count--
  }
  const server = httpServer({
    bound: [{ route, handle }],
    authSchemes: {
      authenticate: async () => ({ principal: { organization: { id: 'one' } }, credentialId: 'key' }),
      isOriginListed: async () => false,
    },
    idempotency: {} as never,
    limiter: {} as never,
    fair: { places: fairPlaces(fairness), turns: fairTurns(fairness), onBehalfOf: (_, work) => work() },
    ids: testIds,
    log: testLog(),
    metrics: { answered: () => {}, forwardedIgnored: () => {} },
    trustedProxies: [],
    areAnswersChecked: false,
    isSecure: false,
  })
  try {
    const url = route.path.replace('{id}', '00000000-0000-4000-8000-000000000000')
    const answers = await Promise.all(Array.from({ length: 40 }, () => server.inject({ url })))
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
    return most
  } finally {
    await server.close()
  }
}

test('of one organization only a few long answers are made at once', async () => {
  expect(await mostAtOnce(listAgentSessions)).toBe(16)
})

test('short answers are made as they are asked for', async () => {
  expect(await mostAtOnce(getAgentSession)).toBe(40)
})
