import { type GrantAnswer, layersBytesMax, type ReceivedGrantRequest } from '@symbolon/crypto/node'
import {
  clippedFields,
  effectiveToJson,
  intersect,
  PolicyError,
  type PolicyNames,
  parseLayers,
  parsePolicy,
} from '@symbolon/policy'
import { layerSets, sessionLayers } from './agent-layers.ts'
import { EnclaveFault } from './enclave-fault.ts'
import { sealGrant } from './grant-envelope.ts'
import { rebuildKey, type Vault } from './vault.ts'

const setsMax = 256

/**
 * Seals a session's layers and data key B once the shares are proven to make the wallet's key. Throws `EnclaveFault('invalid_payload')`
 * where a layer is not a policy, and what `rebuildKey` throws.
 */
export function grant(vault: Vault, request: ReceivedGrantRequest): GrantAnswer {
  const answer = ofPolicies(request.layers, () => {
    const json = sessionLayers(request.layers)
    const layers = parseLayers(json)
    return {
      effective: effectiveOf(json, vault.names),
      clipped: clippedFields(parsePolicy(json.session ?? {}), layers, vault.names),
    }
  })
  proveShares(vault, request)
  vault.marks.sealed(request)
  return { grant: sealGrant(vault, request, request.dataKeyB, request.layers), ...answer }
}

/** The effective policies of up to 256 sets of layers, as JSON. Throws `EnclaveFault('invalid_payload')`. */
export const effective = (json: Uint8Array, names: PolicyNames): string =>
  ofPolicies(json, () => {
    const each = layerSets(json, setsMax).map((layers) => effectiveOf(layers, names))
    return `[${each.join(',')}]`
  })

const effectiveOf = (layers: unknown, names: PolicyNames): string =>
  JSON.stringify(effectiveToJson(intersect(parseLayers(layers), names)))

function ofPolicies<result>(json: Uint8Array, read: () => result): result {
  if (json.length > layersBytesMax) throw new EnclaveFault('invalid_payload', 'layers are too long')
  try {
    return read()
  } catch (error) {
    if (error instanceof PolicyError) throw new EnclaveFault('invalid_payload', error.message)
    throw error
  }
}

function proveShares(vault: Vault, request: ReceivedGrantRequest): void {
  const key = vault.slots.take()
  const work = vault.slots.take()
  try {
    rebuildKey(vault, request, key, work)
  } finally {
    vault.slots.give(work)
    vault.slots.give(key)
  }
}
