import type { FastifyInstance } from 'fastify'

const loopback = /^(?:localhost|\[::1\]|127(?:\.\d{1,3}){3})$/

/**
 * Leads browsers that came to the portal by another name of this machine (`localhost` for `127.0.0.1`) to the platform's own one:
 * cookies belong to a name, and the identity provider leads back to that one.
 */
export function leadToOneHost(app: FastifyInstance, baseUrl: string): void {
  const base = new URL(baseUrl)
  app.addHook('onRequest', async (request, reply) => {
    if (request.method !== 'GET' || !/^\/(?:portal|v1\/auth\/login)(?=[/?]|$)/.test(request.url)) return
    const asked = URL.parse(`http://${request.headers.host}`)
    const isOther = asked !== null && loopback.test(asked.hostname) && asked.hostname !== base.hostname
    if (isOther && asked.port === base.port) return reply.redirect(`${base.origin}${request.url}`, 302)
  })
}
