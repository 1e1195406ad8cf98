import { createHash } from 'node:crypto'
import { isConsistent, isIncluded, leafHash, merkleRoot } from '@symbolon/sdk/testing'
import { verifyConsistency, verifyInclusion } from '@symbolon/sdk/verify'
import { merkleTree, rootOfRow, leafHash as serverLeafHash } from '@symbolon/server/testing/audit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AuditFixture, forgedCheckpoint, partsOf, startAuditFixture } from './audit-fixture.ts'

const sizeMax = 70
const leaves = Array.from({ length: sizeMax }, (_, i) => Buffer.from(`leaf ${i}`))
const hashes = leaves.map(serverLeafHash)
const tree = merkleTree(async (height, position) =>
  rootOfRow(hashes.slice(position * 2 ** height, (position + 1) * 2 ** height)),
)
const roots: Uint8Array[] = []
const flipped = (bytes: Uint8Array, at: number) => bytes.map((byte, i) => (i === at ? byte ^ 1 : byte))

let fixture: AuditFixture
beforeAll(async () => {
  fixture = await startAuditFixture()
  for (let size = 0; size <= sizeMax; size++) roots.push(await tree.root(size))
})
afterAll(() => fixture.stop())

test('roots are those of the known test tree of Certificate Transparency', () => {
  const known = [
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
    'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
    'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
    'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
    '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
    'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
    '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
  ]
  const inputs = [
    '',
    '00',
    '10',
    '2021',
    '3031',
    '40414243',
    '5051525354555657',
    '606162636465666768696a6b6c6d6e6f',
  ]
  const growing = merkleRoot()
  const seen = [growing.root()]
  for (const input of inputs) {
    growing.append(Buffer.from(input, 'hex'))
    seen.push(growing.root())
  }
  expect(seen.map((root) => Buffer.from(root).toString('hex'))).toEqual(known)
})

test('the growing root and the recursive one of the server agree at every size', () => {
  const growing = merkleRoot()
  for (const [size, root] of roots.entries()) {
    expect(Buffer.from(growing.root())).toEqual(Buffer.from(root))
    const leaf = leaves[size]
    if (leaf) growing.append(leaf)
  }
})

test('every proof of the server holds for its leaf, and for no other index, size, root, length or hash', async () => {
  for (let size = 1; size <= sizeMax; size += size < 20 ? 1 : 7) {
    const root = roots[size] as Uint8Array
    for (let index = 0; index < size; index++) {
      const path = await tree.inclusion(index, size)
      const leaf = leafHash(leaves[index] as Uint8Array)
      const proof = { leaf, index, size, path, root }
      expect(isIncluded(proof)).toBe(true)
      const others = [
        { leaf: leafHash(leaves[(index + 1) % sizeMax] as Uint8Array) },
        { index: (index + 1) % (size + 1) },
        { index: index - 1 },
        { index: size },
        { path: [...path, leaf] },
        { path: path.slice(0, -1) },
        { root: flipped(root, 31) },
        ...path.map((hash, at) => ({ path: path.with(at, flipped(hash, 0)) })),
      ]
      for (const other of others.slice(path.length === 0 ? 1 : 0)) {
        const changed = { ...proof, ...other }
        const isSame =
          changed.path.length === path.length &&
          changed.index === index &&
          !('leaf' in other || 'root' in other)
        if (isSame && path.length === 0) continue
        expect(isIncluded(changed)).toBe(false)
      }
    }
  }
})

test('every consistency proof of the server holds, and for no other pair, length or hash', async () => {
  for (let size = 1; size <= sizeMax; size += size < 20 ? 1 : 7) {
    for (let old = 1; old <= size; old++) {
      const path = await tree.consistency(old, size)
      const [older, newer] = [
        { size: old, root: roots[old] as Uint8Array },
        { size, root: roots[size] as Uint8Array },
      ]
      expect(isConsistent({ older, newer, path })).toBe(true)
      const others = [
        { older: { size: old, root: flipped(older.root, 5) } },
        { newer: { size, root: flipped(newer.root, 5) } },
        { path: [...path, older.root] },
        ...(path.length > 0 ? [{ path: path.slice(0, -1) }, { path: path.slice(1) }] : []),
        ...path.map((hash, at) => ({ path: path.with(at, flipped(hash, 31)) })),
        { older: newer, newer: older, path: size === old ? [older.root] : path },
        { older: { size: 0, root: roots[0] as Uint8Array } },
      ]
      for (const other of others) expect(isConsistent({ older, newer, path, ...other })).toBe(false)
    }
  }
})

