import { canonicalJson } from '@symbolon/crypto/attestation'
import { given } from '../given.ts'
import { type ApiAnswer, answerData } from './api-answer.ts'
import { type AuditKeys, importKeys } from './audit-keys.ts'
import { readAuditLine } from './audit-line.ts'
import { exactBase64, isEqual } from './exact-bytes.ts'
import { type Findings, findingList } from './finding-list.ts'
import { isIncluded } from './merkle-proof.ts'
import { leafHash } from './merkle-root.ts'
import { type CheckpointInput, openCheckpoint } from './open-checkpoint.ts'

/** A proof as `GET …/audit/{eventID}/proof` answers it. */
export type AuditProof = {
  readonly leaf_index: number
  readonly tree_size: number
  readonly root_hash: string
  readonly hashes: readonly string[]
}

const proofShape = { leaf_index: 'number', tree_size: 'number', root_hash: 'text', hashes: 'texts' } as const

/** A path of hashes cannot be longer in any tree whose size is a number of JavaScript. */
const hashesMax = 110

/** The hashes of a proof as bytes; undefined if one is malformed. */
export function proofPath(hashes: readonly string[]): readonly Uint8Array[] | undefined {
  if (hashes.length > hashesMax) return undefined
  const path = hashes.map((hash) => exactBase64(hash, 32))
  return path.includes(undefined) ? undefined : (path as Uint8Array[])
}

/**
 * Verifies that one event is in the log that a signed head is of (RFC 9162 section 2.1.3.2). The event comes as the API lists
 * it or as its line of an export; the proof must be for the checkpoint's size (`tree_size=`). Proof and checkpoint are the
 * API's answers, with or without their envelope; anything else passed as a proof rejects with a `TypeError`.
 */
export async function verifyInclusion(options: {
  readonly event: Readonly<Record<string, unknown>> | string
  readonly proof: ApiAnswer<AuditProof>
  readonly checkpoint: CheckpointInput
  readonly keys?: AuditKeys | undefined
}): Promise<Findings> {
  const { event, proof: answer, checkpoint, keys } = given('verifyInclusion', options, ['event'])
  const proof = answerData(answer, 'proof', proofShape)
  const findings = findingList()
  const line = new TextEncoder().encode(typeof event === 'string' ? event : canonicalJson(event))
  const read = readAuditLine(line)
  if (read.kind === 'checkpoint') findings.add('not_an_event')
  if (read.kind === 'broken') findings.add(read.code)
  const opened = await openCheckpoint(checkpoint, keys && (await importKeys(keys)))
  if (typeof opened === 'string') {
    findings.add(opened)
    return findings.result()
  }
  if (!opened.isSigned) findings.add('no_keys')
  const { organizationId, size, root } = opened.head
  if (read.kind === 'event' && read.organizationId !== organizationId)
    findings.add('other_organization', { details: `The checkpoint belongs to ${organizationId}.` })
  const path = proofPath(proof.hashes)
  const isForThis = proof.tree_size === size && isSameRoot(proof.root_hash, root)
  if (path === undefined || !isForThis)
    findings.add('proof_malformed', { details: otherSize(proof.tree_size, size) })
  else if (!isIncluded({ leaf: leafHash(line), index: proof.leaf_index, size, path, root }))
    findings.add('proof_invalid')
  return findings.result()
}

/** Which proof would be the one; nothing where the size is right. */
const otherSize = (given: number, wanted: number): string =>
  given === wanted ? '' : `It is for ${given} events, not for ${wanted}.`

/** Whether base64 is of this root. */
export function isSameRoot(text: unknown, root: Uint8Array): boolean {
  const bytes = exactBase64(text, 32)
  return bytes !== undefined && isEqual(bytes, root)
}
