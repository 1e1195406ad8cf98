import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeTestRing } from '@symbolon/testing/enclave'
import { afterAll, expect, test } from 'vitest'
import { type GrantOpening, openGrant, sealGrant } from './grant-envelope.ts'
import { servingState } from './testing/serving-state.ts'

const folder = mkdtempSync(join(tmpdir(), 'symbolon-grant-'))
const ringFile = join(folder, 'key')
makeTestRing(ringFile)
const state = servingState(ringFile)
const vault = state.vault()
const dataKeyB = randomBytes(32)
const policy = Buffer.from('{"session":{}}')

// As the wire has it: row, session, policy version, curve, length and bytes of the public key.
const context = Buffer.concat([randomBytes(36 + 16 + 4), Buffer.of(0, 0, 33), randomBytes(33)])
const received = {
  context,
  row: context.subarray(0, 36),
  curve: 'secp256k1' as const,
  publicKey: context.subarray(-33),
  tokenKey: randomBytes(32),
}
const grant = sealGrant(vault, received, dataKeyB, policy)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

function opened(change: Partial<GrantOpening> = {}, using = vault) {
  const key = new Uint8Array(32)
  return {
    policy: Buffer.from(openGrant(using, { ...received, grant, ...change }, key)),
    key: Buffer.from(key),
  }
}

const flipped = (bytes: Uint8Array, at: number): Buffer => {
  const copy = Buffer.from(bytes)
  copy[at] = (copy[at] ?? 0) ^ 1
  return copy
}

test('a grant gives back its policy and its data key, as often as it is asked, and none of either is readable in it', () => {
  for (let round = 0; round < 3; round++) expect(opened()).toEqual({ policy, key: dataKeyB })
  expect(Buffer.from(grant).includes(dataKeyB)).toBe(false)
  expect(Buffer.from(grant).includes(policy)).toBe(false)
  expect(sealGrant(vault, received, dataKeyB, policy)).not.toEqual(grant)
})

test('a grant opens under no other context, byte by byte: organization, wallet, version, session, policy version, curve, key', () => {
  for (let at = 0; at < context.length; at++) {
    const other = flipped(context, at)
    expect(() => opened({ context: other, row: other.subarray(0, 36) })).toThrow()
    // With the right row the data key is unwrapped all the same: the context has to hold alone.
    expect(() => opened({ context: other })).toThrow()
  }
})

test('a grant opens under no other token key', () => {
  for (let at = 0; at < 32; at++) expect(() => opened({ tokenKey: flipped(received.tokenKey, at) })).toThrow()
})

test('no altered or shortened grant opens', () => {
  for (let at = 0; at < grant.length; at++) {
    expect(() => opened({ grant: flipped(grant, at) })).toThrow()
    expect(() => opened({ grant: grant.subarray(0, at) })).toThrow()
  }
  expect(() => opened({ grant: Buffer.concat([grant, Buffer.of(0)]) })).toThrow()
})

test('two grants cannot be mixed: each part opens with its own other half only', () => {
  const other = Buffer.from(sealGrant(vault, received, randomBytes(32), policy))
  const cut = 3 + (((grant[1] ?? 0) << 8) | (grant[2] ?? 0))
  expect(() => opened({ grant: Buffer.concat([grant.subarray(0, cut), other.subarray(cut)]) })).toThrow()
})

test('a grant of an older version of the tee-a key opens after a rotation and a restart', () => {
  state.rotate()
  expect(opened()).toEqual({ policy, key: dataKeyB })
  const restarted = servingState(ringFile)
  expect(opened({}, restarted.vault())).toEqual({ policy, key: dataKeyB })
})

test('every outcome gives all slots back, and a seal forgets the data keys of grants', () => {
  const all = vault.slots.free()
  opened()
  expect(() => opened({ tokenKey: randomBytes(32) })).toThrow()
  expect(() => opened({ grant: grant.subarray(1) })).toThrow()
  expect(vault.slots.free()).toBe(all)
  expect(vault.grantKeys.size()).toBeGreaterThan(0)
  state.seal('test')
  expect(vault.grantKeys.size()).toBe(0)
})