test('sizes beyond 32 bits are counted right', () => {
  // The first leaf of a tree of 2^40 equal leaves: each sibling is the root beside it.
  const path: Uint8Array[] = [leafHash(leaves[0] as Uint8Array)]
  const node = (left: Uint8Array, right: Uint8Array) =>
    createHash('sha256').update(Uint8Array.of(1)).update(left).update(right).digest()
  while (path.length < 40) path.push(node(path.at(-1) as Uint8Array, path.at(-1) as Uint8Array))
  const top = path.at(-1) as Uint8Array
  const root = node(top, top)
  const [leaf, size] = [path[0] as Uint8Array, 2 ** 40]
  for (const index of [0, 1, 2 ** 32, 2 ** 39 + 5, size - 1])
    expect(isIncluded({ leaf, index, size, path, root })).toBe(true)
  expect(isIncluded({ leaf, index: 0, size: size / 2, path, root })).toBe(false)
  expect(isConsistent({ older: { size: 2 ** 39, root: top }, newer: { size, root }, path: [top] })).toBe(true)
  expect(isConsistent({ older: { size: 2 ** 38, root: top }, newer: { size, root }, path: [top] })).toBe(
    false,
  )
})

test('an event is proven against a signed head: as the API lists it, as its line, at an earlier size', async () => {
  const id = await fixture.log(30)
  const earlier = await fixture.checkpoint(id)
  await fixture.write(id, 11)
  const text = await fixture.download(id)
  const { lines, checkpoint } = partsOf(text)
  const [{ keys }, foreign] = [fixture, await fixture.log(41)]
  const verdict = async (options: Parameters<typeof verifyInclusion>[0]) =>
    (await verifyInclusion(options)).verdict
  for (const [index, line] of lines.entries()) {
    const event = JSON.parse(line)
    const proof = await fixture.inclusion(id, event.id)
    expect(await verdict({ event, proof, checkpoint, keys })).toBe('verified')
    expect(await verdict({ event: line, proof, checkpoint: checkpoint.note, keys })).toBe('verified')
    expect(await verdict({ event: line, proof, checkpoint })).toBe('unproven')
    expect(await verdict({ event: { ...event, success: !event.success }, proof, checkpoint, keys })).toBe(
      'failed',
    )
    expect(await verdict({ event: ` ${line}`, proof, checkpoint, keys })).toBe('failed')
    expect(await verdict({ event, proof: { ...proof, leaf_index: index + 1 }, checkpoint, keys })).toBe(
      'failed',
    )
    expect(await verdict({ event, proof, checkpoint: earlier, keys })).toBe('failed')
    expect(await verdict({ event, proof, checkpoint: await fixture.checkpoint(foreign), keys })).toBe(
      'failed',
    )
    for (const hashes of [proof.hashes.toReversed(), ['x']])
      expect(await verdict({ event, proof: { ...proof, hashes }, checkpoint, keys })).toBe('failed')
    if (index >= 30) continue
    const before = await fixture.inclusion(id, event.id, 30)
    expect(await verdict({ event, proof: before, checkpoint: earlier, keys })).toBe('verified')
  }
})

test('nothing is proven of a size that the log does not have, or that leaves the event out', async () => {
  const id = await fixture.log(5)
  const { lines } = partsOf(await fixture.download(id))
  const third = JSON.parse(lines[2] ?? '').id
  for (const size of [0, 2, 6])
    await expect(fixture.inclusion(id, third, size)).rejects.toMatchObject({ code: 'invalid_request' })
  expect((await fixture.inclusion(id, third, 3)).tree_size).toBe(3)
  for (const [from, to] of [
    [0, 3],
    [4, 3],
    [3, 6],
  ] as const)
    await expect(fixture.consistency(id, from, to)).rejects.toMatchObject({ code: 'invalid_request' })
})

