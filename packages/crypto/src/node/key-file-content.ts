import { randomBytes, randomFillSync } from 'node:crypto'
import { equalBytes } from '../equal-bytes.ts'
import { type KeyPurpose, keyPurposes } from './key-purpose.ts'

/** The keys of one purpose; the first of `versions` is version 1, 32 bytes each. */
type PurposeKeys = { keyId: string; versions: readonly Uint8Array[] }

/** What a key file holds. */
export type KeyFileContent = ReadonlyMap<KeyPurpose, PurposeKeys>

const format = 'symbolon-keys/1'
const keyIdShape = /^[\x21-\x7e]{1,255}$/

/** Adds first keys for the purposes that have none; the same content when nothing is missing. */
export function withPurposes(content: KeyFileContent, purposes: readonly KeyPurpose[]): KeyFileContent {
  const missing = purposes.filter((purpose) => !content.has(purpose))
  if (missing.length === 0) return content
  const added = missing.map((purpose): [KeyPurpose, PurposeKeys] => {
    const suffix = randomBytes(8).toString('hex')
    return [purpose, { keyId: `local:${purpose}:${suffix}`, versions: [freshKey()] }]
  })
  return new Map([...content, ...added])
}

/** Adds one fresh version to a purpose. */
export function withNewVersion(content: KeyFileContent, purpose: KeyPurpose): KeyFileContent {
  const keys = content.get(purpose)
  if (keys === undefined) return withPurposes(content, [purpose])
  return new Map(content).set(purpose, { ...keys, versions: [...keys.versions, freshKey()] })
}

/** Says whether `newer` still has every key of `older` in its place. */
export function extendsContent(newer: KeyFileContent, older: KeyFileContent): boolean {
  return [...older].every(([purpose, { keyId, versions }]) => {
    const found = newer.get(purpose)
    return found?.keyId === keyId && versions.every((key, i) => isSame(key, found.versions[i]))
  })
}

/** Writes the JSON text `{format, keys: {<purpose>: {keyId, versions: [base64]}}}`. */
export function formatKeyFile(content: KeyFileContent): string {
  const keys = Object.fromEntries(
    [...content].map(([purpose, { keyId, versions }]) => [
      purpose,
      { keyId, versions: versions.map(toBase64) },
    ]),
  )
  return `${JSON.stringify({ format, keys }, null, 2)}\n`
}

/** Reads what `formatKeyFile` wrote; `undefined` for anything else and for purposes beyond `allowed`. */
export function parseKeyFile(text: string, allowed: readonly KeyPurpose[]): KeyFileContent | undefined {
  try {
    const root: unknown = JSON.parse(text)
    if (!isRecord(root)) return undefined
    const { format: foundFormat, keys: entries } = root
    if (foundFormat !== format || !isRecord(entries)) return undefined
    const content = new Map<KeyPurpose, PurposeKeys>()
    for (const [name, value] of Object.entries(entries)) {
      const purpose = keyPurposes.find((known) => known === name)
      const keys = readPurposeKeys(value)
      if (purpose === undefined || !allowed.includes(purpose) || keys === undefined) return undefined
      content.set(purpose, keys)
    }
    return content
  } catch {
    // The parser's own message would quote the file.
    return undefined
  }
}

const readPurposeKeys = (value: unknown): PurposeKeys | undefined => {
  if (!isRecord(value)) return undefined
  const { keyId, versions } = value
  if (typeof keyId !== 'string' || !keyIdShape.test(keyId) || !Array.isArray(versions)) return undefined
  if (versions.length === 0 || !versions.every((version) => isKeyText(version))) return undefined
  return { keyId, versions: versions.map((version) => Uint8Array.from(Buffer.from(version, 'base64'))) }
}

const freshKey = (): Uint8Array => randomFillSync(new Uint8Array(32))

const toBase64 = (key: Uint8Array): string => Buffer.from(key).toString('base64')

// 32 bytes in canonical base64.
const isKeyText = (value: unknown): value is string =>
  typeof value === 'string' && /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/.test(value)

const isSame = (key: Uint8Array, other: Uint8Array | undefined): boolean =>
  other !== undefined && equalBytes(key, other)

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
