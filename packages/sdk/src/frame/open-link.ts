import type { ConnectMessage, FrameMessage } from '@symbolon/iframe/protocol'
import { failure, type Result, type SdkError, success } from '../result.ts'
import type { Link } from './connection.ts'
import type { FrameCode } from './frame-code.ts'
import { frameElement } from './frame-element.ts'
import { protocolVersion } from './protocol.ts'

/** Why a frame is given up. */
export type Refusal = { readonly data: null; readonly error: SdkError<FrameCode> }

/** How long a frame may take to load. */
const loadMs = 20_000
/** How long after that it may take to answer: one that is refused to this page loads too, but never answers. */
const greetingMs = 5_000

/**
 * Puts the frame at `url` on the page and greets it: one message to its exact origin with a port that nobody else holds. A frame
 * that loads again before it has answered (the platform was starting) is greeted again. `refused` may end the waiting with a reason.
 */
export function openLink(
  document: Document,
  url: URL,
  refused?: Promise<Refusal | undefined>,
): Promise<Result<Link, FrameCode>> {
  const element = frameElement(document, url.href)
  const loss = watchLoss(document, element)

  return new Promise((resolve) => {
    let isSettled = false
    let isLinked = false
    let pending: MessagePort | undefined
    const settle = (result: Result<Link, FrameCode>) => {
      if (isSettled) return
      isSettled = true
      clearTimeout(timer)
      if (result.error !== null) loss.lose()
      resolve(result)
    }
    const hint = `${url.origin} did not answer as the wallet frame. Check that it is up, and frame-src in the CSP of this page.`
    const unreachable = () =>
      settle(failure('frame_unreachable', 'The wallet could not be loaded.', { details: { hint } }))
    let timer = setTimeout(unreachable, loadMs)
    loss.onLost(unreachable)
    void refused?.then((refusal) => refusal && settle(refusal))

    element.iframe.addEventListener('load', () => {
      if (isLinked) return loss.lose()
      if (isSettled) return
      clearTimeout(timer)
      timer = setTimeout(unreachable, greetingMs)
      pending?.close()
      const nonce = randomNonce()
      pending = greet(element.iframe, url.origin, nonce, (port, message) => {
        if (message.type === 'refused') settle(failure(message.code, refusals[message.code]))
        if (message.type !== 'connected' || message.nonce !== nonce || isSettled) return
        isLinked = true
        const { show, showStrip, isConnected: isAlive } = element
        const { lose: remove, onLost } = loss
        settle(success({ port, session: message.session, show, showStrip, isAlive, remove, onLost }))
      })
    })
  })
}

/** Runs listeners once, when the frame is taken off the page or given up. */
function watchLoss(document: Document, element: ReturnType<typeof frameElement>) {
  const listeners = new Set<() => void>()
  const lose = () => {
    observer.disconnect()
    for (const listener of [...listeners]) listener()
    listeners.clear()
    element.remove()
  }
  const observer = new MutationObserver(() => {
    if (!element.isConnected()) lose()
  })
  observer.observe(document.documentElement, { childList: true, subtree: true })
  return { lose, onLost: (listener: () => void) => listeners.add(listener) }
}

/** Sends the frame one end of a new channel; returns the other, on which `onMessage` gets the frame's messages. */
function greet(
  iframe: HTMLIFrameElement,
  origin: string,
  nonce: string,
  onMessage: (port: MessagePort, message: FrameMessage) => void,
): MessagePort {
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = ({ data }: MessageEvent<FrameMessage>) => onMessage(port1, data)
  const hello: ConnectMessage = { type: 'symbolon:connect', version: protocolVersion, nonce }
  iframe.contentWindow?.postMessage(hello, origin, [port2])
  return port1
}

const refusals = {
  unsupported_version: 'This page and the wallet have different versions. Reload the page.',
  invalid_publishable_key: 'The wallet does not know this publishable key.',
}

/** 16 random bytes in base64url. */
function randomNonce(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
