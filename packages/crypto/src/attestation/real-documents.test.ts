import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { sha256 } from '@noble/hashes/sha2.js'
import { simulatedChain, simulatedDocument, simulatedRoot } from '@symbolon/dev/testing/attestation'
import { propertyRuns } from '@symbolon/testing/properties'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { AttestationError } from './attestation-error.ts'
import { awsNitroRoot } from './policy.ts'
import { documentFailures, openDocument } from './verify-document.ts'

const folder = new URL('../../../../../shared/vectors/attestation/', import.meta.url)

type Sample = { readonly name: string; readonly bytes: Uint8Array; readonly rootSha256: Uint8Array }

/** Documents that real enclaves got from AWS lie beside the repository on some machines, as bytes or base64. */
const real: Sample[] = (existsSync(folder) ? readdirSync(folder) : []).map((name) => {
  const file = readFileSync(new URL(name, folder))
  const isBinary = file[0] === 0x84 || file[0] === 0xd2
  const bytes = isBinary ? file : Buffer.from(file.toString('latin1'), 'base64')
  return { name: `the real document ${name}`, bytes, rootSha256: awsNitroRoot }
})

const root = simulatedRoot(Date.UTC(2026, 10, 24))
const made = (isIndefinite: boolean): Uint8Array =>
  simulatedDocument(
    { publicKey: new Uint8Array(32), nonce: new Uint8Array(16), userData: new Uint8Array(32) },
    { chain: simulatedChain(root, Date.UTC(2026, 10, 24)), nowMs: Date.UTC(2026, 10, 24), isIndefinite },
  )
const rootSha256 = sha256(root.certificate)
const samples: Sample[] = [
  { name: 'a simulated document as AWS made them until 2024', bytes: made(false), rootSha256 },
  { name: 'a simulated document as AWS makes them since 2025', bytes: made(true), rootSha256 },
  ...real,
]

/** Why a document does not prove, at its own time, that this root vouches for it. */
async function refusals({ bytes, rootSha256 }: Sample, lateMs = 0): Promise<string[]> {
  try {
    const document = openDocument(bytes)
    const { nonce, userData = new Uint8Array(), timestampMs } = document
    const checks = { measurements: undefined, isAgeChecked: true, nonce, userData, isPublicKey: () => true }
    const failures = await documentFailures(document, { ...checks, rootSha256, atMs: timestampMs + lateMs })
    // What an enclave of somebody else asked to have in it, and whether it ran in debug mode, is its own affair.
    const own = ['binding_mismatch', 'public_key', 'debug_mode']
    return failures.map(({ code }) => code).filter((code) => !own.includes(code))
  } catch (error) {
    if (error instanceof AttestationError) return [error.code]
    throw error
  }
}

test.each(samples)(
  '$name verifies at its own time, not later, and under its own root only',
  async (sample) => {
    expect(await refusals(sample)).toEqual([])
    expect(await refusals(sample, 60_001)).toContain('document_stale')
    expect(await refusals(sample, 400 * 86_400_000)).toContain('certificate_time')
    expect(await refusals({ ...sample, rootSha256: new Uint8Array(32) })).toEqual(['root_mismatch'])
  },
)

const placeMax = 1 << 20
const mutation = fc.record({
  kind: fc.constantFrom('change', 'flip', 'insert', 'delete', 'repeat', 'cut'),
  // Without bias: every byte as likely as any other.
  place: fc.noBias(fc.nat(placeMax - 1)),
  byte: fc.integer({ min: 1, max: 255 }),
})

function mutated(
  bytes: Uint8Array,
  { kind, place, byte }: { kind: string; place: number; byte: number },
): Uint8Array {
  const at = Math.floor((place / placeMax) * bytes.length)
  const [before, own, after] = [bytes.subarray(0, at), bytes[at] ?? 0, bytes.subarray(at + 1)]
  if (kind === 'change') return Buffer.concat([before, Uint8Array.of(own ^ byte), after])
  if (kind === 'flip') return Buffer.concat([before, Uint8Array.of(own ^ (1 << (byte % 8))), after])
  if (kind === 'insert') return Buffer.concat([before, Uint8Array.of(byte, own), after])
  if (kind === 'delete') return Buffer.concat([before, after])
  if (kind === 'repeat') return Buffer.concat([before, bytes.subarray(Math.max(0, at - byte))])
  return before
}

test.each(samples)('no mutation of $name is accepted', async (sample) => {
  await fc.assert(
    fc.asyncProperty(mutation, async (change) => {
      const bytes = mutated(sample.bytes, change)
      // The tag of COSE_Sign1 may stand before it, and changes nothing.
      const same = [sample.bytes, Buffer.concat([Uint8Array.of(0xd2), sample.bytes])]
      fc.pre(!same.some((one) => Buffer.from(bytes).equals(one)))
      expect(await refusals({ ...sample, bytes })).not.toEqual([])
    }),
    { numRuns: propertyRuns(3_000) },
  )
})
