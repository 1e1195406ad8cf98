import { PolicyError } from '@symbolon/policy'

/** Layers in wire form, not yet parsed; null for a missing layer. */
export type AgentLayers = { organization: object | null; agent: object | null; session: object | null }

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** A session's layers `{organization, agent, session}`: all three named, none more, each one object or null. Throws `PolicyError`. */
export function sessionLayers(json: Uint8Array): AgentLayers {
  const names = ['organization', 'agent', 'session']
  const [organization = null, agent = null, session = null] = layersOf(parsed(json), names)
  return { organization, agent, session }
}

/** The layers as they are now, `{organization, agent}`, as strictly. Throws `PolicyError`. */
export function currentLayers(json: Uint8Array): Omit<AgentLayers, 'session'> {
  const [organization = null, agent = null] = layersOf(parsed(json), ['organization', 'agent'])
  return { organization, agent }
}

/**
 * A list of sessions' layers, at most `setsMax`, for `parseLayers` to read: of each layer there may be several, as sealed and as now. Throws
 * `PolicyError`.
 */
export function layerSets(json: Uint8Array, setsMax: number): unknown[] {
  const sets = parsed(json)
  if (!Array.isArray(sets) || sets.length > setsMax) throw new PolicyError('layers: not a list of sets.')
  return sets
}

function parsed(json: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(json))
  } catch {
    throw new PolicyError('layers: not JSON.')
  }
}

function layersOf(value: unknown, names: readonly string[]): (object | null)[] {
  if (!isPlain(value)) throw new PolicyError('layers: not an object.')
  const fields = new Map<string, unknown>(Object.entries(value))
  if (fields.size !== names.length) throw new PolicyError('layers: other layers than there are.')
  return names.map((name) => {
    const layer = fields.get(name)
    if (layer === null || isPlain(layer)) return layer
    throw new PolicyError(`layers: ${name} is missing or no object.`)
  })
}

const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
