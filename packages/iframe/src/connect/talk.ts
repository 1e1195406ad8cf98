import { FrameFailure, toFrameError } from '../frame-failure.ts'
import type {
  AnswerMessage,
  DialogMessage,
  JsonObject,
  MethodName,
  MethodParams,
  MethodResult,
} from '../protocol/messages.ts'
import { isObject, readFields } from '../requests/read-fields.ts'
import { isMethodName, readParams } from '../requests/read-params.ts'
import type { AcceptedPage } from './accept-page.ts'
import { plainMessage } from './plain-message.ts'

/** What a method does with its parameters; `signal` aborts with the failure that the page is then told. */
export type Handlers = {
  readonly [name in MethodName]: (
    params: MethodParams<name>,
    signal: AbortSignal,
  ) => Promise<MethodResult<name>>
}

/** Requests at once; a page that sends more is told so. */
const requestsMax = 32
/** Longer than anything that waits for a person: a code lives for 15 minutes. */
const requestLimitMs = 20 * 60_000

type Waiting = { readonly abort: AbortController; readonly timer: ReturnType<typeof setTimeout> }

/**
 * Serves the requests of an accepted page over its port: of this session only, each id once and above the last one, its
 * fields exactly those of the protocol. What is not even a request is dropped without an answer.
 */
export function talk({ port, session }: AcceptedPage, handlers: Handlers) {
  const waiting = new Map<number, Waiting>()
  let lastId = -1

  function answer(id: number, outcome: { result: unknown } | { error: unknown }): void {
    const message: AnswerMessage =
      'result' in outcome
        ? { type: 'answer', session, id, result: outcome.result }
        : { type: 'answer', session, id, error: toFrameError(outcome.error) }
    port.postMessage(message)
  }

  async function serve<name extends MethodName>(id: number, method: name, params: unknown): Promise<void> {
    const abort = new AbortController()
    const timer = setTimeout(() => abort.abort(new FrameFailure('timeout')), requestLimitMs)
    waiting.set(id, { abort, timer })
    try {
      const result = await handlers[method](readParams(method, params), abort.signal)
      answer(id, { result })
    } catch (error) {
      answer(id, { error: abort.signal.aborted ? abort.signal.reason : error })
    } finally {
      clearTimeout(timer)
      waiting.delete(id)
    }
  }

  function onRequest(id: number, message: JsonObject): void {
    const { method, params } = message
    if (!isMethodName(method)) {
      answer(id, { error: new FrameFailure('invalid_request', { message: 'There is no such method.' }) })
    } else if (waiting.size >= requestsMax) {
      const text = 'Too many requests at once. Try again later.'
      answer(id, { error: new FrameFailure('rate_limited', { message: text }) })
    } else void serve(id, method, params)
  }

  function onMessage(data: unknown): void {
    const envelope = readEnvelope(data, session)
    if (envelope === undefined) return
    if (envelope.type === 'cancel') {
      waiting.get(envelope.id)?.abort.abort(new FrameFailure('cancelled'))
      return
    }
    if (envelope.id <= lastId) return
    lastId = envelope.id
    const message = plainMessage(data)
    if (!message.isPlain) {
      answer(envelope.id, { error: new FrameFailure(message.code) })
      return
    }
    try {
      onRequest(envelope.id, readFields(message.value, ['type', 'session', 'id', 'method', 'params']))
    } catch (error) {
      answer(envelope.id, { error })
    }
  }

  port.addEventListener('message', (event) => onMessage(event.data))
  port.start()

  return {
    /** Tells the page that something is shown over it, or no more. */
    showDialog(open: boolean): void {
      port.postMessage({ type: 'dialog', session, open } satisfies DialogMessage)
    },
  }
}

/** What a message is and of which request, read before the rest of it is looked at. */
function readEnvelope(
  data: unknown,
  session: string,
): { readonly type: 'request' | 'cancel'; readonly id: number } | undefined {
  if (!isObject(data) || data['session'] !== session) return undefined
  const { type, id } = data
  if (typeof id !== 'number' || !Number.isSafeInteger(id) || id < 0) return undefined
  return type === 'request' || type === 'cancel' ? { type, id } : undefined
}
