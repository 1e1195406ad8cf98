import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { jwkThumbprint } from '../jwk.ts'
import { attestationUserData, manifestSha256, receiptKeyNonce } from './user-data.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest()
const state = {
  ring_id: 'ring',
  image: { version: '1', pcr2: 'cc', pcr1: 'bb', pcr0: 'aa', pcr8: null },
  keys: [{ use: 'channel', kid: 'k', jwk: { kty: 'OKP', crv: 'X25519', x: 'xx' } }],
  manifest_sha256: 'dd',
} as const

test('the user data is the SHA-256 of the RFC 8785 JSON of ring, image, keys and manifest, whatever else comes along', () => {
  const text =
    '{"image":{"pcr0":"aa","pcr1":"bb","pcr2":"cc","pcr8":null,"version":"1"},' +
    '"keys":[{"jwk":{"crv":"X25519","kty":"OKP","x":"xx"},"kid":"k","use":"channel"}],' +
    '"manifest_sha256":"dd","ring_id":"ring"}'
  expect(Buffer.from(attestationUserData(state))).toEqual(sha256(text))
  expect(attestationUserData({ ...state, ...{ mode: 'nitro' } })).toEqual(attestationUserData(state))
})

test('the hash of a manifest does not depend on the order of its members', () => {
  expect(manifestSha256({ version: 1, ring_id: 'r' })).toBe(
    sha256('{"ring_id":"r","version":1}').toString('hex'),
  )
  expect(manifestSha256({ ring_id: 'r', version: 1 })).toBe(manifestSha256({ version: 1, ring_id: 'r' }))
})

test("the nonce of a receipt key's document is the SHA-256 of its kid's text", () => {
  expect(Buffer.from(receiptKeyNonce('kid'))).toEqual(sha256('kid'))
})

test('thumbprints are those of RFC 7638 and RFC 8037, and other members count for nothing', () => {
  // RFC 8037 appendix A.3.
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' } as const
  expect(jwkThumbprint(jwk)).toBe('kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k')
  expect(jwkThumbprint({ ...jwk, ...{ kid: 'x', alg: 'EdDSA' } })).toBe(jwkThumbprint(jwk))
  const ec = { kty: 'EC', crv: 'P-256', x: 'a', y: 'b' } as const
  expect(jwkThumbprint(ec)).toBe(sha256('{"crv":"P-256","kty":"EC","x":"a","y":"b"}').toString('base64url'))
})
