import { X509Certificate } from 'node:crypto'
import { simulatedChain, simulatedRoot } from '@symbolon/dev/testing/attestation'
import { propertyRuns } from '@symbolon/testing/properties'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { AttestationError } from './attestation-error.ts'
import { isOfOrganization, parseCertificate } from './certificate.ts'
import { isP384Signature } from './p384.ts'
import { isSimulatedRoot } from './policy.ts'

const now = Date.UTC(2026, 10, 20, 12, 34, 56)
const root = simulatedRoot(now)
const { bundle, leaf } = simulatedChain(root, now)
const chain = [...bundle, leaf.certificate]

test('a certificate is read as node:crypto reads it', () => {
  for (const bytes of chain) {
    const read = parseCertificate(bytes)
    const other = new X509Certificate(bytes)
    expect(read.notBeforeMs).toBe(other.validFromDate.getTime())
    expect(read.notAfterMs).toBe(other.validToDate.getTime())
    expect(read.isAuthority).toBe(other.ca)
    const spki = other.publicKey.export({ type: 'spki', format: 'der' })
    expect(Buffer.from(read.publicKey)).toEqual(spki.subarray(-97))
  }
  const rights = chain
    .map((bytes) => parseCertificate(bytes))
    .map(({ pathLength, keyUsage }) => [pathLength, keyUsage])
  expect(rights).toEqual([
    [undefined, 4],
    [0, 4],
    [undefined, 0x80],
  ])
})

test('a certificate verifies under its issuer, and under no other key', async () => {
  const [own, between] = chain.map(parseCertificate)
  if (own === undefined || between === undefined) throw new Error('a chain')
  expect(await isP384Signature(own.publicKey, between.signature, between.signed)).toBe(true)
  expect(await isP384Signature(between.publicKey, between.signature, between.signed)).toBe(false)
  expect(await isP384Signature(new Uint8Array(97).fill(4), between.signature, between.signed)).toBe(false)
})

/** The same certificate with one byte string in the place of another of the same length. */
function patched(from: string, to: string): Uint8Array {
  const hex = Buffer.from(root.certificate).toString('hex')
  expect(hex).toContain(from)
  return Buffer.from(hex.replace(from, to), 'hex')
}

test.each([
  ['another day', '170d323631313139', '170d323630323139', 'accepted'],
  ['February 30', '170d323631313139', '170d323630323330', 'refused'],
  ['month 13', '170d323631313139', '170d323631333139', 'refused'],
  ['day 32', '170d323631313139', '170d323631313332', 'refused'],
  ['a time without a zone', '5a180f', '59180f', 'refused'],
  ['a flag that is not TRUE as DER has it', '0603551d130101ff', '0603551d13010101', 'refused'],
  ['a flag that is FALSE, which DER leaves out', '0603551d0f0101ff', '0603551d0f010100', 'refused'],
])('a certificate with %s is %s', (_name, from, to, expected) => {
  const outcome = () => parseCertificate(patched(from, to))
  if (expected === 'accepted') expect(outcome().notBeforeMs).toBe(Date.UTC(2026, 1, 19, 12, 34, 56))
  else expect(outcome).toThrow(AttestationError)
})

test('changed bytes are read or refused, and never fail otherwise; a length has one form only', () => {
  fc.assert(
    fc.property(fc.nat(root.certificate.length - 1), fc.nat(255), (at, byte) => {
      const bytes = Uint8Array.from(root.certificate)
      bytes[at] = byte
      try {
        parseCertificate(bytes)
      } catch (error) {
        expect(error).toBeInstanceOf(AttestationError)
      }
    }),
    { numRuns: propertyRuns(4_000) },
  )
  const [first, second, ...rest] = root.certificate
  expect([first, second]).toEqual([0x30, 0x82])
  expect(() => parseCertificate(Uint8Array.of(0x30, 0x83, 0, ...rest))).toThrow(AttestationError)
  expect(() => parseCertificate(Uint8Array.of(0x30, 0x80, ...rest.slice(2), 0, 0))).toThrow(AttestationError)
})

test('the organization of a name is found as a whole, and not as a part', () => {
  const { subject } = parseCertificate(root.certificate)
  expect(isOfOrganization(subject, 'SIMULATED NOT AWS')).toBe(true)
  for (const other of ['SIMULATED NOT AW', 'simulated not aws', 'simulated.nitro-enclaves', ''])
    expect(isOfOrganization(subject, other)).toBe(false)
  expect(isSimulatedRoot(root.certificate)).toBe(true)
  expect(isSimulatedRoot(Buffer.of(0x30, 0))).toBe(false)
})
