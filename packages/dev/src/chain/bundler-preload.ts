/**
 * Runs before the bundler in its process. Every server it opens is bound to the loopback interface (it would take all) and answers its names only,
 * its first request waits until the owner says that the chain is there, and it ends with its owner, however that dies. Its
 * error reporting, which reports to nobody here, is not loaded: that is a third of its start.
 */

import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import { registerHooks } from 'node:module'
import net from 'node:net'
import { isMainThread } from 'node:worker_threads'
import { isForLoopback } from './loopback-host.ts'

const quietReporting =
  'export const init = () => {}, captureException = () => "", httpIntegration = () => ({})'
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@sentry/node'
      ? { url: `data:text/javascript,${encodeURIComponent(quietReporting)}`, shortCircuit: true }
      : next(specifier, context),
})

const listen = net.Server.prototype.listen as (this: net.Server, ...args: unknown[]) => net.Server
const bound = function (this: net.Server, ...args: unknown[]): net.Server {
  const [first, second] = args
  if (typeof first === 'object' && first !== null && 'port' in first)
    return listen.call(this, { ...first, host: '127.0.0.1' }, ...args.slice(1))
  if (typeof first === 'number')
    return listen.call(this, first, '127.0.0.1', ...args.slice(typeof second === 'string' ? 2 : 1))
  return listen.apply(this, args)
}
net.Server.prototype.listen = bound as typeof net.Server.prototype.listen

const emit = http.Server.prototype.emit as (this: http.Server, name: string, ...args: unknown[]) => boolean
http.Server.prototype.emit = function (this: http.Server, name: string, ...args: unknown[]): boolean {
  const [request, response] = args as [IncomingMessage, ServerResponse]
  if ((name !== 'request' && name !== 'upgrade') || isForLoopback(request))
    return emit.call(this, name, ...args)
  if (name === 'upgrade') request.destroy()
  else response.writeHead(421).end()
  return true
} as typeof http.Server.prototype.emit

if (isMainThread) {
  const { promise: go, resolve } = Promise.withResolvers<void>()
  const { fetch } = globalThis
  globalThis.fetch = async (...args: Parameters<typeof fetch>) => {
    await go
    return fetch(...args)
  }
  const end = () => process.exit(0)
  process.stdin
    .on('data', () => resolve())
    .on('end', end)
    .on('error', end)
}
