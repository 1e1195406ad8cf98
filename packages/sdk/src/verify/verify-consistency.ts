import { given } from '../given.ts'
import { type ApiAnswer, answerData } from './api-answer.ts'
import { type AuditKeys, importKeys } from './audit-keys.ts'
import { isEqual } from './exact-bytes.ts'
import { type Findings, findingList } from './finding-list.ts'
import { isConsistent } from './merkle-proof.ts'
import { type CheckpointInput, openCheckpoint } from './open-checkpoint.ts'
import { isSameRoot, proofPath } from './verify-inclusion.ts'

/** A proof as `GET …/audit/consistency` answers it. */
export type AuditConsistency = {
  readonly from_size: number
  readonly tree_size: number
  readonly from_root_hash: string
  readonly root_hash: string
  readonly hashes: readonly string[]
}

const proofShape = {
  from_size: 'number',
  tree_size: 'number',
  from_root_hash: 'text',
  root_hash: 'text',
  hashes: 'texts',
} as const

/**
 * Verifies that the log of one signed head begins with that of an earlier one (RFC 9162 section 2.1.4.2), without any event.
 * Heads of one size need no proof: different roots are a `split_view`, signed evidence that the platform showed two
 * histories. Heads and proof are the API's answers, with or without their envelope; anything else passed as a proof rejects
 * with a `TypeError`.
 */
export async function verifyConsistency(options: {
  readonly older: CheckpointInput
  readonly newer: CheckpointInput
  readonly proof?: ApiAnswer<AuditConsistency> | undefined
  readonly keys?: AuditKeys | undefined
}): Promise<Findings> {
  const { older, newer, proof: answer, keys } = given('verifyConsistency', options, ['older', 'newer'])
  const proof = answer === undefined ? undefined : answerData(answer, 'proof', proofShape)
  const findings = findingList()
  const imported = keys && (await importKeys(keys))
  const [from, to] = [await openCheckpoint(older, imported), await openCheckpoint(newer, imported)]
  if (typeof from === 'string') findings.add(from, { details: '(the older one)' })
  if (typeof to === 'string') findings.add(to, { details: '(the newer one)' })
  if (typeof from === 'string' || typeof to === 'string') return findings.result()
  if (keys === undefined) findings.add('no_keys')
  if (from.head.organizationId !== to.head.organizationId) findings.add('other_organization')
  if (from.head.host !== to.head.host) findings.add('other_platform')
  if (from.head.size > to.head.size)
    findings.add('history_rewritten', {
      details: `The log has ${to.head.size} events and had ${from.head.size}.`,
    })
  else if (from.head.size === to.head.size) {
    if (!isEqual(from.head.root, to.head.root)) findings.add('split_view')
    // Whatever comes after nothing begins with it.
  } else if (from.head.size > 0 && proof === undefined) findings.add('no_proof')
  else if (from.head.size > 0 && proof !== undefined) {
    const path = proofPath(proof.hashes)
    const isForThese =
      proof.from_size === from.head.size &&
      proof.tree_size === to.head.size &&
      isSameRoot(proof.from_root_hash, from.head.root) &&
      isSameRoot(proof.root_hash, to.head.root)
    if (path === undefined || !isForThese) findings.add('proof_malformed')
    else if (!isConsistent({ older: from.head, newer: to.head, path })) findings.add('proof_invalid')
  }
  return findings.result()
}
