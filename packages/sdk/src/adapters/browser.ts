import type { Ports } from '../client/ports.ts'

/** The browser's own network, clock and storage; on a server that renders a page, they are absent. */
export function browser(): Ports {
  return {
    fetch: (...call) => fetch(...call),
    now: () => Date.now(),
    sessionStorage: sessionStorageOf(globalThis),
    document: globalThis.document as Document | undefined,
  }
}

/** Null where storage is refused: merely reading the property throws then. */
function sessionStorageOf(scope: { readonly sessionStorage?: Storage }): Storage | undefined {
  try {
    return scope.sessionStorage
  } catch {
    return undefined
  }
}
