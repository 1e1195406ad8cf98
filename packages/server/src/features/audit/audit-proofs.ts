import type { Sql } from '../../db/pool.ts'
import type { Clock } from '../../ports/clock.ts'
import { type Failure, failure, isFailure } from '../../runtime/failure.ts'
import type { PlatformKey } from '../jwks/index.ts'
import { leafIndexOf, readEvents } from './audit-export.store.ts'
import { auditTreeStore } from './audit-tree.store.ts'
import { auditTree, BrokenLogError, extendTree } from './audit-tree.ts'
import { signHead } from './checkpoint-note.ts'
import { canonicalJson, exportLine } from './export-line.ts'
import type { MerkleTree } from './merkle.ts'

/** A signed tree head on the wire; hashes, signature in base64. */
export type WireCheckpoint = {
  tree_size: number
  root_hash: string
  timestamp: string
  signature: string
  note: string
}

/** The proof that an event is in the log, as on the wire; hashes in base64, nearest sibling first. */
export type WireProof = { leaf_index: number; tree_size: number; root_hash: string; hashes: string[] }

/** The proof that a later log begins with an earlier one, as on the wire. */
export type WireConsistency = {
  from_size: number
  tree_size: number
  from_root_hash: string
  root_hash: string
  hashes: string[]
}

/** Below the answer limit of a request; what is hashed by then stays. */
const budgetMs = 3_000
const linesPerRead = 1_000

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

/** What the log of an organization is proven with, so that anybody can check it. */
export type AuditProofsCtx = {
  sql: Sql
  clock: Clock
  /** Names the platform in its checkpoints. */
  host: string
  key: Pick<PlatformKey, 'jwk' | 'sign'>
}

/**
 * The signed head of the log as it stands. The root of a size is vouched for once and for all: if the events gave another one now,
 * somebody changed them, and nothing is signed (`BrokenLogError`).
 */
export const checkpoint = async (
  ctx: AuditProofsCtx,
  organizationId: string,
): Promise<WireCheckpoint | Failure<'unavailable'>> =>
  checkpointAt(ctx, organizationId, await sizeOf(ctx, organizationId))

/** The audit path of an event to the root of the first `size` events, or of all. */
export async function proveInclusion(
  ctx: AuditProofsCtx,
  organizationId: string,
  { eventId, size }: { eventId: string; size?: number | undefined },
): Promise<WireProof | Failure<'unavailable' | 'not_found' | 'invalid_request'>> {
  const index = await leafIndexOf(ctx.sql, organizationId, eventId)
  if (index === undefined) return failure('not_found')
  const now = await sizeOf(ctx, organizationId)
  const treeSize = size ?? now
  if (treeSize <= index || treeSize > now) return failure('invalid_request')
  const tree = await hashedTree(ctx, organizationId, treeSize)
  if (isFailure(tree)) return tree
  const hashes = await tree.inclusion(index, treeSize)
  return {
    leaf_index: index,
    tree_size: treeSize,
    root_hash: base64(await tree.root(treeSize)),
    hashes: hashes.map(base64),
  }
}

/** Why the log of `to` events (all when absent) begins with that of `from`. */
export async function proveConsistency(
  ctx: AuditProofsCtx,
  organizationId: string,
  { from, to }: { from: number; to?: number | undefined },
): Promise<WireConsistency | Failure<'unavailable' | 'invalid_request'>> {
  const now = await sizeOf(ctx, organizationId)
  const size = to ?? now
  if (from < 1 || from > size || size > now) return failure('invalid_request')
  const tree = await hashedTree(ctx, organizationId, size)
  if (isFailure(tree)) return tree
  const hashes = await tree.consistency(from, size)
  return {
    from_size: from,
    tree_size: size,
    from_root_hash: base64(await tree.root(from)),
    root_hash: base64(await tree.root(size)),
    hashes: hashes.map(base64),
  }
}

/**
 * The export: the lines of the first `size` events (all that there are now when absent), oldest first, in chunks of NDJSON; with a
 * checkpoint, last a line of its own with the signed head of exactly these. A `size` above the log's is `invalid_request`.
 */
export async function exportLog(
  ctx: AuditProofsCtx,
  organizationId: string,
  { size, withCheckpoint }: { size?: number | undefined; withCheckpoint: boolean },
): Promise<AsyncGenerator<string, void> | Failure<'unavailable' | 'invalid_request'>> {
  const now = await sizeOf(ctx, organizationId)
  const end = size ?? now
  if (end > now) return failure('invalid_request')
  const head = withCheckpoint ? await checkpointAt(ctx, organizationId, end) : undefined
  return isFailure(head) ? head : exportLines(ctx, organizationId, end, head)
}

async function* exportLines(
  { sql }: AuditProofsCtx,
  organizationId: string,
  end: number,
  head: WireCheckpoint | undefined,
): AsyncGenerator<string, void> {
  for (let from = 0; from < end; from += linesPerRead) {
    const count = Math.min(linesPerRead, end - from)
    const events = await readEvents(sql, organizationId, { from, count })
    if (events.length !== count) throw new BrokenLogError('A part of the log is missing.')
    yield events.map((event) => `${exportLine(organizationId, event)}\n`).join('')
  }
  if (head !== undefined) yield `${canonicalJson({ checkpoint: head })}\n`
}

async function checkpointAt(
  ctx: AuditProofsCtx,
  organizationId: string,
  size: number,
): Promise<WireCheckpoint | Failure<'unavailable'>> {
  const tree = await hashedTree(ctx, organizationId, size)
  if (isFailure(tree)) return tree
  const root = await tree.root(size)
  const first = await auditTreeStore.checkpoint(ctx.sql, organizationId, { size, root })
  if (!Buffer.from(first.root).equals(root))
    throw new BrokenLogError(`The log was changed below its size ${size}.`)
  const { host, key } = ctx
  const { note, signature } = signHead(
    { size, root, at: first.at },
    { host, organizationId, jwk: key.jwk, sign: key.sign },
  )
  return {
    tree_size: size,
    root_hash: base64(root),
    timestamp: first.at.toISOString(),
    signature: base64(signature),
    note,
  }
}

/** The tree with all roots that a size needs; `unavailable` while a long log is still being hashed. */
async function hashedTree(
  { sql, clock }: AuditProofsCtx,
  organizationId: string,
  size: number,
): Promise<MerkleTree | Failure<'unavailable'>> {
  const isHashed = await extendTree({ sql, organizationId }, size, budgetMs, clock.nowMs)
  return isHashed ? auditTree({ sql, organizationId }) : failure('unavailable', { retryAfterSeconds: 2 })
}

const sizeOf = async ({ sql }: AuditProofsCtx, organizationId: string): Promise<number> =>
  (await auditTreeStore.size(sql, organizationId)) ?? 0
