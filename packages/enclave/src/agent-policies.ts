import { hash } from 'node:crypto'
import { type Compiled, compile, type PolicyNames, parseLayers } from '@symbolon/policy'
import { type AgentLayers, currentLayers, sessionLayers } from './agent-layers.ts'

/** Policies as requests are evaluated by, kept by the texts that they come from. */
export type AgentPolicies = {
  /**
   * `sealed` is the JSON of a grant, `current` that of a request: the layers as they are now. `row` is the wallet's, which the grant opens for
   * alone: it begins with the organization. Throws `PolicyError`.
   */
  of(row: Uint8Array, sealed: Uint8Array, current: Uint8Array): SessionPolicy
}

/** The effective policy of a session, and when the session ends by its own layer (ms since 1970; null: never), whatever the others say. */
export type SessionPolicy = { readonly policy: Compiled; readonly endsAtMs: number | null }

const entriesMax = 1024
const bytesMax = 4 << 20
const organizationBytes = 16

/** What one organization has in the cache, the least recently used first. */
type Holding = { readonly entries: Map<string, Entry>; bytes: number }
type Entry = { readonly made: SessionPolicy; readonly bytes: number }

/**
 * A cache of policies, at most 1,024 and 4 MiB of text. Where there are more, the least recently used goes of the organization that has most: none
 * can push out what others have while it has more than they. It holds no secret.
 */
export function agentPolicies(names: PolicyNames): AgentPolicies {
  const holdings = new Map<string, Holding>()
  const total = { entries: 0, bytes: 0 }

  function keep(organization: string, name: string, entry: Entry): void {
    const holding = holdings.get(organization) ?? { entries: new Map<string, Entry>(), bytes: 0 }
    holdings.set(organization, holding)
    holding.entries.set(name, entry)
    holding.bytes += entry.bytes
    total.entries += 1
    total.bytes += entry.bytes
    while (total.entries > entriesMax || total.bytes > bytesMax) dropFrom(largest(holdings))
  }

  function dropFrom([organization, holding]: readonly [string, Holding]): void {
    const [oldest] = holding.entries
    if (oldest === undefined) throw new Error('An organization without policies is kept.')
    const [name, { bytes }] = oldest
    holding.entries.delete(name)
    holding.bytes -= bytes
    total.entries -= 1
    total.bytes -= bytes
    if (holding.entries.size === 0) holdings.delete(organization)
  }

  return {
    of(row, sealed, current) {
      const organization = Buffer.from(row).toString('latin1', 0, organizationBytes)
      const name = nameOf(sealed, current)
      const entries = holdings.get(organization)?.entries
      const held = entries?.get(name)
      if (entries && held) {
        entries.delete(name)
        entries.set(name, held)
        return held.made
      }
      const layers = layersOf(sessionLayers(sealed), currentLayers(current))
      const made = { policy: compile(layers, names), endsAtMs: endOf(layers) }
      keep(organization, name, { made, bytes: sealed.length + current.length })
      return made
    },
  }
}

/** Who has most of what there is least of, policies or bytes. */
function largest(holdings: ReadonlyMap<string, Holding>): readonly [string, Holding] {
  let [most] = holdings
  for (const one of holdings) if (most === undefined || shareOf(one[1]) > shareOf(most[1])) most = one
  if (most === undefined) throw new Error('No organization has policies.')
  return most
}

const shareOf = ({ entries, bytes }: Holding): number => Math.max(entries.size / entriesMax, bytes / bytesMax)

/** What was sealed counts beside what is now: each can only narrow the other. */
function layersOf(sealed: AgentLayers, current: Omit<AgentLayers, 'session'>) {
  return parseLayers({
    organization: [sealed.organization, current.organization],
    agent: [sealed.agent, current.agent],
    session: sealed.session,
  })
}

function endOf({ session }: ReturnType<typeof parseLayers>): number | null {
  const ends = session.flatMap(({ expires_at }) => expires_at ?? [])
  return ends.length === 0 ? null : Math.min(...ends)
}

function nameOf(sealed: Uint8Array, current: Uint8Array): string {
  const length = Buffer.allocUnsafe(4)
  length.writeUInt32BE(sealed.length)
  return hash('sha256', Buffer.concat([length, sealed, current]), 'base64')
}
