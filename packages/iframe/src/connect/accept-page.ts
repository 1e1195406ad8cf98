import { type ConnectedMessage, protocolVersion, type RefusedMessage } from '../protocol/messages.ts'
import { isAllowedOrigin, type OriginRule } from './is-allowed-origin.ts'
import { readConnect } from './read-connect.ts'

/** The end of a channel that the page transferred, as far as the frame uses it. */
export type Port = {
  postMessage(message: unknown): void
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void
  start(): void
  close(): void
}

/** A message to the frame's window, as far as the frame looks at it. */
export type WindowMessage = {
  readonly data: unknown
  readonly origin: string
  readonly source: unknown
  readonly ports: readonly Port[]
}

/** A page that has been let in: its port, its origin as the browser named it, and the session of this talk. */
export type AcceptedPage = { readonly port: Port; readonly origin: string; readonly session: string }

/**
 * Lets one page in: the window that embeds the frame (`parent`), from an allowed origin, with one port and the exact
 * opening message. Whatever else arrives is not answered at all, so that nobody learns anything; a page that was let in
 * stays the only one until the frame is loaded again. The returned function takes each message of the window and answers
 * the page, once.
 */
export function pageAcceptor(
  rule: OriginRule & { readonly parent: unknown; newSession(): string },
): (event: WindowMessage) => AcceptedPage | undefined {
  let isTaken = false

  return ({ data, origin, source, ports }) => {
    const [port] = ports
    if (isTaken || port === undefined || ports.length !== 1) return undefined
    if (source === null || source !== rule.parent || !isAllowedOrigin(origin, rule)) return undefined
    const opening = readConnect(data)
    if (opening === undefined) return undefined
    isTaken = true
    if (opening.version !== protocolVersion) {
      port.postMessage({ type: 'refused', code: 'unsupported_version' } satisfies RefusedMessage)
      port.close()
      return undefined
    }
    const session = rule.newSession()
    const connected = { type: 'connected', version: protocolVersion, nonce: opening.nonce, session } as const
    port.postMessage(connected satisfies ConnectedMessage)
    return { port, origin, session }
  }
}
