import type { BrowserContext, Frame, Page, Request } from 'playwright-core'
import { keyTraces, traceIn } from './key-traces.ts'
import { recordInPage } from './record-in-page.ts'
import { storageOf } from './storage-of.ts'

/** Something that went in or out of a page or frame: where it was seen, and all of it. */
export type Piece = { where: string; bytes: Buffer }

/** Everything that a browser context let through, from the moment it was watched. */
export type Traffic = {
  pieces: Piece[]
  /** Violations of a content security policy, in any frame. */
  violations: string[]
  /** Errors that nobody caught, in any frame. */
  errors: string[]
  /** Adds what the pages hold now: storage of every frame, cookies, and the documents of `documentsOf` frames. */
  takeStock(): Promise<void>
  /** Throws when the key, or 16 bytes of it, is in anything that was recorded, in any common form. Takes stock first. */
  assertNoKeyBytes(key: Uint8Array, publicKey?: Uint8Array): Promise<void>
}

/**
 * Watches a context, before its first page opens: bodies and addresses of every request and answer (WebSockets too),
 * every message of windows, ports and channels, the console, and at `takeStock` all storage and the pages' documents
 * (not the frames': what the vault shows its user there is for the user's eyes).
 */
export async function watchTraffic(context: BrowserContext): Promise<Traffic> {
  const pieces: Piece[] = []
  const violations: string[] = []
  const errors: string[] = []
  const pending = new Set<Promise<void>>()
  const add: Add = (where, content) => {
    if (content !== null) pieces.push({ where, bytes: Buffer.from(content as string) })
  }
  const track = (work: Promise<void>) => {
    pending.add(work)
    void work.finally(() => pending.delete(work))
  }

  await context.exposeBinding('symbolonRecord', (source, kind: string, content: string) => {
    if (kind === 'violation') violations.push(`${source.frame.url()}: ${content}`)
    add(`${kind} in ${source.frame.url()}`, content)
  })
  await context.addInitScript(recordInPage)
  context.on('request', (request) => track(addRequest(add, request)))
  context.on('requestfinished', (request) => track(addAnswer(add, request).catch(() => {})))
  context.on('console', (message) => add('console', message.text()))
  context.on('weberror', (error) => {
    errors.push(String(error.error()))
    add('uncaught error', String(error.error().stack))
  })
  context.on('page', (page) => addSockets(add, page))

  async function takeStock() {
    while (pending.size > 0) await Promise.allSettled([...pending])
    add('cookies', JSON.stringify(await context.cookies()))
    for (const page of context.pages()) {
      add(`document of ${page.url()}`, await page.content().catch(() => null))
      for (const frame of page.frames()) add(`storage of ${frame.url()}`, await storageOf(frame))
    }
  }

  return {
    pieces,
    violations,
    errors,
    takeStock,
    async assertNoKeyBytes(key, publicKey) {
      await takeStock()
      const traces = keyTraces(key, publicKey)
      for (const { where, bytes } of pieces) {
        const what = traceIn(bytes, traces)
        if (what !== undefined) throw new Error(`${where} has ${what}.`)
      }
    },
  }
}

type Add = (where: string, content: string | Buffer | null) => void

async function addRequest(add: Add, request: Request): Promise<void> {
  const where = `${request.method()} ${request.url()}`
  add(where, request.url())
  add(`${where}, headers`, JSON.stringify(await request.allHeaders().catch(() => request.headers())))
  add(`${where}, body`, request.postDataBuffer())
}

async function addAnswer(add: Add, request: Request): Promise<void> {
  const response = await request.response()
  if (response === null) return
  const where = `answer to ${request.method()} ${request.url()}`
  add(`${where}, headers`, JSON.stringify(response.headers()))
  // Our own code, and documents whose page is gone: neither has anything of a user.
  if (['script', 'stylesheet'].includes(request.resourceType())) return
  add(where, await response.body().catch(() => null))
}

function addSockets(add: Add, page: Page): void {
  page.on('websocket', (socket) => {
    add('websocket', socket.url())
    socket.on('framesent', ({ payload }) => add('websocket, sent', payload))
    socket.on('framereceived', ({ payload }) => add('websocket, received', payload))
  })
}

/** The frame of a page that shows an address starting so; waits for it. */
export async function frameAt(page: Page, url: string): Promise<Frame> {
  for (let i = 0; i < 500; i++) {
    const frame = page.frames().find((candidate) => candidate.url().startsWith(url))
    if (frame !== undefined) return frame
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error(`No frame shows ${url}.`)
}
