import type { ConnectMessage, FrameMessage } from '@symbolon/iframe/protocol'
import { failure, type Result, success } from '../result.ts'
import type { Link } from './connection.ts'
import type { FrameCode } from './frame-code.ts'
import { frameElement } from './frame-element.ts'
import { protocolVersion } from './protocol.ts'

/** How long a frame may take to load. */
const loadMs = 20_000
/** How long after that it may take to answer: one that is refused to this page loads too, but never answers. */
const greetingMs = 5_000

/**
 * Puts the frame on the page and greets it: one message to its exact origin with a port that nobody else holds. A frame
 * that loads again before it has answered (the platform was starting) is greeted again.
 */
export function openLink(
  document: Document,
  { baseUrl, publishableKey }: { baseUrl: string; publishableKey: string },
): Promise<Result<Link, FrameCode>> {
  const url = new URL(`${baseUrl}/frame`)
  url.searchParams.set('publishable_key', publishableKey)
  const element = frameElement(document, url.href)
  const { iframe } = element
  const lostListeners = new Set<() => void>()
  const lose = () => {
    observer.disconnect()
    for (const listener of [...lostListeners]) listener()
    lostListeners.clear()
    element.remove()
  }
  const observer = new MutationObserver(() => {
    if (!element.isConnected()) lose()
  })

  return new Promise((resolve) => {
    let isSettled = false
    let isLinked = false
    let pending: MessagePort | undefined
    const settle = (result: Result<Link, FrameCode>) => {
      if (isSettled) return
      isSettled = true
      clearTimeout(timer)
      if (result.error !== null) lose()
      resolve(result)
    }
    const unreachable = () => settle(failure('frame_unreachable', 'The wallet could not be loaded.'))
    let timer = setTimeout(unreachable, loadMs)
    lostListeners.add(unreachable)
    observer.observe(document.documentElement, { childList: true, subtree: true })

    iframe.addEventListener('load', () => {
      if (isLinked) return lose()
      if (isSettled) return
      clearTimeout(timer)
      timer = setTimeout(unreachable, greetingMs)
      pending?.close()
      const { port1, port2 } = new MessageChannel()
      pending = port1
      const nonce = randomNonce()
      port1.onmessage = ({ data }: MessageEvent<FrameMessage>) => {
        if (data.type === 'refused') settle(failure(data.code, refusals[data.code]))
        if (data.type !== 'connected' || data.nonce !== nonce || isSettled) return
        isLinked = true
        settle(
          success({
            port: port1,
            session: data.session,
            show: element.show,
            isAlive: element.isConnected,
            remove: lose,
            onLost: (listener) => lostListeners.add(listener),
          }),
        )
      }
      const hello: ConnectMessage = { type: 'symbolon:connect', version: protocolVersion, nonce }
      iframe.contentWindow?.postMessage(hello, url.origin, [port2])
    })
  })
}

const refusals = {
  unsupported_version: 'This page and the wallet speak different versions. Reload the page.',
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
