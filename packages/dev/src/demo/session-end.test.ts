import type { AddressInfo } from 'node:net'
import { testDatabase } from '@symbolon/testing/database'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { devRoutes } from '../routes/dev-routes.ts'
import { sessionEnd } from './session-end.ts'

test('a session of the demo ends an hour from the time of the platform, wherever that was moved', async () => {
  const database = await testDatabase()
  const app = Fastify()
  devRoutes(app, { sql: database.sql, chains: [], createOrganization: () => Promise.reject(new Error('no')) })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  for (const advanceMs of [0, 86_400_000, -172_800_000]) {
    await app.inject({ method: 'POST', url: '/dev/clock', payload: { advance_ms: advanceMs } })
    const [row] = await database.sql<{ now_ms: number }[]>`
      select (extract(epoch from app_now()) * 1000)::double precision as now_ms`
    const leftMs = Date.parse(await sessionEnd(url)) - Number(row?.now_ms)
    expect(leftMs).toBeGreaterThanOrEqual(3_599_999)
    expect(leftMs).toBeLessThan(3_610_000)
  }
  await app.close()
  await database.drop()
})
