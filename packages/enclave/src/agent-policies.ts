import { hash } from 'node:crypto'
import { type Compiled, compile, type PolicyNames, parseLayers } from '@symbolon/policy'
import { type AgentLayers, currentLayers, sessionLayers } from './agent-layers.ts'

/** Policies as requests are evaluated by, kept by the texts that they come from. */
export type AgentPolicies = {
  /** `sealed` is the JSON of a grant, `current` that of a request: the layers as they are now. Throws `PolicyError`. */
  of(sealed: Uint8Array, current: Uint8Array): Compiled
}

const entriesMax = 1024
const bytesMax = 4 << 20

/** A cache of policies, at most 1,024 and 4 MiB of text; the least recently used goes. It holds no secret. */
export function agentPolicies(names: PolicyNames): AgentPolicies {
  const entries = new Map<string, { policy: Compiled; bytes: number }>()
  let bytes = 0

  function makeRoom(): void {
    for (const [oldest, entry] of entries) {
      if (entries.size <= entriesMax && bytes <= bytesMax) return
      entries.delete(oldest)
      bytes -= entry.bytes
    }
  }

  return {
    of(sealed, current) {
      const name = nameOf(sealed, current)
      const held = entries.get(name)
      if (held) {
        entries.delete(name)
        entries.set(name, held)
        return held.policy
      }
      const entry = {
        policy: compile(layersOf(sessionLayers(sealed), currentLayers(current)), names),
        bytes: sealed.length + current.length,
      }
      entries.set(name, entry)
      bytes += entry.bytes
      makeRoom()
      return entry.policy
    },
  }
}

/** What was sealed counts beside what is now: each can only narrow the other. */
function layersOf(sealed: AgentLayers, current: Omit<AgentLayers, 'session'>) {
  return parseLayers({
    organization: [sealed.organization, current.organization],
    agent: [sealed.agent, current.agent],
    session: sealed.session,
  })
}

function nameOf(sealed: Uint8Array, current: Uint8Array): string {
  const length = Buffer.allocUnsafe(4)
  length.writeUInt32BE(sealed.length)
  return hash('sha256', Buffer.concat([length, sealed, current]), 'base64')
}
