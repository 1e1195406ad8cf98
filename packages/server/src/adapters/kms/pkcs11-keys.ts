import { KmsError } from '../../ports/kms.ts'
import type { Attribute, Handle, Pkcs11Module } from './pkcs11-module.ts'
import type { TokenSession } from './pkcs11-token.ts'

const versionLength = 4

/** The versions of a key that are in the token now. Throws where there is none, or one that could leave the token. */
export function versionsOf(module: Pkcs11Module, session: TokenSession, label: string): Map<number, Handle> {
  const { CKA_CLASS, CKA_EXTRACTABLE, CKA_ID, CKA_KEY_TYPE, CKA_LABEL, CKA_SENSITIVE } = module
  const found = session.find(
    [
      { type: CKA_CLASS, value: module.CKO_SECRET_KEY },
      { type: CKA_KEY_TYPE, value: module.CKK_AES },
      { type: CKA_LABEL, value: label },
    ],
    [CKA_ID, CKA_SENSITIVE, CKA_EXTRACTABLE],
  )
  if (found.length === 0) throw new KmsError('unknown_key')
  const versions = new Map<number, Handle>()
  for (const { handle, values } of found) {
    const [id, sensitive, extractable] = values
    const version = id?.length === versionLength ? id.readUInt32BE() : 0
    if (version === 0 || versions.has(version))
      throw unfit(label, 'has an id that is no version, or two of one')
    if (sensitive?.[0] !== 1 || extractable?.[0] !== 0) throw unfit(label, 'could leave the token')
    versions.set(version, handle)
  }
  return versions
}

/** The highest of them, which is current. */
export function newest(versions: Map<number, Handle>): { version: number; handle: Handle } {
  const [last, ...others] = versions
  if (last === undefined) throw new KmsError('unknown_key')
  const [version, handle] = others.reduce((a, b) => (b[0] > a[0] ? b : a), last)
  return { version, handle }
}

/** What a new version is made with: it never leaves the token. */
export function keyTemplate(module: Pkcs11Module, label: string, version: number): Attribute[] {
  const id = Buffer.alloc(versionLength)
  id.writeUInt32BE(version)
  return [
    { type: module.CKA_CLASS, value: module.CKO_SECRET_KEY },
    { type: module.CKA_KEY_TYPE, value: module.CKK_AES },
    { type: module.CKA_VALUE_LEN, value: 32 },
    { type: module.CKA_LABEL, value: label },
    { type: module.CKA_ID, value: id },
    { type: module.CKA_TOKEN, value: true },
    { type: module.CKA_PRIVATE, value: true },
    { type: module.CKA_SENSITIVE, value: true },
    { type: module.CKA_EXTRACTABLE, value: false },
    { type: module.CKA_ENCRYPT, value: true },
    { type: module.CKA_DECRYPT, value: true },
  ]
}

const unfit = (label: string, why: string) =>
  new KmsError('unavailable', new Error(`A key ${label} of the token ${why}.`))
