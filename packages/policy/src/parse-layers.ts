import { readObject } from './json-fields.ts'
import { defaultRules, parsePolicy, parseRules } from './parse-policy.ts'
import type { Layers, Policy } from './policy.ts'

/**
 * Reads `{organization, agent, session}` in wire form; each is one layer, a list of its versions (as sealed, as
 * now), null or absent. An organization without rules has the default ones, also in one version only, so that rules set
 * later widen nothing. A policy that is null beside another version is an empty one; where all versions are, there is no
 * such layer. Anything else is a `PolicyError`.
 */
export function parseLayers(json: unknown): Layers {
  const fields = readObject(json, 'layers', ['organization', 'agent', 'session'])
  return {
    organization: versions(fields.get('organization')).map((rules) =>
      rules === null ? defaultRules : parseRules(rules),
    ),
    agent: policies(fields.get('agent')),
    session: policies(fields.get('session')),
  }
}

function policies(json: unknown): readonly Policy[] {
  const given = versions(json)
  if (given.every((policy) => policy === null)) return []
  return given.map((policy) => parsePolicy(policy ?? {}))
}

function versions(json: unknown): readonly unknown[] {
  return Array.isArray(json) ? json : [json ?? null]
}
