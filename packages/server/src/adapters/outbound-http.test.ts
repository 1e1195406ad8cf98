import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { OutboundError } from '../ports/outbound.ts'
import { outboundHttp } from './outbound-http.ts'
import { isLoopbackAddress, isPublicAddress } from './public-address.ts'

const servers: Server[] = []

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

const inDevelopment = outboundHttp({ isLoopbackAllowed: true })
const inProduction = outboundHttp({ isLoopbackAllowed: false })
const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'answered',
    (error: unknown) => (error instanceof OutboundError ? error.code : `${error}`),
  )
/** A guard for which every name resolves to the given addresses. */
const resolvingTo = (addresses: string[], isLoopbackAllowed: boolean) =>
  outboundHttp({
    isLoopbackAllowed,
    resolve: ((_name: string, _options: object, done: (error: null, found: object[]) => void) =>
      done(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      )) as never,
  })

const publicAddresses = [
  '1.1.1.1',
  '8.8.8.8',
  '100.63.255.255',
  '100.128.0.1',
  '172.15.0.1',
  '172.32.0.1',
  '192.167.0.1',
  '223.255.255.255',
  '2606:4700::1111',
  '2a00:1450::1',
  '2400:cb00::1',
]
const otherAddresses = [
  '0.0.0.0',
  '10.0.0.1',
  '100.64.0.1',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:8.8.8.8',
  '::ffff:127.0.0.1',
  '0:0:0:0:0:ffff:7f00:1',
  '::ffff:0:127.0.0.1',
  '::127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::1',
  '100::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::1',
  '3fff::1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
  '2606:4700::1111%1',
  '',
  'localhost',
  '1.1.1',
  '01.1.1.1',
]

test('an address is public only when all of the internet can reach it', () => {
  for (const address of publicAddresses) expect([address, isPublicAddress(address)]).toEqual([address, true])
  for (const address of otherAddresses) expect([address, isPublicAddress(address)]).toEqual([address, false])
  for (const address of ['127.0.0.1', '127.8.8.8', '::1']) expect(isLoopbackAddress(address)).toBe(true)
  for (const address of ['::ffff:127.0.0.1', '::2', '128.0.0.1', '10.0.0.1', 'localhost']) {
    expect([address, isLoopbackAddress(address)]).toEqual([address, false])
  }
})

test('in production nothing but https to public addresses leaves', async () => {
  const urls = [
    'http://example.com/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'data:text/plain,x',
    'nonsense',
    '',
    'https://user@example.com/',
    'https://user:secret@example.com/',
    'https://:secret@example.com/',
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0177.0.0.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://10.0.0.1/',
    'https://192.168.0.1/',
    'https://0.0.0.0/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[fd00:ec2::254]/',
    'https://[64:ff9b::a00:1]/',
    'https://localhost/',
    'http://127.0.0.1/',
  ]
  for (const url of urls) expect([url, await codeOf(inProduction({ url }))]).toEqual([url, 'refused'])
})

test('a name that resolves to a forbidden address is refused before it is dialled, even among public ones', async () => {
  const port = await serve((_, response) => response.end())
  let connections = 0
  servers.at(-1)?.on('connection', () => connections++)
  for (const addresses of [
    ['127.0.0.1'],
    ['8.8.8.8', '127.0.0.1'],
    ['10.0.0.1'],
    ['::ffff:127.0.0.1'],
    ['169.254.169.254'],
  ]) {
    const guard = resolvingTo(addresses, false)
    expect([addresses, await codeOf(guard({ url: `https://rebind.test:${port}/` }))]).toEqual([
      addresses,
      'refused',
    ])
  }
  // In development plain http is for loopback names only, whatever a name resolves to.
  expect(await codeOf(resolvingTo(['127.0.0.1'], true)({ url: `http://rebind.test:${port}/` }))).toBe(
    'refused',
  )
  expect(await codeOf(resolvingTo(['10.0.0.1'], true)({ url: `http://localhost:${port}/` }))).toBe('refused')
  expect(connections).toBe(0)
})

