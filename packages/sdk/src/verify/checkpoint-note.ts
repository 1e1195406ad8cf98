import { isId, isTimestamp } from './audit-line.ts'
import { exactBase64 } from './exact-bytes.ts'

/** A checkpoint's statement on a log: the number of events, the root over them, and the time of signing. */
export type TreeHead = {
  /** The platform's host, which is the name of its keys. */
  readonly host: string
  readonly organizationId: string
  readonly size: number
  readonly root: Uint8Array
  /** ISO 8601. */
  readonly at: string
}

/** A signature line of a note: who claims to have signed, by which key. */
export type NoteSignature = {
  readonly name: string
  readonly keyId: Uint8Array
  readonly signature: Uint8Array<ArrayBuffer>
}

/** A note in its parts; the signatures are over `text`. Nothing is verified yet. */
export type CheckpointNote = {
  readonly text: string
  readonly head: TreeHead
  readonly signatures: readonly NoteSignature[]
}

const signaturesMax = 32
const keyIdBytes = 4
const ed25519Bytes = 64

/**
 * Reads a checkpoint note (C2SP signed-note, tlog-checkpoint): origin, size, root and a line `timestamp …`, an empty line, one
 * line per signature. Undefined for anything else. Signatures of other lengths are those of other algorithms, and left out.
 */
export function readNote(note: string): CheckpointNote | undefined {
  // The last empty line ends the text.
  const end = note.lastIndexOf('\n\n')
  if (end === -1 || !note.endsWith('\n') || hasControlCharacter(note)) return undefined
  const text = note.slice(0, end + 1)
  const head = readHead(text)
  const lines = note.slice(end + 2, -1).split('\n')
  const signatures = lines.slice(0, signaturesMax).map(readSignature)
  if (head === undefined || lines.length > signaturesMax || signatures.includes(undefined)) return undefined
  return {
    text,
    head,
    signatures: signatures.filter((one) => one !== undefined && one !== 'other') as NoteSignature[],
  }
}

function readHead(text: string): TreeHead | undefined {
  const [origin = '', sizeText = '', rootText, ...extensions] = text.slice(0, -1).split('\n')
  const named = /^([^\s+/]+)\/v1\/orgs\/([^/]+)\/audit$/u.exec(origin)
  const [, host, organizationId] = named ?? []
  const root = exactBase64(rootText, 32)
  const times = extensions.filter((line) => line.startsWith('timestamp '))
  const at = times[0]?.slice('timestamp '.length)
  const size = /^(?:0|[1-9]\d{0,15})$/.test(sizeText) ? Number(sizeText) : Number.NaN
  if (host === undefined || !isId(organizationId) || root === undefined || !Number.isSafeInteger(size))
    return undefined
  if (times.length !== 1 || !isTimestamp(at) || extensions.includes('')) return undefined
  return { host, organizationId, size, root, at }
}

function readSignature(line: string): NoteSignature | 'other' | undefined {
  const [, name, base64] = /^— ([^\s+]+) ([A-Za-z0-9+/]+={0,2})$/u.exec(line) ?? []
  if (name === undefined) return undefined
  const bytes = exactBase64(base64, keyIdBytes + ed25519Bytes)
  if (bytes === undefined) return 'other'
  return { name, keyId: bytes.slice(0, keyIdBytes), signature: bytes.slice(keyIdBytes) }
}

function hasControlCharacter(text: string): boolean {
  return [...text].some((character) => character < ' ' && character !== '\n')
}
