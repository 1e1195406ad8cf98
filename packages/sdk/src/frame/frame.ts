import type { MethodName, MethodParams, MethodResult } from '@symbolon/iframe/protocol'
import type { Result } from '../result.ts'
import { type Connection, connection, type Link, type RequestOptions } from './connection.ts'
import type { FrameCode } from './frame-code.ts'

/** The wallet frame as the client uses it: put on the page at the first need, and again after it was lost. */
export type Frame = {
  /** Asks the frame, once it knows the login. */
  request<name extends MethodName>(
    method: name,
    params: MethodParams<name>,
    options?: RequestOptions,
  ): Promise<Result<MethodResult<name>, FrameCode>>
  /** Loads the frame ahead of the first need. */
  preload(): Promise<Result<null, FrameCode>>
  /** Sends the changed login to a loaded frame. */
  follow(): void
  /** Takes the frame off the page; the next request brings another. */
  close(): void
}

type Ports = {
  readonly baseUrl: string
  readonly open: () => Promise<Result<Link, FrameCode>>
  readonly token: () => string | null
}
type Opened = {
  readonly connection: Connection
  sentToken: string | null
  sending: Promise<Result<unknown, FrameCode>>
}

/** The frame that `open` brings, kept in step with the login of `token`. */
export function frame({ baseUrl, open, token }: Ports): Frame {
  let opening: Promise<Result<Opened, FrameCode>> | undefined

  const connect = async (): Promise<Result<Opened, FrameCode>> => {
    const linked = await open()
    if (linked.error !== null) return linked
    const done = Promise.resolve({ data: null, error: null })
    return {
      data: { connection: connection(linked.data, baseUrl), sentToken: null, sending: done },
      error: null,
    }
  }
  const opened = async (): Promise<Result<Opened, FrameCode>> => {
    opening ??= connect()
    const mine = opening
    const current = await mine
    if (current.error === null && current.data.connection.isAlive()) return current
    // The first caller to find it dead loads another one; the others wait for it.
    if (opening === mine) opening = undefined
    return current.error === null ? opened() : current
  }
  const sendToken = (current: Opened) => {
    const next = token()
    if (next !== current.sentToken) {
      current.sentToken = next
      current.sending = current.connection.request('session.set', { token: next }, { limitMs: 15_000 })
    }
    return current.sending
  }

  return {
    async request(method, params, options) {
      const current = await opened()
      if (current.error !== null) return current
      const sent = await sendToken(current.data)
      if (sent.error !== null) {
        current.data.sentToken = null
        return sent
      }
      return current.data.connection.request(method, params, options)
    },
    async preload() {
      const { error } = await opened()
      return error === null ? { data: null, error } : { data: null, error }
    },
    follow() {
      void opening?.then((current) => {
        if (current.error === null) void sendToken(current.data)
      })
    },
    close() {
      void opening?.then((current) => current.data?.connection.close())
      opening = undefined
    },
  }
}