test('two signed heads are held against each other without any event', async () => {
  const id = await fixture.log(13)
  const older = await fixture.checkpoint(id)
  await fixture.write(id, 30)
  const newer = await fixture.checkpoint(id)
  const { lines } = partsOf(await fixture.download(id))
  const [{ keys }, empty] = [fixture, await fixture.checkpoint(await fixture.log(0))]
  const proof = await fixture.consistency(id, 13)
  const codes = async (options: Parameters<typeof verifyConsistency>[0]) => {
    const { verdict, findings } = await verifyConsistency(options)
    return [verdict, ...findings.map(({ code }) => code)]
  }
  expect(await codes({ older, newer, proof, keys })).toEqual(['verified'])
  expect(await codes({ older, newer, proof })).toEqual(['unproven', 'no_keys'])
  expect(await codes({ older, newer: older, keys })).toEqual(['verified'])
  expect(await codes({ older, newer, keys })).toEqual(['unproven', 'no_proof'])
  expect(await codes({ older: newer, newer: older, proof, keys })).toEqual(['failed', 'history_rewritten'])
  expect(await codes({ older, newer, proof: { ...proof, hashes: proof.hashes.toReversed() }, keys })).toEqual(
    ['failed', 'proof_invalid'],
  )
  expect(await codes({ older: empty, newer, keys })).toEqual(['failed', 'other_organization'])
  expect(await codes({ older: 'nonsense', newer, proof, keys })).toEqual(['failed', 'checkpoint_malformed'])
  const rewritten = lines.with(3, (lines[3] ?? '').replace('"actor_id":"key', '"actor_id":"kex'))
  const head = { organizationId: id, at: newer.timestamp, signer: fixture.key }
  expect(await codes({ older: newer, newer: await forgedCheckpoint(rewritten, head), keys })).toEqual([
    'failed',
    'split_view',
  ])
  // A rewritten log has no proof that leads from the old head to the new one.
  expect(await codes({ older, newer: await forgedCheckpoint(rewritten, head), proof, keys })).toEqual([
    'failed',
    'proof_malformed',
  ])
})

test('proofs are taken as the API answers them, in their envelope and out of it', async () => {
  const id = await fixture.log(7)
  const older = await fixture.checkpoint(id)
  await fixture.write(id, 5)
  const { keys } = fixture
  const { lines, checkpoint: newer } = partsOf(await fixture.download(id))
  const event = JSON.parse(lines[3] ?? '')
  const answered = <data>(data: data) => ({ data, error: null })
  const proof = answered(await fixture.inclusion(id, event.id))
  for (const checkpoint of [newer, answered(newer)])
    expect(await verifyInclusion({ event, proof, checkpoint, keys })).toMatchObject({ verdict: 'verified' })
  const consistency = answered(await fixture.consistency(id, 7))
  expect(
    await verifyConsistency({ older: answered(older), newer: answered(newer), proof: consistency, keys }),
  ).toMatchObject({ verdict: 'verified' })
})

test('anything but a proof is refused as a mistake of the caller, not as a sign of tampering', async () => {
  const id = await fixture.log(7)
  const older = await fixture.checkpoint(id)
  await fixture.write(id, 5)
  const { keys } = fixture
  const { lines, checkpoint } = partsOf(await fixture.download(id))
  const event = JSON.parse(lines[3] ?? '')
  const proof = await fixture.inclusion(id, event.id)
  const consistency = await fixture.consistency(id, 7)
  const refused = { data: null, error: { code: 'not_found', message: 'Not found.' } }
  const none = [undefined, null, 'proof', [proof], {}, { data: null, error: null }, { data: {}, error: null }]
  const wrong = [...none, refused, { ...proof, hashes: 'x' }, { ...proof, hashes: [1] }, consistency]
  for (const one of wrong)
    await expect(verifyInclusion({ event, proof: one as never, checkpoint, keys })).rejects.toThrow(TypeError)
  for (const one of [...none.slice(1), refused, { ...consistency, hashes: undefined }, proof])
    await expect(verifyConsistency({ older, newer: checkpoint, proof: one as never, keys })).rejects.toThrow(
      TypeError,
    )
  await expect(verifyInclusion({ event, proof: refused, checkpoint, keys })).rejects.toThrow(/not_found/)
  await expect(
    verifyInclusion({ event, proof: { ...proof, leaf_index: '3' as never }, checkpoint, keys }),
  ).rejects.toThrow(/leaf_index/)
  // A proof for another size: the error names the sizes needed.
  const { findings } = await verifyInclusion({ event, proof, checkpoint: older, keys })
  expect(findings).toMatchObject([{ code: 'proof_malformed', message: expect.stringMatching(/12.*7/) }])
})
