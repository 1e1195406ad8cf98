import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** A key of Cloud KMS: its versions, and which of them is primary, from 1. */
export type GcpKey = { versions: { key: Buffer; state: 'ENABLED' | 'DISABLED' }[]; primary: number }

/** Makes a key of one version. */
export const gcpKey = (): GcpKey => ({ versions: [{ key: randomBytes(32), state: 'ENABLED' }], primary: 1 })

/** A refusal with Google's status word. */
export class Refusal extends Error {
  readonly code: number
  readonly status: string

  constructor(code: number, status: string) {
    super(status)
    this.code = code
    this.status = status
  }
}

/** A request's JSON. */
export type GcpBody = Readonly<Record<string, unknown>>

/** What checks and makes Google's checksums; `isCorrupting` flips a bit of the next bytes that leave, behind their checksum. */
export type GcpWire = { crc32c: (bytes: Uint8Array) => number; isCorrupting: boolean }

const path = /^\/v1\/(projects\/.+?\/cryptoKeys\/[\w-]+)(?:\/cryptoKeyVersions(?:\/(\d+))?)?(?::(\w+))?$/

/** Answers one call of the key resources. Throws `Refusal`. */
export function callGcpKey(
  keys: Map<string, GcpKey>,
  wire: GcpWire,
  request: { method: string | undefined; url: string; body: GcpBody },
): object {
  const { method, url, body } = request
  const [, name = '', version, call = ''] = path.exec(url) ?? []
  const key = keys.get(name)
  if (key === undefined) throw new Refusal(404, 'NOT_FOUND')
  if (method === 'GET') return described(name, key)
  switch (call) {
    case 'encrypt':
      return encrypted(wire, name, key, Number(version ?? key.primary), body)
    case 'decrypt':
      return decrypted(wire, name, key, body)
    case 'updatePrimaryVersion':
      key.primary = Number(body['cryptoKeyVersionId'])
      return described(name, key)
    case '':
      key.versions.push({ key: randomBytes(32), state: 'ENABLED' })
      return { name: `${name}/cryptoKeyVersions/${key.versions.length}`, state: 'ENABLED' }
    default:
      throw new Refusal(404, 'NOT_FOUND')
  }
}

const described = (name: string, { versions, primary }: GcpKey) => ({
  name,
  purpose: 'ENCRYPT_DECRYPT',
  primary: { name: `${name}/cryptoKeyVersions/${primary}`, state: versions[primary - 1]?.state },
})

/** A member whose checksum goes along. */
function checked({ crc32c }: GcpWire, body: GcpBody, member: string): Buffer {
  const bytes = Buffer.from(String(body[member] ?? ''), 'base64')
  if (body[`${member}Crc32c`] !== String(crc32c(bytes))) throw new Refusal(400, 'INVALID_ARGUMENT')
  return bytes
}

function carried(wire: GcpWire, member: string, bytes: Buffer): object {
  const checksum = String(wire.crc32c(bytes))
  if (wire.isCorrupting) bytes[3] = (bytes[3] ?? 0) ^ 1
  wire.isCorrupting = false
  return { [member]: bytes.toString('base64'), [`${member}Crc32c`]: checksum }
}

function encrypted(wire: GcpWire, name: string, key: GcpKey, version: number, body: GcpBody): object {
  const used = key.versions[version - 1]
  if (used?.state !== 'ENABLED') throw new Refusal(400, 'FAILED_PRECONDITION')
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', used.key, iv)
  cipher.setAAD(Buffer.concat([Buffer.from(name), checked(wire, body, 'additionalAuthenticatedData')]))
  const ciphertext = Buffer.concat([cipher.update(checked(wire, body, 'plaintext')), cipher.final()])
  const blob = Buffer.concat([Buffer.from([version]), iv, cipher.getAuthTag(), ciphertext])
  return {
    name: `${name}/cryptoKeyVersions/${version}`,
    ...carried(wire, 'ciphertext', blob),
    verifiedPlaintextCrc32c: true,
    verifiedAdditionalAuthenticatedDataCrc32c: true,
  }
}

function decrypted(wire: GcpWire, name: string, key: GcpKey, body: GcpBody): object {
  const blob = checked(wire, body, 'ciphertext')
  const aad = checked(wire, body, 'additionalAuthenticatedData')
  const used = key.versions[(blob[0] ?? 0) - 1]
  if (used === undefined || blob.length < 30) throw new Refusal(400, 'INVALID_ARGUMENT')
  if (used.state !== 'ENABLED') throw new Refusal(400, 'FAILED_PRECONDITION')
  const decipher = createDecipheriv('aes-256-gcm', used.key, blob.subarray(1, 13), { authTagLength: 16 })
  decipher.setAAD(Buffer.concat([Buffer.from(name), aad])).setAuthTag(blob.subarray(13, 29))
  try {
    const plaintext = Buffer.concat([decipher.update(blob.subarray(29)), decipher.final()])
    return { ...carried(wire, 'plaintext', plaintext), usedPrimary: blob[0] === key.primary }
  } catch {
    throw new Refusal(400, 'INVALID_ARGUMENT')
  }
}
