import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { emptyRoot, leafHash, merkleTree, nodeHash, rootOfRow } from './merkle.ts'

// The leaves and roots that Certificate Transparency's own tests use.
const leaves = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
]
const roots = [
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
]

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

/** The tree over leaf hashes held in memory. */
const treeOver = (hashes: readonly Uint8Array[]) =>
  merkleTree(async (height, position) => {
    const row = hashes.slice(position * 2 ** height, (position + 1) * 2 ** height)
    if (row.length !== 2 ** height) throw new Error('an incomplete subtree was asked for')
    return rootOfRow(row)
  })

/** RFC 6962 section 2.1, word for word. */
function referenceRoot(hashes: readonly Uint8Array[]): Uint8Array {
  if (hashes.length === 0) return createHash('sha256').digest()
  if (hashes.length === 1) return hashes[0] ?? emptyRoot
  let k = 1
  while (k < hashes.length / 2) k *= 2
  return nodeHash(referenceRoot(hashes.slice(0, k)), referenceRoot(hashes.slice(k)))
}

/** RFC 9162 section 2.1.3.2. */
function rootOfInclusion(leaf: Uint8Array, index: number, size: number, path: readonly Uint8Array[]): string {
  let [fn, sn, r] = [index, size - 1, leaf]
  for (const p of path) {
    if (sn === 0) return 'too long'
    if (fn % 2 === 1 || fn === sn) {
      r = nodeHash(p, r)
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)]
    } else r = nodeHash(r, p)
    ;[fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)]
  }
  return sn === 0 ? hex(r) : 'too short'
}

/** RFC 9162 section 2.1.4.2: both roots that a consistency proof leads to. */
function rootsOfConsistency(from: Uint8Array, oldSize: number, size: number, proof: readonly Uint8Array[]) {
  if (oldSize === size) return proof.length === 0 ? [hex(from), hex(from)] : ['too long']
  const isPower = (BigInt(oldSize) & BigInt(oldSize - 1)) === 0n
  const [first, ...rest] = isPower ? [from, ...proof] : proof
  if (first === undefined) return ['too short']
  let [fn, sn, fr, sr] = [oldSize - 1, size - 1, first, first]
  while (fn % 2 === 1) [fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)]
  for (const c of rest) {
    if (sn === 0) return ['too long']
    if (fn % 2 === 1 || fn === sn) {
      ;[fr, sr] = [nodeHash(c, fr), nodeHash(c, sr)]
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)]
    } else sr = nodeHash(sr, c)
    ;[fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)]
  }
  return sn === 0 ? [hex(fr), hex(sr)] : ['too short']
}

test('the roots of one to eight leaves are those of Certificate Transparency', async () => {
  const hashes = leaves.map((leaf) => leafHash(Buffer.from(leaf, 'hex')))
  const { root } = treeOver(hashes)
  expect(hex(await root(0))).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
  for (const [i, expected] of roots.entries()) expect(hex(await root(i + 1))).toBe(expected)
})

test('every root, audit path and consistency proof up to 70 leaves is what the RFC says', async () => {
  const hashes = Array.from({ length: 70 }, (_, i) => leafHash(`leaf ${i}`))
  const tree = treeOver(hashes)
  for (let size = 1; size <= hashes.length; size++) {
    const root = hex(referenceRoot(hashes.slice(0, size)))
    expect(hex(await tree.root(size))).toBe(root)
    for (let index = 0; index < size; index++)
      expect(
        rootOfInclusion(hashes[index] ?? emptyRoot, index, size, await tree.inclusion(index, size)),
      ).toBe(root)
    for (let old = 1; old <= size; old++) {
      const from = referenceRoot(hashes.slice(0, old))
      expect(rootsOfConsistency(from, old, size, await tree.consistency(old, size))).toEqual([
        hex(from),
        root,
      ])
    }
  }
})

test('sizes beyond 2^32 split where the RFC splits them', async () => {
  const asked: [number, number][] = []
  const tree = merkleTree(async (height, position) => {
    asked.push([height, position])
    return leafHash(`${height}/${position}`)
  })
  await fc.assert(
    fc.asyncProperty(fc.maxSafeNat(), fc.maxSafeNat(), async (a, b) => {
      const [index, size] = [Math.min(a, b), Math.max(a, b) + 1]
      fc.pre(Number.isSafeInteger(size))
      asked.length = 0
      const path = await tree.inclusion(index, size)
      expect(path.length).toBeLessThanOrEqual(53)
      for (const [height, position] of asked) expect((position + 1) * 2 ** height).toBeLessThanOrEqual(size)
      const leaf = leafHash(`0/${index}`)
      // With made-up subtrees the path need not reach the root, but it always has the length of the RFC's.
      expect(rootOfInclusion(leaf, index, size, path)).toMatch(/^[0-9a-f]{64}$/)
    }),
    { numRuns: 300 },
  )
})
