import type { FastifyReply, FastifyRequest } from 'fastify'

/** Requests that wait for their answer. */
export type AnswerDeadline = {
  /** Counts from now. */
  begin(request: FastifyRequest, reply: FastifyReply): void
  end(request: FastifyRequest): void
  close(): void
}

const sweepMs = 250

/**
 * Gives requests up that have no answer after `limitMs`: `late` answers them. What they began goes on and its outcome is
 * dropped, as when the caller had hung up. A body that is still on its way is not ours to hurry.
 */
export function answerDeadline(
  limitMs: number,
  late: (request: FastifyRequest, reply: FastifyReply) => void,
): AnswerDeadline {
  // In the order of their arrival, which is the order of their ends.
  const waiting = new Map<FastifyRequest, { reply: FastifyReply; endsAt: number }>()

  const timer = setInterval(() => {
    const now = performance.now()
    for (const [request, { reply, endsAt }] of waiting) {
      if (endsAt > now) return
      if (isBodyAwaited(request)) continue
      waiting.delete(request)
      late(request, reply)
    }
  }, sweepMs).unref()

  return {
    begin(request, reply) {
      waiting.set(request, { reply, endsAt: performance.now() + limitMs })
    },
    end(request) {
      waiting.delete(request)
    },
    close() {
      clearInterval(timer)
    },
  }
}

// Before the caller is admitted the body is not even asked for.
const isBodyAwaited = ({ raw, admitted }: FastifyRequest): boolean =>
  !raw.complete && !raw.destroyed && admitted !== undefined
