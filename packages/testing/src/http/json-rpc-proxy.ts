import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * What happens to a call. `hang`: it is taken and never answered, nor forwarded. `cut`: the connection ends, nothing was
 * forwarded. `drop`: it is forwarded, then the connection ends without an answer. `mute`: it is forwarded, and never
 * answered. `delay`: forwarded after `ms`.
 * `answer` and `error`: never forwarded, a JSON-RPC answer is made up. `body`: any status and text instead of an answer.
 * `alter`: forwarded, and the parsed answer goes through a function.
 */
export type ProxyFault =
  | { kind: 'hang' }
  | { kind: 'cut' }
  | { kind: 'drop' }
  | { kind: 'mute' }
  | { kind: 'delay'; ms: number }
  | { kind: 'answer'; result: unknown }
  | { kind: 'error'; error: { code: number; message: string; data?: unknown } }
  | { kind: 'body'; status: number; text: string }
  | { kind: 'alter'; with: (answer: Record<string, unknown>) => unknown }

/** A server between a client and a JSON-RPC server. */
export type JsonRpcProxy = {
  url: string
  /** Applies to calls of the method (`'*'`: of all without a fault of their own) from now on, or to the next `times`. */
  fault(method: string, fault: ProxyFault, times?: number): void
  /** Everything passes again; hanging calls stay without an answer. */
  heal(): void
  /** From now on connections are refused, as when nobody listens; existing ones end. */
  refuse(): Promise<void>
  /** Listens again, on the same port. */
  accept(): Promise<void>
  /** How many calls of a method (or in all) came since the start, whatever became of them. */
  calls(method?: string): number
  stop(): Promise<void>
}

/** Starts a proxy on a loopback port in front of a JSON-RPC URL; everything passes until a test says otherwise. Batches are not supported. */
export async function jsonRpcProxy(target: string): Promise<JsonRpcProxy> {
  const faults = new Map<string, { fault: ProxyFault; left: number }>()
  const counts = new Map<string, number>()
  const server = createServer(
    (request, response) => void handle(request, response).catch(() => response.destroy()),
  )
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  await listen(0)
  const { port } = server.address() as AddressInfo

  return {
    url: `http://127.0.0.1:${port}`,
    fault: (method, fault, times = Number.POSITIVE_INFINITY) =>
      void faults.set(method, { fault, left: times }),
    heal: () => faults.clear(),
    refuse: close,
    accept: () => listen(port),
    calls: (method) =>
      method === undefined ? [...counts.values()].reduce((sum, n) => sum + n, 0) : (counts.get(method) ?? 0),
    stop: close,
  }

  function faultOf(method: string): ProxyFault | undefined {
    for (const key of [method, '*']) {
      const planned = faults.get(key)
      if (planned === undefined || planned.left <= 0) continue
      planned.left -= 1
      return planned.fault
    }
    return undefined
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const call = JSON.parse(Buffer.concat(chunks).toString()) as Call
    counts.set(call.method, (counts.get(call.method) ?? 0) + 1)
    await answer(target, call, faultOf(call.method), response)
  }
}

type Call = { id: unknown; method: string }

/** Answers a call as its fault wants it: not at all, without the target, or with what the target answered. */
async function answer(
  target: string,
  call: Call,
  fault: ProxyFault | undefined,
  response: ServerResponse,
): Promise<void> {
  const send = (status: number, text: string) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(text)
  const sendJson = (body: object) => send(200, JSON.stringify({ jsonrpc: '2.0', id: call.id, ...body }))
  switch (fault?.kind) {
    case 'hang':
      return
    case 'cut':
      return void response.destroy()
    case 'answer':
      return sendJson({ result: fault.result })
    case 'error':
      return sendJson({ error: fault.error })
    case 'body':
      return send(fault.status, fault.text)
    case 'delay':
      await sleep(fault.ms)
  }
  const forwarded = await fetch(target, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(call),
  })
  const text = await forwarded.text()
  switch (fault?.kind) {
    case 'mute':
      return
    case 'drop':
      return void response.destroy()
    case 'alter':
      return send(forwarded.status, JSON.stringify(fault.with(JSON.parse(text) as Record<string, unknown>)))
    default:
      return send(forwarded.status, text)
  }
}
