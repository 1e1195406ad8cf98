import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { freePort, isFree, listenFault, serverPorts } from './free-port.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'symbolon-free-port-'))
afterAll(() => rmSync(folder, { recursive: true }))

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

test('a port that was chosen a moment ago is given to no other process, listened on or not', async () => {
  const module = path.join(import.meta.dirname, 'free-port.ts')
  const script = `
    const { freePort } = await import(${JSON.stringify(module)})
    const ports = []
    for (let i = 0; i < 150; i += 1) ports.push(await freePort())
    console.log(JSON.stringify(ports))`
  const choose = async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
      env: { ...process.env, TMPDIR: folder },
    })
    return JSON.parse(stdout) as number[]
  }
  const ports = (await Promise.all([choose(), choose(), choose(), choose()])).flat()
  expect(new Set(ports).size).toBe(ports.length)
})

test.each([
  ['32768\t60999\n', 20_000, 32_000],
  ['49152 65535', 20_000, 32_000],
  [undefined, 20_000, 32_000],
  ['not a range', 20_000, 32_000],
  ['1024 9999', 20_000, 32_000],
  ['24000 65535', 20_000, 24_000],
  ['16000 65535', 10_000, 16_000],
  ['1024 60999', 61_000, 65_536],
  // No room outside of it.
  ['1024 65535', 20_000, 32_000],
  ['10000 65000', 20_000, 32_000],
])('with the ephemeral ports %j, servers get those from %i to below %i', (ephemeral, from, to) => {
  expect(serverPorts(ephemeral)).toEqual({ from, to })
})
