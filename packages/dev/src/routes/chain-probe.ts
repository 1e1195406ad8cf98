import type { DevChainAccess } from './dev-chain.ts'

/** How long a chain that has not answered yet counts as one that starts. */
const startsWithinMs = 60_000

/** The state of the local chains together: `off` without any, `starting` until all have answered once, then `up` or `down`. */
export function chainProbe(
  chains: readonly DevChainAccess[],
): () => Promise<{ status: 'up' | 'starting' | 'down' | 'off' }> {
  const createdAt = performance.now()
  let wasUp = false
  return async () => {
    if (chains.length === 0) return { status: 'off' }
    const isUp = (await Promise.all(chains.map((chain) => chain.isUp()))).every(Boolean)
    wasUp ||= isUp
    if (isUp) return { status: 'up' }
    return { status: wasUp || performance.now() - createdAt > startsWithinMs ? 'down' : 'starting' }
  }
}