test('in development loopback is reached over http, and other private addresses are not', async () => {
  const port = await serve((request, response) => {
    request
      .resume()
      .on('end', () =>
        response.writeHead(201, { 'x-a': 'b' }).end(`${request.method} ${request.headers['x-test']}`),
      )
  })
  for (const host of ['127.0.0.1', 'localhost']) {
    const call = {
      url: `http://${host}:${port}/`,
      method: 'POST',
      headers: { 'x-test': '1' },
      body: Buffer.from('{}'),
    } as const
    const { status, body } = await inDevelopment(call)
    expect([status, Buffer.from(body).toString()]).toEqual([201, 'POST 1'])
  }
  for (const url of [
    'http://10.0.0.1/',
    'https://192.168.0.1/',
    'http://169.254.169.254/',
    'http://example.com/',
  ]) {
    expect([url, await codeOf(inDevelopment({ url }))]).toEqual([url, 'refused'])
  }
})

test('a redirect is never followed', async () => {
  let calls = 0
  const port = await serve((_, response) => {
    calls++
    response.writeHead(307, { location: '/again' }).end()
  })
  expect(await codeOf(inDevelopment({ url: `http://127.0.0.1:${port}/` }))).toBe('redirected')
  expect(calls).toBe(1)
})

test('an answer has at most 64 KiB, however it comes', async () => {
  const sizes: [number, string][] = [
    [65_536, 'answered'],
    [65_537, 'too_large'],
    [5_000_000, 'too_large'],
  ]
  for (const [size, expected] of sizes) {
    const port = await serve((_, response) => response.end(Buffer.alloc(size)))
    expect([size, await codeOf(inDevelopment({ url: `http://127.0.0.1:${port}/` }))]).toEqual([
      size,
      expected,
    ])
  }
})

test('an answer that comes too slowly is given up, also when it has begun', async () => {
  const silent = await serve(() => {})
  const trickling = await serve((_, response) => {
    response.writeHead(200)
    const timer = setInterval(() => response.write('x'), 50)
    response.on('close', () => clearInterval(timer))
  })
  for (const port of [silent, trickling]) {
    expect(await codeOf(inDevelopment({ url: `http://127.0.0.1:${port}/`, timeoutMs: 400 }))).toBe(
      'timed_out',
    )
  }
})

test('a connection that breaks or is refused is unreachable', async () => {
  const port = await serve((request) => request.socket.destroy())
  expect(await codeOf(inDevelopment({ url: `http://127.0.0.1:${port}/` }))).toBe('unreachable')
  const cut = await serve((_, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('half')
    setTimeout(() => response.destroy(), 50)
  })
  expect(await codeOf(inDevelopment({ url: `http://127.0.0.1:${cut}/` }))).toBe('unreachable')
  expect(await codeOf(inDevelopment({ url: 'http://127.0.0.1:1/' }))).toBe('unreachable')
})

test('the guard says beforehand which URLs it refuses by their text alone', () => {
  const local = ['http://127.0.0.1:80/', 'http://localhost/', 'https://[::1]/']
  const open = ['https://example.com/hook?key=1', 'https://1.1.1.1/']
  const never = [
    '',
    'example.com',
    'http://example.com/',
    'ftp://example.com/',
    'https://user@example.com/',
    'https://10.0.0.1/',
    'https://[fd00::1]/',
  ]
  expect([...local, ...open].filter((url) => !inDevelopment.allows(url))).toEqual([])
  expect(open.filter((url) => !inProduction.allows(url))).toEqual([])
  expect(never.filter((url) => inDevelopment.allows(url) || inProduction.allows(url))).toEqual([])
  expect(local.filter((url) => inProduction.allows(url))).toEqual([])
})

test('a body is sent with its length, whatever the method', async () => {
  const seen: unknown[] = []
  const port = await serve((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      seen.push([request.method, request.headers['content-length'], body])
      response.end()
    })
  })
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const)
    await inDevelopment({ url: `http://127.0.0.1:${port}/`, method, body: Buffer.from('hello') })
  expect(seen).toEqual(['POST', 'PUT', 'PATCH', 'DELETE'].map((method) => [method, '5', 'hello']))
})
