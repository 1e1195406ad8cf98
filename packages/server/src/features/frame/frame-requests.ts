import { ApiError } from '@symbolon/api'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { assetsPath, documentPath } from './frame-page.ts'

/** Whether a request is for the frame's origin: by the port that it came in at, or by the host that it names. */
export type FrameRequests = (request: Pick<FastifyRequest, 'host' | 'raw'>) => boolean

/** Tells the requests for the frame's origin from others; `port` is one that serves the frame alone. */
export function frameRequests(frameOrigin: string, port: number | undefined): FrameRequests {
  if (port !== undefined) return ({ raw }) => raw.socket.localPort === port
  const { host, protocol } = new URL(frameOrigin)
  return (request) => URL.parse(`${protocol}//${request.host}`)?.host === host
}

const isFramePath = (path: string): boolean =>
  ['/', '/frame', documentPath].includes(path) || path.startsWith(`${assetsPath}/`)

/**
 * Answers 404 to whatever else is asked of the frame's origin, and to requests for the frame anywhere else, except that `/` leads to
 * `homePath` where there is one.
 */
export function keepApart(http: FastifyInstance, isForFrame: FrameRequests, homePath?: string): void {
  http.addHook('onRequest', (request, reply, done) => {
    const [path = ''] = request.url.split('?')
    if (homePath !== undefined && path === '/' && !isForFrame(request))
      return void reply.redirect(homePath, 302)
    if (isForFrame(request) === isFramePath(path)) done()
    else done(new ApiError('not_found'))
  })
}
