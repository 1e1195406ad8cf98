import { sha256 } from '@noble/hashes/sha2.js'

/** The hash of a leaf (RFC 9162 section 2.1.1): its bytes behind 0x00. */
export function leafHash(leaf: Uint8Array): Uint8Array {
  return sha256.create().update(leafMark).update(leaf).digest()
}

/** The hash of an inner node (RFC 9162 section 2.1.1): both children behind 0x01. */
export function nodeHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  return sha256.create().update(nodeMark).update(left).update(right).digest()
}

const leafMark = Uint8Array.of(0)
const nodeMark = Uint8Array.of(1)

/** A Merkle tree that leaves are appended to, of which only the roots of its full subtrees are kept: at most 53 hashes. */
export type MerkleRoot = {
  readonly size: number
  append(leaf: Uint8Array): void
  /** The root over all leaves so far, 32 bytes. */
  root(): Uint8Array
}

/**
 * Computes the root of a Merkle tree leaf by leaf (RFC 9162 section 2.1.2). Full subtrees stand on a stack like the digits of
 * a binary counter: a leaf joins two of equal height as long as there are such, and the root folds what stands.
 */
export function merkleRoot(): MerkleRoot {
  const stack: Uint8Array[] = []
  let size = 0
  return {
    get size() {
      return size
    },
    append(leaf) {
      let hash = leafHash(leaf)
      for (let count = size; count % 2 === 1; count = (count - 1) / 2)
        hash = nodeHash(stack.pop() as Uint8Array, hash)
      stack.push(hash)
      size += 1
    },
    root() {
      return stack.length === 0
        ? sha256(new Uint8Array())
        : stack.reduceRight((right, left) => nodeHash(left, right))
    },
  }
}
