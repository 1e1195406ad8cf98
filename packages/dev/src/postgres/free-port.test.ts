import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { freePort, isFree, listenFault } from './free-port.ts'

test('a port that somebody listens on is taken, an address of another machine cannot be listened on', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  expect(await listenFault(port, '127.0.0.1')).toBe('EADDRINUSE')
  expect(await isFree(port)).toBe(false)
  await new Promise((resolve) => server.close(resolve))
  // 203.0.113.0/24 is for documents alone (RFC 5737).
  expect(await listenFault(port, '203.0.113.5')).toBe('EADDRNOTAVAIL')
  expect(await isFree(await freePort())).toBe(true)
})
