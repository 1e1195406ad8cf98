import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { JsonRpcFailure } from './json-rpc.ts'
import { httpConnections, jsonRpcHttp } from './json-rpc-http.ts'
import { handled, type Script, type ScriptedNode, scriptedNode } from './testing/scripted-node.ts'

const connections = httpConnections()
const nodes: ScriptedNode[] = []
afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.stop()))
})
afterAll(() => connections.close())

async function rpcTo(script: Script, path = '') {
  const node = await scriptedNode(script)
  nodes.push(node)
  return jsonRpcHttp({ url: `${node.url}${path}`, name: 'test', connections })
}

const failure = async (promise: Promise<unknown>): Promise<JsonRpcFailure> => {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(JsonRpcFailure)
  return error as JsonRpcFailure
}
const limits = { timeoutMs: 1_000 }

describe('a JSON-RPC server', () => {
  test('gives its result, and its error with code and data', async () => {
    const rpc = await rpcTo(({ method }) =>
      method === 'good' ? [1, '2'] : { error: { code: 3, message: 'no', data: '0x' } },
    )
    expect(await rpc.call('good', [], limits)).toEqual({ result: [1, '2'] })
    expect(await rpc.call('bad', [], limits)).toEqual({ error: { code: 3, message: 'no', data: '0x' } })
  })

  test('is asked over one kept connection, or a fresh one on demand', async () => {
    const node = await scriptedNode(() => 1)
    nodes.push(node)
    const rpc = jsonRpcHttp({ url: node.url, name: 'test', connections })
    const warnings: string[] = []
    const note = ({ name }: Error) => warnings.push(name)
    process.on('warning', note)
    for (let i = 0; i < 30; i++) await rpc.call('a', [], limits)
    await new Promise((resolve) => setImmediate(resolve))
    process.off('warning', note)
    expect(warnings).toEqual([])
    expect(node.connections()).toBe(1)
    await rpc.call('a', [], { ...limits, isFresh: true })
    expect(node.connections()).toBe(2)
  })

  test('that closed the kept connection is asked again over a new one', async () => {
    const node = await scriptedNode((_, response) => {
      if (node.methods.length === 2) {
        response.destroy()
        return handled
      }
      return node.methods.length
    })
    nodes.push(node)
    const rpc = jsonRpcHttp({ url: node.url, name: 'test', connections })
    await rpc.call('a', [], limits)
    expect(await rpc.call('b', [], limits)).toEqual({ result: 3 })
    expect(node.methods).toEqual(['a', 'b', 'b'])
  })

  test.each<[string, Script]>([
    ['another id', ({ id }, response) => end(response, { jsonrpc: '2.0', id: id + 1, result: 1 })],
    [
      'an id of another type',
      ({ id }, response) => end(response, { jsonrpc: '2.0', id: `${id}`, result: 1 }),
    ],
    ['another version', ({ id }, response) => end(response, { id, result: 1 })],
    ['a batch', ({ id }, response) => end(response, [{ jsonrpc: '2.0', id, result: 1 }])],
    ['neither result nor error', ({ id }, response) => end(response, { jsonrpc: '2.0', id })],
    ['both', ({ id }, response) => end(response, { jsonrpc: '2.0', id, result: 1, error: { code: 1 } })],
    ['an error without a code', ({ id }, response) => end(response, { jsonrpc: '2.0', id, error: 'no' })],
    ['a page', (_, response) => end(response, '<html>')],
    ['bytes that are no UTF-8', (_, response) => end(response, Buffer.from([0x22, 0xff, 0x22]))],
    ['nothing', (_, response) => end(response, '')],
  ])('that answers %s gave no answer', async (_name, script) => {
    const rpc = await rpcTo(script)
    expect(await failure(rpc.call('a', [], limits))).toMatchObject({ code: 'malformed', wasSent: true })
  })

  test.each([
    [301, 'redirected'],
    [307, 'redirected'],
    [401, 'refused_status'],
    [429, 'refused_status'],
    [500, 'refused_status'],
    [503, 'refused_status'],
  ])('with status %i gave no answer', async (status, code) => {
    const rpc = await rpcTo(({ id }, response) => {
      response.writeHead(status, { location: 'http://127.0.0.1:1/' })
      return end(response, { jsonrpc: '2.0', id, result: 1 })
    })
    expect(await failure(rpc.call('a', [], limits))).toMatchObject({ code, wasSent: true })
  })

  test('that sends more than 4 MiB is left', async () => {
    const rpc = await rpcTo((_, response) => {
      response.write(Buffer.alloc(4 * 1024 * 1024 + 1, 0x20))
      return handled
    })
    expect(await failure(rpc.call('a', [], { timeoutMs: 5_000 }))).toMatchObject({ code: 'too_large' })
  })

  test.each<[string, Script]>([
    ['never answers', () => handled],
    [
      'drips',
      (_, response) => {
        const timer = setInterval(() => response.write(' '), 20)
        response.on('close', () => clearInterval(timer))
        return handled
      },
    ],
  ])('that %s costs the time limit and no more', async (_name, script) => {
    const rpc = await rpcTo(script)
    const startedAt = performance.now()
    expect(await failure(rpc.call('a', [], { timeoutMs: 200 }))).toMatchObject({
      code: 'timed_out',
      wasSent: true,
    })
    expect(performance.now() - startedAt).toBeLessThan(5_000)
  })

  test('that hangs up in the middle of an answer gave none', async () => {
    const rpc = await rpcTo((_, response) => {
      response.writeHead(200, { 'content-length': 100 })
      response.write('{"jsonrpc"')
      setTimeout(() => response.destroy(), 20)
      return handled
    })
    expect(await failure(rpc.call('a', [], limits))).toMatchObject({ code: 'connection_lost', wasSent: true })
  })

  test('that nobody reaches was surely sent nothing', async () => {
    const node = await scriptedNode(() => 1)
    await node.stop()
    const rpc = jsonRpcHttp({ url: node.url, name: 'test', connections })
    expect(await failure(rpc.call('a', [], limits))).toMatchObject({ code: 'unreachable', wasSent: false })
    const nowhere = jsonRpcHttp({ url: 'http://no-such-host.invalid/', name: 'test', connections })
    expect(await failure(nowhere.call('a', [], limits))).toMatchObject({ wasSent: false })
  })

  test('that fails its TLS handshake was surely sent nothing', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => socket.end('no TLS here'))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const rpc = jsonRpcHttp({ url: `https://127.0.0.1:${port}/`, name: 'test', connections })
    expect(await failure(rpc.call('a', [], limits))).toMatchObject({ code: 'unreachable', wasSent: false })
    await new Promise((resolve) => server.close(resolve))
  })

  test('that repeats its own URL in an error gives no key away', async () => {
    const key = 'k3y-0123456789abcdef'
    const rpc = await rpcTo(
      () => ({
        error: {
          code: -32000,
          message: `project ${key} at https://rpc.test/v3/${key} is\nover its\u202e limit, see host 127.0.0.1`,
        },
      }),
      `/v3/${key}?token=${key}-two`,
    )
    const answer = await rpc.call('a', [], limits)
    expect(JSON.stringify(answer)).not.toContain(key)
    expect(answer).toMatchObject({
      error: { message: expect.stringMatching(/^project … at … is over its limit/) },
    })
  })

  test('leaves no key in a failure', async () => {
    const url = 'http://user-0123456789:pass-0123456789@no-such-host-0123456789.invalid/key-0123456789'
    const rpc = jsonRpcHttp({ url, name: 'test', connections })
    const error = await failure(rpc.call('a', [], limits))
    expect(`${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`).not.toContain('0123456789')
  })
})

function end(response: Parameters<Script>[1], body: unknown): typeof handled {
  response.end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body))
  return handled
}
