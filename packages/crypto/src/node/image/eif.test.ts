import { createHash } from 'node:crypto'
import { simulatedRoot } from '@symbolon/dev/testing/attestation'
import { propertyRuns } from '@symbolon/testing/properties'
import { encode } from 'cborg'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type EifContent, EifError, type EifMetadata } from './eif.ts'
import { measureEif } from './measure-eif.ts'
import { readEif } from './read-eif.ts'
import { eifChecksum, writeEif } from './write-eif.ts'

const text = (value: string): Uint8Array => new TextEncoder().encode(value)

function metadata(version = '0.1.0'): EifMetadata {
  return {
    ImageName: 'symbolon-enclave',
    ImageVersion: version,
    BuildMetadata: {
      BuildTime: '1970-01-01T00:00:00Z',
      BuildTool: 'symbolon',
      BuildToolVersion: version,
      OperatingSystem: 'Linux',
      KernelVersion: '6.12.1',
    },
    DockerInfo: {},
    CustomMetadata: {},
  }
}

const small: EifContent = {
  kernel: text('kernel'),
  commandLine: 'console=ttyS0',
  metadata: metadata(),
  ramdisks: [text('first'), text('second!')],
}

const content = fc.record({
  kernel: fc.uint8Array({ maxLength: 200 }),
  commandLine: fc.string({
    unit: fc.integer({ min: 0x20, max: 0x7e }).map((one) => String.fromCharCode(one)),
  }),
  metadata: fc.string({ minLength: 1, maxLength: 8 }).map(metadata),
  ramdisks: fc.array(fc.uint8Array({ maxLength: 100 }), { minLength: 1, maxLength: 5 }),
})

/** The image with one byte changed, and the checksum as it then has to be. */
function changed(image: Uint8Array, at: number, value: number): Uint8Array {
  const copy = Buffer.from(image)
  copy[at] = value
  copy.writeUInt32BE(eifChecksum(copy), 544)
  return copy
}

describe('an enclave image', () => {
  // The expected values are a Python script's, written from the format's description alone.
  test('has the bytes that the format describes', () => {
    const image = writeEif(small)
    expect(image).toHaveLength(884)
    expect(createHash('sha256').update(image).digest('hex')).toBe(
      'ce7471f67b382dc3ba58a67efdc3bd59924dbfc5037b0e4384c7afc9c5501af7',
    )
    expect(Buffer.from(image).toString('hex', 0, 36)).toBe(
      '2e6569660004000000000000400000000000000000000002000000050000000000000224'.slice(0, 72),
    )
    expect(Buffer.from(image).readUInt32BE(544)).toBe(0x022cad3b)
  })

  test('is read as it was written', () => {
    fc.assert(
      fc.property(content, (one) => {
        const read = readEif(writeEif(one))
        expect(read).toEqual({
          ...one,
          kernel: Buffer.from(one.kernel),
          ramdisks: one.ramdisks.map((data) => Buffer.from(data)),
        })
      }),
      { numRuns: propertyRuns(2_000) },
    )
  })

  test('is refused when any bit of it is another', () => {
    const image = writeEif(small)
    for (let bit = 0; bit < 8 * image.length; bit++) {
      const copy = Uint8Array.from(image)
      copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(() => readEif(copy), `bit ${bit}`).toThrow(EifError)
    }
  })

  test('is refused when it is cut off or goes on', () => {
    const image = writeEif(small)
    for (let length = 0; length < image.length; length++)
      expect(() => readEif(image.subarray(0, length))).toThrow(EifError)
    expect(() => readEif(Buffer.concat([image, new Uint8Array(1)]))).toThrow(EifError)
  })

  test('never crashes the reader, whatever its bytes, with a checksum that is right', () => {
    const image = writeEif(small)
    fc.assert(
      fc.property(fc.nat(image.length - 1), fc.nat(255), (at, value) => {
        try {
          measureEif(readEif(changed(image, at, value)))
        } catch (error) {
          expect(error).toBeInstanceOf(EifError)
        }
      }),
      { numRuns: propertyRuns(8_000) },
    )
  })

  test.each([
    ['another version', 5, 3, 'the image is not of version 4'],
    ['another machine', 7, 1, 'the image is not for x86-64'],
    ['more sections than it has', 27, 6, 'the image ends inside of a section'],
    ['a section elsewhere', 35, 0, 'the header places a section where it is not'],
    ['a section of another kind', 549, 3, 'the sections are not kernel, command line, metadata, ramdisks'],
    ['flags of a section', 551, 1, 'a section has flags, and none are known'],
    ['a section past the end', 552, 1, 'the image ends inside of a section'],
  ])('is refused with %s, checksum and all', (_what, at, value, message) => {
    expect(() => readEif(changed(writeEif(small), at, value))).toThrow(message)
  })

  test('is not written with a command line that the kernel would read otherwise', () => {
    for (const commandLine of ['a\0b', 'a\nb', 'é'])
      expect(() => writeEif({ ...small, commandLine })).toThrow('the command line is not printable ASCII')
  })
})

