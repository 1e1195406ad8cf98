/** The vault's only entry: reads the page's configuration, waits for its page, and serves it. */
import { uuidFromBytes } from '@symbolon/crypto'
import { apiClient } from './api/api-client.ts'
import { type AcceptedPage, pageAcceptor } from './connect/accept-page.ts'
import { readConfig } from './connect/read-config.ts'
import { talk } from './connect/talk.ts'
import { deviceNotes } from './device/device-notes.ts'
import { createDialogs } from './dialogs/create-dialogs.ts'
import { createVault } from './methods/create-vault.ts'
import { openStorage } from './shares/open-storage.ts'

const config = readConfig(document.getElementById('frame-config')?.textContent)
const root = document.getElementById('root')
if (root === null) throw new Error('no root')

const random = (length: number) => crypto.getRandomValues(new Uint8Array(length))
const storage = openStorage(() => globalThis.indexedDB)
const notes = deviceNotes(() => globalThis.localStorage)

/** Resolves after a time, or rejects with the reason why nobody waits any more. */
function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}

/** One tab at a time, where the browser can lock; elsewhere the service sees to it that one of two wins. */
async function exclusive<value>(name: string, run: () => Promise<value>): Promise<value> {
  return navigator.locks === undefined ? run() : navigator.locks.request(`symbolon-vault ${name}`, run)
}

async function serve(page: AcceptedPage, container: HTMLElement): Promise<void> {
  const device = await (await storage).nonce()
  const dialogs = createDialogs({
    root: container,
    organization: config.organization,
    onOpen: (open) => line.showDialog(open),
    onStrip: (open) => line.showStrip(open),
  })
  const handlers = createVault({
    organization: config.organization,
    ...(config.enclave !== undefined && { enclave: config.enclave }),
    pageOrigin: page.origin,
    api: apiClient({
      baseUrl: config.api_base_url,
      publishableKey: config.publishable_key,
      device,
      fetch: (url, init) => fetch(url, init),
      wait,
    }),
    device,
    shares: { storage: await storage, random },
    dialogs,
    say: (text) => dialogs.say(text),
    notes,
    random,
    nowMs: () => Date.now(),
    wait,
    exclusive,
  })
  const line = talk(page, handlers)
}

// Opened as a page of its own, the frame has no parent and serves nobody.
if (window.parent !== window) {
  const accept = pageAcceptor({
    parent: window.parent,
    ownOrigin: location.origin,
    allowedOrigins: config.allowed_origins,
    areLoopbackOriginsAllowed: config.are_loopback_origins_allowed,
    newSession: () => uuidFromBytes(random(16)),
  })
  window.addEventListener('message', ({ data, origin, source, ports }) => {
    const page = accept({ data, origin, source, ports })
    if (page !== undefined) void serve(page, root)
  })
}
