/** The ports of the backend parts: the network and the clock, in milliseconds since the epoch. */
export type BackendPorts = { readonly fetch: typeof fetch; readonly nowMs: () => number }

/** The runtime's own. */
export const backend: BackendPorts = {
  fetch: (...call) => fetch(...call),
  nowMs: () => Date.now(),
}
