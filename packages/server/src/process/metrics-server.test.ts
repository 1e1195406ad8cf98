import { get } from 'node:http'
import { freePort } from '@symbolon/dev/testing/postgres'
import { expect, test } from 'vitest'
import { MetricsPortError, serveMetrics } from './metrics-server.ts'

const texts = async () => [
  '# HELP a A.\n# TYPE a counter\na{worker="1"} 1\n',
  '# HELP a A.\n# TYPE a counter\na{worker="2"} 2\n',
]

test('the port of the metrics serves the metrics of all processes and nothing else', async () => {
  const port = await freePort()
  const server = await serveMetrics({ host: '127.0.0.1', port }, texts)
  const call = (path: string, method = 'GET') => fetch(`http://127.0.0.1:${port}${path}`, { method })
  const answer = await call('/metrics')
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
  ])
  expect(await answer.text()).toBe('# HELP a A.\n# TYPE a counter\na{worker="1"} 1\na{worker="2"} 2\n')
  for (const path of ['/', '/v1/health', '/metrics/', '/dev/mailbox/messages'])
    expect((await call(path)).status).toBe(404)
  expect((await call('/metrics', 'POST')).status).toBe(405)
  server.close()
})

test('in development, the metrics answer no page that rebinds its name', async () => {
  const port = await freePort()
  const server = await serveMetrics({ host: '127.0.0.1', port, answeredHosts: ['metrics.test'] }, texts)
  const statusFor = (host: string) =>
    new Promise((resolve, reject) => {
      const options = { port, host: '127.0.0.1', path: '/metrics', headers: { host } }
      get(options, (answer) => resolve(answer.resume().statusCode)).on('error', reject)
    })
  expect(await statusFor(`localhost:${port}`)).toBe(200)
  expect(await statusFor('metrics.test')).toBe(200)
  expect(await statusFor('evil.test')).toBe(403)
  server.close()
})

test('a port that is taken is named by its settings', async () => {
  const port = await freePort()
  const first = await serveMetrics({ host: '127.0.0.1', port }, texts)
  const second = serveMetrics({ host: '127.0.0.1', port }, texts)
  await expect(second).rejects.toThrow(MetricsPortError)
  await expect(second).rejects.toThrow(/METRICS_PORT/)
  first.close()
})

test('processes that do not report leave the metrics empty, and a report that fails ends the connection', async () => {
  const port = await freePort()
  const server = await serveMetrics({ host: '127.0.0.1', port }, async () => {
    throw new Error('no process')
  })
  await expect(fetch(`http://127.0.0.1:${port}/metrics`)).rejects.toThrow()
  server.close()
})
