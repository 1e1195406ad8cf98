import type { Ports } from '../client/ports.ts'

/** The browser's own network, clock and storage; on a server that renders a page, they are absent. */
export function browser(): Ports {
  const page = globalThis.document as Document | undefined
  return {
    fetch: (...call) => fetch(...call),
    now: () => Date.now(),
    sessionStorage: storageOf(globalThis, 'sessionStorage'),
    // Servers have both too, but nothing there is the page's.
    localStorage: page === undefined ? undefined : storageOf(globalThis, 'localStorage'),
    locks: page === undefined ? undefined : (navigator as Partial<Navigator>).locks,
    isOffline: () => page !== undefined && !navigator.onLine,
    document: page,
  }
}

/** Null where storage is refused: merely reading the property throws then. */
function storageOf(
  scope: { readonly sessionStorage?: Storage; readonly localStorage?: Storage },
  name: 'sessionStorage' | 'localStorage',
): Storage | undefined {
  try {
    return scope[name]
  } catch {
    return undefined
  }
}