describe('the measurements', () => {
  test('are those that the hypervisor extends', () => {
    expect(measureEif(small)).toEqual({
      version: '0.1.0',
      pcr0: '481658a232874b3d7c4498065a5cbcfabdbf303505f7041fc47d9eddabc757a206fa9f17c0878f142464a0ad9fd249c2',
      pcr1: 'a1f0133a52d1e26e59918504dd5f32ee1a1145954a8c9d091e73da1e15b7649af2a53cf10d600c4daf8c5ddf104e55ab',
      pcr2: '05418eb6727a8949b339605e506f1e694e8ee9ef3ac73f21fb7a6add43e6d6b9654c8600642bfe60d64778e088297ddd',
      pcr8: '00'.repeat(48),
    })
  })

  test('of an image without an application are those of no bytes', () => {
    expect(measureEif({ ...small, ramdisks: [text('first')] }).pcr2).toBe(
      '21b9efbc184807662e966d34f390821309eeac6802309798826296bf3e8bec7c10edb30948c90ba67310f7b964fc500a',
    )
  })

  test('change with every measured byte, and with the metadata only in the version', () => {
    const before = measureEif(small)
    const kernel = measureEif({ ...small, kernel: text('kernel2') })
    expect([kernel.pcr0 === before.pcr0, kernel.pcr1 === before.pcr1, kernel.pcr2]).toEqual([
      false,
      false,
      before.pcr2,
    ])
    const application = measureEif({ ...small, ramdisks: [text('first'), text('other')] })
    expect([application.pcr0 === before.pcr0, application.pcr1, application.pcr2 === before.pcr2]).toEqual([
      false,
      before.pcr1,
      false,
    ])
    expect(measureEif({ ...small, metadata: metadata('0.2.0') })).toEqual({ ...before, version: '0.2.0' })
  })

  test('name the certificate that signed the image, in both forms that the section comes in', () => {
    const { certificate } = simulatedRoot(Date.now())
    const body = Buffer.from(certificate).toString('base64').replaceAll(/.{64}/g, '$&\n')
    const pem = text(`-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----\n`)
    const measured = createHash('sha384').update(certificate).digest()
    const expected = createHash('sha384').update(new Uint8Array(48)).update(measured).digest('hex')
    for (const signing_certificate of [pem, [...pem]]) {
      const signature = encode([{ signing_certificate, signature: [1, 2, 3] }])
      const signed = readEif(writeEif({ ...small, signature }))
      expect(measureEif(signed)).toEqual({ ...measureEif(small), pcr8: expected })
    }
  })

  test('are refused where the signature section holds no certificate', () => {
    for (const signature of [
      text('no cbor'),
      encode([]),
      encode([{ signing_certificate: [1] }]),
      encode([1]),
    ])
      expect(() => measureEif({ ...small, signature })).toThrow('the signature section holds no certificate')
  })
})
