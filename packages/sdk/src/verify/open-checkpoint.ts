import { toBase64 } from '../bytes.ts'
import type { ApiAnswer } from './api-answer.ts'
import type { AuditFindingCode } from './audit-finding.ts'
import { type AuditKey, signerOf } from './audit-keys.ts'
import { isObject } from './audit-line.ts'
import { readNote, type TreeHead } from './checkpoint-note.ts'

/** A checkpoint as `GET …/audit/checkpoint` answers it. */
export type AuditCheckpoint = {
  readonly tree_size: number
  readonly root_hash: string
  readonly timestamp: string
  readonly signature: string
  readonly note: string
}

/** A checkpoint: the API's answer, as an object or as JSON (with or without its envelope), or the text of the note alone. */
export type CheckpointInput = ApiAnswer<AuditCheckpoint> | string

/** A verified checkpoint; `kid` is the signing key's, and without keys nobody vouches for it. */
export type OpenCheckpoint = {
  readonly head: TreeHead
  readonly kid: string | undefined
  readonly isSigned: boolean
}

/** Reads a checkpoint and proves who signed it, or answers why it is not believed. */
export async function openCheckpoint(
  input: unknown,
  keys: readonly AuditKey[] | undefined,
): Promise<OpenCheckpoint | AuditFindingCode> {
  const fields = fieldsOf(input)
  const note = fields === undefined ? undefined : readNote(fields.note)
  if (fields === undefined || note === undefined) return 'checkpoint_malformed'
  const { head, signatures } = note
  const { beside } = fields
  const isSame =
    beside === undefined ||
    (beside.tree_size === head.size &&
      beside.root_hash === toBase64(head.root) &&
      beside.timestamp === head.at &&
      signatures.some(({ signature }) => toBase64(signature) === beside.signature))
  if (!isSame) return 'checkpoint_contradiction'
  if (keys === undefined) return { head, kid: undefined, isSigned: false }
  const signer = await signerOf(note, keys)
  if (signer === 'unknown') return 'unknown_key'
  if (signer === 'forged') return 'signature_invalid'
  return { head, kid: signer.kid, isSigned: true }
}

type Fields = { note: string; beside: Partial<Record<keyof AuditCheckpoint, unknown>> | undefined }

function fieldsOf(input: unknown): Fields | undefined {
  if (typeof input === 'string' && !input.trimStart().startsWith('{'))
    return { note: input, beside: undefined }
  const value = typeof input === 'string' ? parsed(input) : input
  if (!isObject(value)) return undefined
  if (typeof value['note'] === 'string') return { note: value['note'], beside: value }
  // The API's envelope, or a line of an export.
  const inner = value['data'] ?? value['checkpoint']
  return isObject(inner) && typeof inner['note'] === 'string'
    ? { note: inner['note'], beside: inner }
    : undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
