import { createHash } from 'node:crypto'

/** The root over the 2^`height` leaves from leaf `position` * 2^`height` on; all of them exist. 32 bytes. */
export type SubtreeRoot = (height: number, position: number) => Promise<Uint8Array>

/** The root of the empty tree (RFC 6962 section 2.1). */
export const emptyRoot: Uint8Array = createHash('sha256').digest()

/** The hash of a leaf (RFC 6962 section 2.1): its bytes behind 0x00. */
export const leafHash = (leaf: string | Uint8Array): Uint8Array =>
  createHash('sha256')
    .update(Uint8Array.of(0))
    .update(typeof leaf === 'string' ? Buffer.from(leaf, 'utf8') : leaf)
    .digest()

/** The hash of an inner node (RFC 6962 section 2.1): both children behind 0x01. */
export const nodeHash = (left: Uint8Array, right: Uint8Array): Uint8Array =>
  createHash('sha256').update(Uint8Array.of(1)).update(left).update(right).digest()

/** The root over a full row of hashes, whose number is a power of two. */
export function rootOfRow(row: readonly Uint8Array[]): Uint8Array {
  const [first, second] = row
  if (first === undefined) return emptyRoot
  if (second === undefined) return first
  const half = row.length / 2
  return nodeHash(rootOfRow(row.slice(0, half)), rootOfRow(row.slice(half)))
}

/** The largest power of two below `size`, which is at least 2: where RFC 6962 splits a tree. */
function splitOf(size: number): number {
  let split = 1
  while (split * 2 < size) split *= 2
  return split
}

/** The height of a full tree of that many leaves; undefined when no full tree has so many. (`Math.log2` rounds large sizes.) */
function heightOf(size: number): number | undefined {
  let [height, leaves] = [0, 1]
  while (leaves < size) [height, leaves] = [height + 1, leaves * 2]
  return leaves === size ? height : undefined
}

/**
 * Roots and proofs of a tree of which complete subtrees can be asked for (RFC 6962 section 2.1). Each takes a handful of
 * subtrees per level, never the leaves; sizes and indexes are whole numbers below 2^53.
 */
export function merkleTree(subtreeRoot: SubtreeRoot) {
  /** The root over the leaves from `start` to before `end`, as one tree; `start` is where such a tree can begin. */
  async function rangeRoot(start: number, end: number): Promise<Uint8Array> {
    const size = end - start
    if (size === 0) return emptyRoot
    const height = heightOf(size)
    if (height !== undefined) return subtreeRoot(height, start / size)
    const middle = start + splitOf(size)
    return nodeHash(await rangeRoot(start, middle), await rangeRoot(middle, end))
  }

  async function path(index: number, start: number, end: number): Promise<Uint8Array[]> {
    if (end - start <= 1) return []
    const middle = start + splitOf(end - start)
    return index < middle
      ? [...(await path(index, start, middle)), await rangeRoot(middle, end)]
      : [...(await path(index, middle, end)), await rangeRoot(start, middle)]
  }

  async function subproof(size: number, start: number, end: number, isKnown: boolean): Promise<Uint8Array[]> {
    if (size === end) return isKnown ? [] : [await rangeRoot(start, end)]
    const middle = start + splitOf(end - start)
    return size <= middle
      ? [...(await subproof(size, start, middle, isKnown)), await rangeRoot(middle, end)]
      : [...(await subproof(size, middle, end, false)), await rangeRoot(start, middle)]
  }

  return {
    /** The root of the first `size` leaves. */
    root: (size: number): Promise<Uint8Array> => rangeRoot(0, size),
    /** The audit path of a leaf in the tree of the first `size` (section 2.1.1), nearest sibling first. */
    inclusion: (index: number, size: number): Promise<Uint8Array[]> => path(index, 0, size),
    /** Why the tree of `size` begins with that of `oldSize` (section 2.1.2); both at least 1. */
    consistency: (oldSize: number, size: number): Promise<Uint8Array[]> => subproof(oldSize, 0, size, true),
  }
}

/** Roots and proofs of one tree. */
export type MerkleTree = ReturnType<typeof merkleTree>
