import type { FastifyInstance, FastifyReply } from 'fastify'

/** Signals that end with their requests: a caller who hangs up, or a server that closes, fires them. */
export function requestSignals(app: FastifyInstance): (reply: FastifyReply) => AbortSignal {
  const living = new Set<AbortController>()
  let isClosing = false
  app.addHook('preClose', (done) => {
    isClosing = true
    for (const each of living) each.abort()
    done()
  })
  return ({ raw }) => {
    const controller = new AbortController()
    if (isClosing || raw.destroyed) {
      controller.abort()
      return controller.signal
    }
    living.add(controller)
    raw.once('close', () => {
      living.delete(controller)
      controller.abort()
    })
    return controller.signal
  }
}
