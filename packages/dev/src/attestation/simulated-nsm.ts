import { type KeyObject, sign } from 'node:crypto'
import type { AttestationRequest, Attestor } from '@symbolon/enclave'
import { encode } from 'cborg'
import { simulatedMeasurements } from './simulated-measurements.ts'
import type { SimulatedChain } from './simulated-pki.ts'

/** The claims of a simulated document beyond the request; tests change it to make bad ones. */
export type DocumentInput = {
  chain: SimulatedChain
  nowMs: number
  measurements?: ReadonlyMap<number, Uint8Array>
  change?: (document: Map<string, unknown>) => void
  algorithm?: number
  isTagged?: boolean
  signingKey?: KeyObject
  /** Real documents have an outer map of indefinite length since 2025. */
  isIndefinite?: boolean
}

const es384 = -35

/** A COSE_Sign1 attestation document in the AWS Nitro format, by a chain that is visibly not AWS. */
export function simulatedDocument(request: Partial<AttestationRequest>, input: DocumentInput): Uint8Array {
  const zero = new Uint8Array(48)
  const measured = input.measurements ?? simulatedMeasurements
  const document = new Map<string, unknown>([
    ['module_id', 'i-simulated-enc0'],
    ['digest', 'SHA384'],
    ['timestamp', input.nowMs],
    ['pcrs', new Map(Array.from({ length: 16 }, (_, i) => [i, measured.get(i) ?? zero]))],
    ['certificate', input.chain.leaf.certificate],
    ['cabundle', input.chain.bundle],
    ['public_key', request.publicKey ?? null],
    ['user_data', request.userData ?? null],
    ['nonce', request.nonce ?? null],
  ])
  input.change?.(document)
  const payload = encodeDocument(document, input.isIndefinite ?? true)
  const protectedHeader = encode(new Map([[1, input.algorithm ?? es384]]))
  const signed = encode(['Signature1', protectedHeader, new Uint8Array(0), payload])
  const key = input.signingKey ?? input.chain.leaf.privateKey
  const signature = sign('sha384', signed, { key, dsaEncoding: 'ieee-p1363' })
  const cose = encode([protectedHeader, new Map(), payload, new Uint8Array(signature)])
  return input.isTagged ? Buffer.concat([Uint8Array.of(0xd2), cose]) : cose
}

function encodeDocument(document: ReadonlyMap<string, unknown>, isIndefinite: boolean): Uint8Array {
  const entries = [...document].flatMap(([name, value]) => [encode(name), encode(value)])
  const open = isIndefinite ? 0xbf : 0xa0 | document.size
  return Buffer.concat([Uint8Array.of(open), ...entries, Uint8Array.from(isIndefinite ? [0xff] : [])])
}

/** An attestor whose documents no production policy accepts. */
export function simulatedNsm(chain: SimulatedChain): Attestor {
  return { attest: async (request) => simulatedDocument(request, { chain, nowMs: Date.now() }) }
}
