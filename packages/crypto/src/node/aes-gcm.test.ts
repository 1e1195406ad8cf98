import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { gcmOpen, gcmSeal } from './aes-gcm.ts'
import { deriveKey } from './derive-key.ts'

const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'))

type Case = { group: Record<string, unknown>; test: Record<string, string> }

/** Chosen cases of a Wycheproof file beside the project; none only when the file is absent. */
const wycheproof = (file: string, isChosen: (one: Case) => boolean): Case[] => {
  const url = new URL(`../../../../../shared/vectors/wycheproof/${file}`, import.meta.url)
  if (!existsSync(url)) return []
  const { testGroups } = JSON.parse(readFileSync(url, 'utf8'))
  const all: Case[] = testGroups.flatMap((group: { tests: Record<string, string>[] }) =>
    group.tests.map((test) => ({ group, test })),
  )
  const chosen = all.filter(isChosen)
  expect(chosen.length).toBeGreaterThan(9)
  return chosen
}

test('the 256-bit case 16 of the GCM specification opens, and not with a changed byte', () => {
  const key = bytes('feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308')
  const aad = bytes('feedfacedeadbeeffeedfacedeadbeefabaddad2')
  const sealed = bytes(
    'cafebabefacedbaddecaf888522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f66276fc6ece0f4e1768cddf8853bb2d551b',
  )
  const plaintext =
    'd9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39'
  expect(gcmOpen(key, sealed, aad, new Uint8Array(60))).toEqual(bytes(plaintext))
  expect(() => gcmOpen(key, sealed, aad.subarray(1), new Uint8Array(60))).toThrow('altered')
})

test('every Wycheproof case of our key, iv and tag sizes is opened or refused as published', () => {
  const cases = wycheproof(
    'aes_gcm_test.json',
    ({ group }) => group['keySize'] === 256 && group['ivSize'] === 96 && group['tagSize'] === 128,
  )
  for (const {
    test: { key = '', iv = '', aad = '', msg = '', ct = '', tag = '', result },
  } of cases) {
    const out = new Uint8Array(ct.length / 2)
    const open = () => gcmOpen(bytes(key), bytes(iv + ct + tag), bytes(aad), out)
    if (result === 'valid') expect(open()).toEqual(bytes(msg))
    else expect(open).toThrow()
  }
})

test('every Wycheproof case of HKDF-SHA256 with an empty salt and a text as info comes out', () => {
  const isText = (hex: string) => Buffer.from(Buffer.from(hex, 'hex').toString()).toString('hex') === hex
  const cases = wycheproof(
    'hkdf_sha256_test.json',
    ({ test }) => test['salt'] === '' && isText(test['info'] ?? ''),
  )
  for (const {
    test: { ikm = '', info = '', okm = '', size, result },
  } of cases) {
    const derive = () => deriveKey(bytes(ikm), Buffer.from(info, 'hex').toString(), Number(size))
    if (result === 'valid') expect(derive()).toEqual(bytes(okm))
    else expect(derive).toThrow()
  }
})

test('a sealed text opens, and ivs do not repeat', () => {
  const key = new Uint8Array(32).fill(7)
  const seals = Array.from({ length: 1000 }, () => gcmSeal(key, Uint8Array.of(1, 2), Uint8Array.of(3)))
  expect(new Set(seals.map((sealed) => sealed.subarray(0, 12).join())).size).toBe(1000)
  for (const sealed of seals) {
    expect(gcmOpen(key, sealed, Uint8Array.of(3), new Uint8Array(2))).toEqual(Uint8Array.of(1, 2))
  }
})

test('a tag cut to 4 bytes, which Node alone would accept, is refused', () => {
  const sealed = gcmSeal(new Uint8Array(32), Uint8Array.of(), Uint8Array.of())
  expect(() =>
    gcmOpen(new Uint8Array(32), sealed.subarray(0, 16), Uint8Array.of(), new Uint8Array(0)),
  ).toThrow('not an envelope')
})
