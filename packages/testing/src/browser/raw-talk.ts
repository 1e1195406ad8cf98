import type { FrameMessage } from '@symbolon/iframe/protocol'
import type { Page } from 'playwright-core'

/** How a page of a test talks to the frame without the SDK: whatever it likes, right or wrong. Lives in the page as `talk`. */
export type RawTalk = {
  /** Everything that came over the port, oldest first. */
  received: FrameMessage[]
  session: string
  /** Puts the frame into the page and waits until it has loaded, or failed to. */
  embed(url: string): Promise<void>
  /** Opens the talk as documented, or with `changes` to the message; the first answer, or null when none comes in time. */
  connect(
    changes?: Record<string, unknown>,
    options?: { portCount?: number; waitMs?: number },
  ): Promise<FrameMessage | null>
  /** Sends anything over the port. */
  send(message: unknown): void
  /** Sends a request with the next id and waits for its answer; null when none comes in time. */
  request(method: string, params?: unknown, waitMs?: number): Promise<FrameMessage | null>
  /** The answer to an id, or null when none comes in time. */
  answerTo(id: number, waitMs?: number): Promise<FrameMessage | null>
  nextId: number
}

/** Makes `talk` known to a page that is open. */
export async function installTalk(page: Page): Promise<void> {
  await page.evaluate(installArrivals)
  await page.evaluate(installRawTalk)
}

/** What has come over the port, and waiting for what may come. Lives in the page as `arrivals`. */
type Arrivals = {
  received: FrameMessage[]
  add(message: FrameMessage): void
  /** The first message that is wanted, come or to come; null when none comes in time. */
  first(isWanted: (message: FrameMessage) => boolean, waitMs: number): Promise<FrameMessage | null>
}

declare global {
  var talk: RawTalk
  var arrivals: Arrivals
}

/** Runs in the page: stands alone. */
function installArrivals(): void {
  const received: FrameMessage[] = []
  const events = new EventTarget()
  globalThis.arrivals = {
    received,
    add(message) {
      received.push(message)
      events.dispatchEvent(new Event('message'))
    },
    first: (isWanted, waitMs) =>
      new Promise((resolve) => {
        const look = () => {
          const found = received.find(isWanted)
          if (found !== undefined) done(found)
        }
        const done = (found: FrameMessage | null) => {
          clearTimeout(timer)
          events.removeEventListener('message', look)
          resolve(found)
        }
        const timer = setTimeout(() => done(null), waitMs)
        events.addEventListener('message', look)
        look()
      }),
  }
}

/** Runs in the page: stands alone. */
function installRawTalk(): void {
  const { received } = arrivals
  let frame: HTMLIFrameElement | undefined
  let port: MessagePort | undefined

  const layOver = (isOpen: boolean) =>
    frame?.setAttribute('style', isOpen ? 'position:fixed;inset:0;width:100%;height:100%;border:0' : '')

  globalThis.talk = {
    received,
    session: '',
    nextId: 1,

    async embed(url) {
      frame = document.createElement('iframe')
      const loaded = new Promise((resolve) => frame?.addEventListener('load', resolve))
      frame.src = url
      document.body.append(frame)
      await loaded
    },

    async connect(changes = {}, { portCount = 1, waitMs = 5_000 } = {}) {
      const random = crypto.getRandomValues(new Uint8Array(16))
      const nonce = btoa(String.fromCharCode(...random))
        .replace(/\+/g, '-')
        .replace(/\//g, '_')
        .replace(/=/g, '')
      const channels = Array.from({ length: portCount }, () => new MessageChannel())
      port = channels[0]?.port1
      const from = received.length
      if (port !== undefined) {
        port.onmessage = ({ data }) => {
          if (data.type === 'dialog') layOver(data.open)
          arrivals.add(data)
        }
      }
      frame?.contentWindow?.postMessage(
        { type: 'symbolon:connect', version: 1, nonce, ...changes },
        '*',
        channels.map((channel) => channel.port2),
      )
      const first = await arrivals.first((message) => received.indexOf(message) >= from, waitMs)
      if (first?.type === 'connected') talk.session = first.session
      return first
    },

    send: (message) => port?.postMessage(message),

    request(method, params = {}, waitMs = 10_000) {
      const id = talk.nextId++
      talk.send({ type: 'request', session: talk.session, id, method, params })
      return talk.answerTo(id, waitMs)
    },

    answerTo: (id, waitMs = 10_000) =>
      arrivals.first((message) => message.type === 'answer' && message.id === id, waitMs),
  }
}
