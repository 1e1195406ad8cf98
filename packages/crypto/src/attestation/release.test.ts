import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  type ImageRelease,
  isReleaseSignedBy,
  readRelease,
  releaseMeasurements,
  releaseText,
} from './release.ts'

const image = {
  version: '1.2.3',
  pcr0: 'a0'.repeat(48),
  pcr1: 'a1'.repeat(48),
  pcr2: 'a2'.repeat(48),
  pcr8: null,
}
const keys = generateKeyPairSync('ed25519')
const bytesOf = (key: KeyObject) => Buffer.from(String(key.export({ format: 'jwk' }).x), 'base64url')
const owner = bytesOf(keys.publicKey)
const signed = (release: Omit<ImageRelease, 'signature'>): ImageRelease => ({
  ...release,
  signature: sign(null, releaseText(release), keys.privateKey).toString('base64url'),
})

test('a release is signed by its owner alone, as it is and not otherwise', async () => {
  const release = readRelease(JSON.parse(JSON.stringify(signed(image))))
  expect(await isReleaseSignedBy(owner, release)).toBe(true)
  expect(await isReleaseSignedBy(bytesOf(generateKeyPairSync('ed25519').publicKey), release)).toBe(false)
  expect(await isReleaseSignedBy(owner, readRelease(image))).toBe(false)
  for (const change of [
    { version: '1.2.4' },
    { pcr0: 'b0'.repeat(48) },
    { pcr1: 'b1'.repeat(48) },
    { pcr2: 'b2'.repeat(48) },
    { pcr8: 'b8'.repeat(48) },
  ])
    expect(
      await isReleaseSignedBy(owner, readRelease({ ...release, ...change })),
      JSON.stringify(change),
    ).toBe(false)
})

test('what is signed is a line of its own and the canonical JSON of the image', () => {
  const registers = [0, 1, 2].map((n) => `"pcr${n}":"${`a${n}`.repeat(48)}"`).join(',')
  expect(Buffer.from(releaseText(image)).toString()).toBe(
    `symbolon release\n{${registers},"pcr8":null,"version":"1.2.3"}`,
  )
})

test('the register of signed images counts where there is one, and all zero is none', () => {
  const pcr8 = 'a8'.repeat(48)
  expect(releaseMeasurements(readRelease({ ...image, pcr8 }))).toEqual({
    0: image.pcr0,
    1: image.pcr1,
    2: image.pcr2,
    8: pcr8,
  })
  const { pcr8: _, ...without } = image
  for (const release of [image, without, { ...image, pcr8: '00'.repeat(48) }])
    expect(releaseMeasurements(readRelease(release))).toEqual({ 0: image.pcr0, 1: image.pcr1, 2: image.pcr2 })
})

test.each([
  [null, 'object'],
  [[image], 'object'],
  [{ ...image, version: '' }, 'version'],
  [{ ...image, pcr1: undefined }, 'pcr1'],
  [{ ...image, pcr0: 'A0'.repeat(48) }, 'pcr0'],
  [{ ...image, pcr8: 'a8' }, 'pcr8'],
  [{ ...image, pcr3: image.pcr0 }, 'no member pcr3'],
  [{ ...image, signature: 'AAAA' }, 'signature'],
  [{ ...image, signature: 7 }, 'signature'],
])('%j is not a release', (value, says) => {
  expect(() => readRelease(value)).toThrow(says)
})
