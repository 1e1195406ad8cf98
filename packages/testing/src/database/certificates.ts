import { createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/** A key and its certificate, both PEM. */
export type Certificate = { key: string; certificate: string }
/** An authority of a test's own. */
export type Authority = Certificate & { issue(name: string): Certificate }

/** Makes an authority whose certificates name one host each (`localhost`, no address). */
export function testAuthority(): Authority {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = 'Test authority'
  const own = signed({ subject: name, issuer: name, key: privateKey, by: privateKey, extension: isAuthority })
  return {
    ...own,
    issue(host) {
      const { privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      return signed({ subject: host, issuer: name, key, by: privateKey, extension: isFor(host) })
    },
  }
}

const der = (tag: number, ...parts: Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
const sequence = (...parts: Uint8Array[]) => der(0x30, ...parts)
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))
const time = (text: string) => der(0x17, Buffer.from(text))
const named = (name: string) => sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(name)))))
const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'))
const extension = (id: string, value: Uint8Array) => sequence(oid(id), der(0x04, value))
const isAuthority = extension('551d13', sequence(der(0x01, Buffer.from([0xff]))))
const isFor = (host: string) => extension('551d11', sequence(der(0x82, Buffer.from(host))))

/** RFC 5280, clause 4.1. */
function signed(to: {
  subject: string
  issuer: string
  key: KeyObject
  by: KeyObject
  extension: Uint8Array
}): Certificate {
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ecdsaWithSha256,
    named(to.issuer),
    sequence(time('200101000000Z'), time('491231235959Z')),
    named(to.subject),
    createPublicKey(to.key).export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(to.extension)),
  )
  const signature = sign('sha256', content, to.by)
  const whole = sequence(content, ecdsaWithSha256, der(0x03, Buffer.from([0]), signature))
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? []
  return {
    key: String(to.key.export({ type: 'pkcs8', format: 'pem' })),
    certificate: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
  }
}
