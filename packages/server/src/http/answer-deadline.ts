import type { FastifyReply, FastifyRequest } from 'fastify'

/** Requests that wait for their answer. */
export type AnswerDeadline = {
  /** Counts from now. `limitMs` replaces the limit of every request. */
  begin(request: FastifyRequest, reply: FastifyReply, limitMs?: number): void
  end(request: FastifyRequest): void
  close(): void
}

const sweepMs = 250

/**
 * Gives requests up that have no answer after `limitMs`: `late` answers them. Their work continues, and its outcome is
 * dropped, as when the caller had hung up. A body that is still on its way is not ours to hurry.
 */
export function answerDeadline(
  limitMs: number,
  late: (request: FastifyRequest, reply: FastifyReply, limitMs: number) => void,
): AnswerDeadline {
  type Line = Map<FastifyRequest, { reply: FastifyReply; endsAt: number }>
  // A line per limit: in each the order of arrival is the order of the ends.
  const lines = new Map<number, Line>()

  const timer = setInterval(() => {
    for (const [ownLimitMs, line] of lines) sweep(line, ownLimitMs)
  }, sweepMs).unref()

  function sweep(line: Line, ownLimitMs: number): void {
    const now = performance.now()
    for (const [request, { reply, endsAt }] of line) {
      if (endsAt > now) return
      if (isBodyAwaited(request)) continue
      line.delete(request)
      // A stream takes its time, and clients that hung up get nothing: the framework never sees the end of their bodies.
      if (!reply.raw.headersSent && !reply.raw.destroyed) late(request, reply, ownLimitMs)
    }
  }

  return {
    begin(request, reply, ownLimitMs = limitMs) {
      let line = lines.get(ownLimitMs)
      if (line === undefined) {
        line = new Map()
        lines.set(ownLimitMs, line)
      }
      line.set(request, { reply, endsAt: performance.now() + ownLimitMs })
    },
    end(request) {
      for (const line of lines.values()) if (line.delete(request)) return
    },
    close() {
      clearInterval(timer)
    },
  }
}

// The body is read only after the request is authenticated.
const isBodyAwaited = ({ raw, authenticated }: FastifyRequest): boolean =>
  !raw.complete && !raw.destroyed && authenticated !== undefined
