import { isEqual } from './exact-bytes.ts'
import { nodeHash } from './merkle-root.ts'

/** That the leaf is number `index` (from 0) of the tree of `size` leaves with that root (RFC 9162 section 2.1.3.2). */
export function isIncluded({
  leaf,
  index,
  size,
  path,
  root,
}: {
  /** The leaf's hash. */
  leaf: Uint8Array
  index: number
  size: number
  path: readonly Uint8Array[]
  root: Uint8Array
}): boolean {
  if (!isSize(index) || !isSize(size) || index >= size) return false
  let [node, last] = [index, size - 1]
  let hash = leaf
  for (const sibling of path) {
    if (last === 0) return false
    if (node % 2 === 1 || node === last) {
      hash = nodeHash(sibling, hash)
      while (node % 2 === 0 && node !== 0) [node, last] = [half(node), half(last)]
    } else hash = nodeHash(hash, sibling)
    ;[node, last] = [half(node), half(last)]
  }
  return last === 0 && isEqual(hash, root)
}

/** That the tree of `newer` begins with all leaves of `older`, which has at least one (RFC 9162 section 2.1.4.2). */
export function isConsistent({
  older,
  newer,
  path,
}: {
  older: { size: number; root: Uint8Array }
  newer: { size: number; root: Uint8Array }
  path: readonly Uint8Array[]
}): boolean {
  if (!isSize(older.size) || !isSize(newer.size) || older.size < 1 || older.size > newer.size) return false
  if (older.size === newer.size) return path.length === 0 && isEqual(older.root, newer.root)
  // A full tree is itself the first subtree, and the proof leaves it out.
  const [first, ...rest] = isPowerOfTwo(older.size) ? [older.root, ...path] : path
  if (first === undefined) return false
  let [node, last] = [older.size - 1, newer.size - 1]
  while (node % 2 === 1) [node, last] = [half(node), half(last)]
  let [olderHash, newerHash] = [first, first]
  for (const sibling of rest) {
    if (last === 0) return false
    if (node % 2 === 1 || node === last) {
      olderHash = nodeHash(sibling, olderHash)
      newerHash = nodeHash(sibling, newerHash)
      while (node % 2 === 0 && node !== 0) [node, last] = [half(node), half(last)]
    } else newerHash = nodeHash(newerHash, sibling)
    ;[node, last] = [half(node), half(last)]
  }
  return last === 0 && isEqual(olderHash, older.root) && isEqual(newerHash, newer.root)
}

// Sizes go beyond what bit operators of JavaScript hold.
const half = (count: number) => Math.floor(count / 2)

const isSize = (count: number) => Number.isSafeInteger(count) && count >= 0

function isPowerOfTwo(count: number): boolean {
  let rest = count
  while (rest % 2 === 0 && rest > 0) rest /= 2
  return rest === 1
}
