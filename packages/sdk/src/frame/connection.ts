import type {
  AnswerMessage,
  FrameError,
  FrameMessage,
  MethodName,
  MethodParams,
  MethodResult,
} from '@symbolon/iframe/protocol'
import { toJson } from '../json.ts'
import { failure, type Result } from '../result.ts'
import type { FrameCode } from './frame-code.ts'
import { messageBytesMax } from './protocol.ts'

/** A greeted frame: its port, the session that the greeting named, and the element around it. */
export type Link = {
  readonly port: MessagePort
  readonly session: string
  /** Lays the frame over the page, or hides it. */
  readonly show: (isOpen: boolean) => void
  /** Lays a strip of the frame at the edge of the page, which stays usable, or hides it. */
  readonly showStrip: (isOpen: boolean) => void
  /** False once the frame has left the page or has loaded again. */
  readonly isAlive: () => boolean
  /** Takes the frame off the page. */
  readonly remove: () => void
  /** Calls back once when the frame is lost. */
  readonly onLost: (listener: () => void) => void
}

/** Requests over one link, answered in any order. */
export type Connection = {
  request<name extends MethodName>(
    method: name,
    params: MethodParams<name>,
    options?: RequestOptions,
  ): Promise<Result<MethodResult<name>, FrameCode>>
  isAlive(): boolean
  close(): void
}

/** `signal` cancels in the frame too. `limitMs`: the longest wait. */
export type RequestOptions = { readonly signal?: AbortSignal; readonly limitMs?: number }

type Answered = Result<unknown>

// The frame gives up after 20 minutes; this limit is for a frame that vanished.
const limitMsDefault = 21 * 60_000

/** Speaks the frame's protocol over a link. `baseUrl` has the pages about the API's errors. */
export function connection(link: Link, baseUrl: string): Connection {
  const { port, session } = link
  const waiting = new Map<number, (result: Answered) => void>()
  let lastId = 0
  let isOpen = true

  const lose = () => {
    isOpen = false
    port.close()
    for (const settle of waiting.values())
      settle(failure('frame_lost', 'The wallet was closed during the call. Try again.'))
    waiting.clear()
  }
  link.onLost(lose)
  port.onmessage = ({ data }: MessageEvent<FrameMessage>) => {
    if (typeof data !== 'object' || data === null || !('session' in data) || data.session !== session) return
    if (data.type === 'dialog') link.show(data.open)
    if (data.type === 'strip') link.showStrip(data.open)
    if (data.type === 'answer') waiting.get(data.id)?.(resultOf(data, baseUrl))
  }

  return {
    isAlive: () => isOpen && link.isAlive(),
    close() {
      lose()
      link.remove()
    },
    request(method, params, { signal, limitMs = limitMsDefault } = {}) {
      const id = ++lastId
      const text = toJson({ type: 'request', session, id, method, params })
      if (new TextEncoder().encode(text).length > messageBytesMax)
        return Promise.resolve(failure('message_too_large', 'The request is too large to be signed.'))
      if (signal?.aborted) return Promise.resolve(failure('cancelled', 'The call was cancelled.'))
      return new Promise((resolve) => {
        const settle = (result: Answered) => {
          clearTimeout(timer)
          signal?.removeEventListener('abort', cancel)
          waiting.delete(id)
          resolve(result as never)
        }
        const giveUp = (code: FrameCode, text: string) => {
          if (isOpen) port.postMessage({ type: 'cancel', session, id })
          settle(failure(code, text))
        }
        const cancel = () => giveUp('cancelled', 'The call was cancelled.')
        const timer = setTimeout(() => giveUp('timeout', 'The wallet took too long to answer.'), limitMs)
        signal?.addEventListener('abort', cancel, { once: true })
        waiting.set(id, settle)
        port.postMessage(JSON.parse(text))
      })
    },
  }
}

function resultOf(message: AnswerMessage, baseUrl: string): Answered {
  if ('result' in message) return { data: message.result, error: null }
  const { code, message: text, details, request_id }: FrameError = message.error
  const more = {
    ...(details !== undefined && { details }),
    // Only the API's own errors have an id.
    ...(request_id !== undefined && { requestId: request_id, docs_url: `${baseUrl}/docs/errors/${code}` }),
  }
  const failed = failure(code, text, more)
  const wallet = code === 'wallet_exists' ? details?.['wallet'] : undefined
  return wallet === undefined ? failed : ({ ...failed, data: wallet } as never)
}
