import type { Fail } from '@symbolon/api'
import type { Sql } from '../../db/pool.ts'
import type { Clock } from '../../ports/clock.ts'
import type { PlatformKey } from '../jwks/index.ts'
import { leafIndexOf, readEvents } from './audit-export.store.ts'
import { auditTreeStore } from './audit-tree.store.ts'
import { auditTree, BrokenLogError } from './audit-tree.ts'
import { signHead } from './checkpoint-note.ts'
import { canonicalJson, exportLine } from './export-line.ts'

/** A signed tree head on the wire; hashes, signature in base64. */
export type WireCheckpoint = {
  tree_size: number
  root_hash: string
  timestamp: string
  signature: string
  note: string
}

/** That an event is in the log, on the wire; hashes in base64, nearest sibling first. */
export type WireProof = { leaf_index: number; tree_size: number; root_hash: string; hashes: string[] }

/** That a later log begins with an earlier one, on the wire. */
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

/** The log of an organization as something that anybody can check: signed heads, proofs, and the whole of it. */
export function auditProofs({
  sql,
  clock,
  host,
  key,
}: {
  sql: Sql
  clock: Clock
  /** Names the platform in its checkpoints. */
  host: string
  key: Pick<PlatformKey, 'jwk' | 'sign'>
}) {
  /** The tree with all roots that a size needs; `unavailable` while a long log is still being hashed. */
  async function treeOf(organizationId: string, size: number, fail: Fail<'unavailable'>) {
    const tree = auditTree(sql, organizationId)
    if (!(await tree.extend(size, budgetMs, clock.nowMs))) throw fail('unavailable', { retryAfterSeconds: 2 })
    return tree
  }

  async function sizeOf(organizationId: string): Promise<number> {
    return (await auditTreeStore.size(sql, organizationId)) ?? 0
  }

  async function checkpointAt(
    organizationId: string,
    size: number,
    fail: Fail<'unavailable'>,
  ): Promise<WireCheckpoint> {
    const tree = await treeOf(organizationId, size, fail)
    const root = await tree.root(size)
    const first = await auditTreeStore.checkpoint(sql, organizationId, { size, root })
    if (!Buffer.from(first.root).equals(root))
      throw new BrokenLogError(`The log was changed below its size ${size}.`)
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

  return {
    /**
     * The signed head of the log as it stands. The root of a size is vouched for once and for all: if the events gave another
     * one now, somebody changed them, and nothing is signed (`BrokenLogError`).
     */
    async checkpoint(organizationId: string, fail: Fail<'unavailable'>): Promise<WireCheckpoint> {
      return checkpointAt(organizationId, await sizeOf(organizationId), fail)
    },

    /** The audit path of an event to the root of the first `size` events, or of all. */
    async inclusion(
      organizationId: string,
      { eventId, size }: { eventId: string; size?: number | undefined },
      fail: Fail<'unavailable' | 'not_found' | 'invalid_request'>,
    ): Promise<WireProof> {
      const index = await leafIndexOf(sql, organizationId, eventId)
      if (index === undefined) throw fail('not_found')
      const now = await sizeOf(organizationId)
      const treeSize = size ?? now
      if (treeSize <= index || treeSize > now) throw fail('invalid_request')
      const tree = await treeOf(organizationId, treeSize, fail)
      const hashes = await tree.inclusion(index, treeSize)
      return {
        leaf_index: index,
        tree_size: treeSize,
        root_hash: base64(await tree.root(treeSize)),
        hashes: hashes.map(base64),
      }
    },

    /** Why the log of `to` events (all when absent) begins with that of `from`. */
    async consistency(
      organizationId: string,
      { from, to }: { from: number; to?: number | undefined },
      fail: Fail<'unavailable' | 'invalid_request'>,
    ): Promise<WireConsistency> {
      const now = await sizeOf(organizationId)
      const size = to ?? now
      if (from < 1 || from > size || size > now) throw fail('invalid_request')
      const tree = await treeOf(organizationId, size, fail)
      const hashes = await tree.consistency(from, size)
      return {
        from_size: from,
        tree_size: size,
        from_root_hash: base64(await tree.root(from)),
        root_hash: base64(await tree.root(size)),
        hashes: hashes.map(base64),
      }
    },

    /**
     * The export: the lines of the first `size` events (all that there are now when absent), oldest first, in chunks of NDJSON;
     * with a checkpoint, last a line of its own with the signed head of exactly these. More than there are is `invalid_request`.
     */
    async *export(
      organizationId: string,
      { size, withCheckpoint }: { size?: number | undefined; withCheckpoint: boolean },
      fail: Fail<'unavailable' | 'invalid_request'>,
    ): AsyncGenerator<string, void> {
      const now = await sizeOf(organizationId)
      const end = size ?? now
      if (end > now) throw fail('invalid_request')
      const head = withCheckpoint ? await checkpointAt(organizationId, end, fail) : undefined
      for (let from = 0; from < end; from += linesPerRead) {
        const count = Math.min(linesPerRead, end - from)
        const events = await readEvents(sql, organizationId, { from, count })
        if (events.length !== count) throw new BrokenLogError('A part of the log is missing.')
        yield events.map((event) => `${exportLine(organizationId, event)}\n`).join('')
      }
      if (head !== undefined) yield `${canonicalJson({ checkpoint: head })}\n`
    },
  }
}

export type AuditProofs = ReturnType<typeof auditProofs>
