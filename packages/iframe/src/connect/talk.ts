import { FrameFailure, toFrameError } from '../frame-failure.ts'
import type {
  AnswerMessage,
  DialogMessage,
  JsonObject,
  MethodName,
  MethodParams,
  MethodResult,
  StripMessage,
} from '../protocol/messages.ts'
import { isObject, readFields } from '../requests/read-fields.ts'
import { isMethodName, readParams } from '../requests/read-params.ts'
import type { AcceptedPage } from './accept-page.ts'
import { plainMessage } from './plain-message.ts'

/** Serves each method; `signal` aborts with the failure that the page then receives. */
export type Handlers = {
  readonly [name in MethodName]: (
    params: MethodParams<name>,
    signal: AbortSignal,
  ) => Promise<MethodResult<name>>
}

/** Requests at once; one more fails as `rate_limited`. */
const requestsMax = 32
/** Longer than anything that waits for a person: a code lives for 15 minutes. */
const requestLimitMs = 20 * 60_000

/** The conversation with one page; `waiting` has the requests that are not answered yet. */
type Line = AcceptedPage & {
  readonly handlers: Handlers
  readonly waiting: Map<number, AbortController>
  lastId: number
}

/**
 * Serves the requests of an accepted page over its port: of this session only, each id once and above the last one, its
 * fields exactly those of the protocol. Drops what is not a request without an answer.
 */
export function talk(page: AcceptedPage, handlers: Handlers) {
  const { port, session } = page
  const line: Line = { ...page, handlers, waiting: new Map(), lastId: -1 }
  port.addEventListener('message', (event) => receive(line, event.data))
  port.start()

  return {
    /** Reports to the page whether a dialog is shown over it. */
    showDialog(open: boolean): void {
      port.postMessage({ type: 'dialog', session, open } satisfies DialogMessage)
    },
    /** Reports to the page whether a text is shown at its edge. */
    showStrip(open: boolean): void {
      port.postMessage({ type: 'strip', session, open } satisfies StripMessage)
    },
  }
}

function receive(line: Line, data: unknown): void {
  const envelope = readEnvelope(data, line.session)
  if (envelope === undefined) return
  const { id } = envelope
  if (envelope.type === 'cancel') {
    line.waiting.get(id)?.abort(new FrameFailure('cancelled'))
    return
  }
  if (id <= line.lastId) return
  line.lastId = id
  const message = plainMessage(data)
  if (!message.isPlain) {
    answer(line, id, { error: new FrameFailure(message.code) })
    return
  }
  try {
    request(line, id, readFields(message.value, ['type', 'session', 'id', 'method', 'params']))
  } catch (error) {
    answer(line, id, { error })
  }
}

function request(line: Line, id: number, { method, params }: JsonObject): void {
  if (!isMethodName(method)) {
    answer(line, id, { error: new FrameFailure('invalid_request', { message: 'Method not found.' }) })
  } else if (line.waiting.size >= requestsMax) {
    const text = 'Too many requests at once. Try again later.'
    answer(line, id, { error: new FrameFailure('rate_limited', { message: text }) })
  } else void serve(line, id, method, params)
}

async function serve<name extends MethodName>(
  line: Line,
  id: number,
  method: name,
  params: unknown,
): Promise<void> {
  const abort = new AbortController()
  const timer = setTimeout(() => abort.abort(new FrameFailure('timeout')), requestLimitMs)
  line.waiting.set(id, abort)
  try {
    const result = await line.handlers[method](readParams(method, params), abort.signal)
    answer(line, id, { result })
  } catch (error) {
    answer(line, id, { error: abort.signal.aborted ? abort.signal.reason : error })
  } finally {
    clearTimeout(timer)
    line.waiting.delete(id)
  }
}

function answer(
  { port, session }: Line,
  id: number,
  outcome: { result: unknown } | { error: unknown },
): void {
  const message: AnswerMessage =
    'result' in outcome
      ? { type: 'answer', session, id, result: outcome.result }
      : { type: 'answer', session, id, error: toFrameError(outcome.error) }
  port.postMessage(message)
}

/** The type and request id of a message, read before anything else of it. */
function readEnvelope(
  data: unknown,
  session: string,
): { readonly type: 'request' | 'cancel'; readonly id: number } | undefined {
  if (!isObject(data) || data['session'] !== session) return undefined
  const { type, id } = data
  if (typeof id !== 'number' || !Number.isSafeInteger(id) || id < 0) return undefined
  return type === 'request' || type === 'cancel' ? { type, id } : undefined
}
