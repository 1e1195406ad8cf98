import { SignRequest } from '@symbolon/api'
import {
  assembleAnswer,
  decodeForAgent,
  decodeIntent,
  encodeIntent,
  type NonEmpty,
  networks,
  parsePayload,
  preview,
  type RawSignature,
  signingDigests,
} from '@symbolon/networks'
import { chainOf, intentOf } from '@symbolon/networks/request'
import { parseJsonBody } from '@symbolon/server/testing/http'
import { networkBodies, worstKey } from './network-bodies.ts'
import { cpuMs } from './thread-cost.ts'

/** What a body costs a thread of the API and one of the enclave, in ms of CPU; `refused`: why it is not signed. */
export type DecodingCost = {
  network: string
  name: string
  bytes: number
  api_ms: number
  enclave_ms: number
  refused?: string
}

/** The costs of the worst bodies of all networks, from the first byte of JSON to the digests that are signed. */
export function decodingCosts(
  isWanted: (network: string, name: string) => boolean = () => true,
): DecodingCost[] {
  return Object.entries(networkBodies).flatMap(([network, { curve, bodies }]) =>
    bodies()
      .filter(({ name }) => isWanted(network, name))
      .map(({ name, body }) => {
        const bytes = Buffer.from(JSON.stringify(body))
        const publicKey = worstKey(curve)
        const api = cpuMs(() => decodedByApi(bytes, curve, publicKey))
        const intent = 'value' in api ? api.value : undefined
        const enclave = intent ? cpuMs(() => decodedByEnclave(intent, curve, publicKey)) : undefined
        const error = 'error' in api ? api.error : undefined
        return {
          network,
          name,
          bytes: bytes.length,
          api_ms: api.ms,
          enclave_ms: enclave?.ms ?? 0,
          ...(error !== undefined && { refused: error instanceof Error ? error.message : String(error) }),
        }
      }),
  )
}

type Curve = Parameters<typeof worstKey>[0]

/** What a signing route does with a body on its thread; the answer is made of signatures that are none. */
export function decodedByApi(bytes: Buffer, curve: Curve, publicKey: Uint8Array): Uint8Array {
  const request = SignRequest.parse(parseJsonBody(bytes))
  const chain = chainOf(networks, request, curve)
  const intent = intentOf(networks, request, chain, publicKey, (length) => new Uint8Array(length))
  const payload = parsePayload(networks, intent, curve, publicKey)
  const shown = preview(payload)
  const encoded = encodeIntent(networks, intent)
  const signatures = signingDigests(payload).map(() => ({
    signature: new Uint8Array(64).fill(1),
    recovery: 0,
  }))
  const answer = assembleAnswer(payload, signatures as readonly RawSignature[] as NonEmpty<RawSignature>)
  JSON.stringify({ ...answer, preview: shown, decoded_preview: shown })
  return encoded
}

/** What the enclave does with an intent before it signs, for users and for agents: the dearer of both. */
export function decodedByEnclave(encoded: Uint8Array, curve: Curve, publicKey: Uint8Array): void {
  decodeForAgent(parsePayload(networks, decodeIntent(networks, encoded), curve, publicKey))
}
