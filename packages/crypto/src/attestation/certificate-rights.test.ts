import { expect, test } from 'vitest'
import { AttestationError } from './attestation-error.ts'
import { certificateRights } from './certificate-rights.ts'
import { derElement, derTag } from './der.ts'

const keyUsage = '300e0603551d0f0101ff040403020780'
const authority = '30120603551d130101ff040830060101ff020103'
const unknown = '300806032a03040401aa'

/** The extensions' field of a certificate with these. */
function rightsOf(...extensions: string[]) {
  const list = Buffer.from(extensions.join(''), 'hex')
  const bytes = Buffer.concat([Buffer.of(0xa3, list.length + 2, 0x30, list.length), list])
  return certificateRights(derElement(bytes, derTag.extensions))
}

test('usage and constraints are read, and what is not critical may be unknown', () => {
  expect(rightsOf(keyUsage)).toEqual({ isAuthority: false, pathLength: undefined, keyUsage: 0x80 })
  expect(rightsOf(authority, unknown, keyUsage)).toEqual({ isAuthority: true, pathLength: 3, keyUsage: 0x80 })
  expect(certificateRights(undefined)).toEqual({ isAuthority: false, pathLength: undefined, keyUsage: 0 })
})

test.each([
  ['the same one twice', [keyUsage, keyUsage]],
  ['an unknown one twice', [unknown, unknown]],
  ['a critical one that nobody knows', ['300b06032a03040101ff0401aa']],
  ['a path length below zero', ['30120603551d130101ff040830060101ff0201ff']],
  ['a path length for what is no authority', ['300f0603551d130101ff04053003020100']],
  ['a key usage without bits', ['300d0603551d0f0101ff0403030100']],
])('extensions with %s are refused', (_name, extensions) => {
  expect(() => rightsOf(...extensions)).toThrow(AttestationError)
})
