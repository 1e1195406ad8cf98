import { keccak_256, sha3_256 } from '@noble/hashes/sha3.js'
import { expect, test } from 'vitest'
import { toHex } from '../hex.ts'
import { keccak256, sha3 } from './keccak.ts'

const bytes = (length: number) => Uint8Array.from({ length }, (_, i) => (i * 167 + length) & 0xff)

test('hashes are those of the official vectors', () => {
  const empty = new Uint8Array(0)
  expect(toHex(keccak256(empty))).toBe('c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470')
  expect(toHex(sha3(empty))).toBe('a7ffc6f8bf1ed76651c14756a061d662f580ff4de43b49fa82d80a4b80f8434a')
  const abc = new TextEncoder().encode('abc')
  expect(toHex(keccak256(abc))).toBe('4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45')
  expect(toHex(sha3(abc))).toBe('3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532')
})

test('hashes of every length about the block, and of several pages, are those of another library', () => {
  const around = [64_336, 64_463, 64_464, 64_465, 64_600, 130_000, 261_999]
  for (const length of [...Array.from({ length: 700 }, (_, i) => i), ...around]) {
    const input = bytes(length)
    expect(toHex(keccak256(input))).toBe(toHex(keccak_256(input)))
    expect(toHex(sha3(input))).toBe(toHex(sha3_256(input)))
  }
})

test('a hash is a copy, and the next one takes nothing of the last', () => {
  const first = keccak256(bytes(500))
  const again = first.slice()
  keccak256(bytes(3))
  expect(first).toEqual(again)
  expect(keccak256(bytes(500))).toEqual(again)
  expect(keccak256(bytes(600).subarray(100, 600))).toEqual(keccak_256(bytes(600).subarray(100, 600)))
})
