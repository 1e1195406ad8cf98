import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { bitString, certificateTime, der, objectIdentifier, sequence, smallInteger, yes } from './der.ts'

/** A certificate and its private key. */
export type Issuer = { name: string; certificate: Uint8Array; privateKey: KeyObject }

/** The fields of a certificate; `now` and the lifetimes are in ms. */
export type CertificateInput = {
  name: string
  issuer?: Issuer
  notBeforeMs: number
  notAfterMs: number
  /** Absent: a leaf that signs documents. */
  authority?: { pathLength?: number }
  /** Key usage bits of RFC 5280 4.2.1.3, when others than usual are wanted. */
  keyUsage?: number
  /** An extension that no verifier knows, marked critical. */
  unknownCritical?: boolean
  keys?: { publicKey: KeyObject; privateKey: KeyObject }
}

// Every simulated certificate names it, so that no reader takes it for AWS.
const simulatedOrganization = 'SIMULATED NOT AWS'

const ecdsaWithSha384 = sequence(objectIdentifier('1.2.840.10045.4.3.3'))
const digitalSignature = 0x80
const certificateSign = 0x04

const text = (value: string): Uint8Array => der(0x0c, Buffer.from(value))
const attribute = (oid: string, value: string): Uint8Array =>
  der(0x31, sequence(objectIdentifier(oid), text(value)))
const nameOf = (commonName: string): Uint8Array =>
  sequence(attribute('2.5.4.10', simulatedOrganization), attribute('2.5.4.3', commonName))
const extension = (oid: string, value: Uint8Array): Uint8Array =>
  sequence(objectIdentifier(oid), yes, der(0x04, value))

/** Signs an X.509 v3 certificate (P-384, ECDSA with SHA-384) by `issuer`, or by itself. */
export function issue(input: CertificateInput): Issuer {
  const keys = input.keys ?? generateKeyPairSync('ec', { namedCurve: 'secp384r1' })
  const signer = input.issuer?.privateKey ?? keys.privateKey
  const { authority } = input
  const usage = input.keyUsage ?? (authority ? certificateSign : digitalSignature)
  const constraints = authority
    ? sequence(yes, ...(authority.pathLength === undefined ? [] : [smallInteger(authority.pathLength)]))
    : sequence()
  const unused = usage & 0x80 && !(usage & 0x7f) ? 7 : 2
  const serial = randomBytes(16)
  serial[0] = 0x40 | ((serial[0] ?? 0) & 0x3f)
  const body = sequence(
    der(0xa0, smallInteger(2)),
    der(0x02, serial),
    ecdsaWithSha384,
    nameOf(input.issuer?.name ?? input.name),
    sequence(certificateTime(input.notBeforeMs), certificateTime(input.notAfterMs)),
    nameOf(input.name),
    keys.publicKey.export({ type: 'spki', format: 'der' }),
    der(
      0xa3,
      sequence(
        extension('2.5.29.19', constraints),
        extension('2.5.29.15', bitString(Uint8Array.of(usage), unused)),
        ...(input.unknownCritical ? [extension('1.3.6.1.4.1.99999.1', smallInteger(1))] : []),
      ),
    ),
  )
  const certificate = sequence(body, ecdsaWithSha384, bitString(sign('sha384', body, signer)))
  return { name: input.name, certificate, privateKey: keys.privateKey }
}

const dayMs = 86_400_000

/** A root of 30 years. */
export const simulatedRoot = (nowMs: number, keys?: CertificateInput['keys']): Issuer =>
  issue({
    name: 'simulated.nitro-enclaves',
    notBeforeMs: nowMs - dayMs,
    notAfterMs: nowMs + 30 * 365 * dayMs,
    authority: {},
    ...(keys ? { keys } : {}),
  })

/** The chain below a root as a secure module holds it: `[root, intermediate]` and the leaf that signs documents. */
export type SimulatedChain = { bundle: Uint8Array[]; leaf: Issuer }

/** An intermediate and a leaf for one boot; a week, because nobody renews them in development. */
export function simulatedChain(root: Issuer, nowMs: number): SimulatedChain {
  const lifetime = { notBeforeMs: nowMs - 3_600_000, notAfterMs: nowMs + 7 * dayMs }
  const intermediate = issue({
    name: 'instance.simulated.nitro-enclaves',
    issuer: root,
    authority: { pathLength: 0 },
    ...lifetime,
  })
  const leaf = issue({ name: 'module.instance.simulated.nitro-enclaves', issuer: intermediate, ...lifetime })
  return { bundle: [root.certificate, intermediate.certificate], leaf }
}
