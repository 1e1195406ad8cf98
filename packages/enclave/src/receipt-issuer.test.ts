import { createPublicKey, hash, randomBytes, verify } from 'node:crypto'
import { canonicalJson, type Receipt } from '@symbolon/crypto/attestation'
import { expect, test } from 'vitest'
import { makeReceiptKey } from './boot-keys.ts'
import { EnclaveFault } from './enclave-fault.ts'
import { receiptIssuer } from './receipt-issuer.ts'
import type { ReceiptFacts } from './receipt-json.ts'
import { noDecision } from './receipt-of.ts'
import { secureSlots } from './secure-slots.ts'

const key = makeReceiptKey(secureSlots(1))
const issuer = (organizationsMax?: number) =>
  receiptIssuer({
    key,
    mode: 'simulated',
    nowMs: () => 1_800_000_000_123,
    ...(organizationsMax && { organizationsMax }),
  })

const facts: ReceiptFacts = {
  organization_id: 'o',
  wallet_id: 'w',
  public_key: '0x02',
  curve: 'secp256k1',
  network: 'evm',
  chain: 'base',
  type: 'transaction',
  digests: [],
  signature: '0x',
  signatures: [],
  effects: [{ kind: 'transfer', asset: 'Grüße "x"\n', amount: '1', to: null }],
  fee: null,
  decision: noDecision,
  budget: null,
  ring_id: 'r',
}

const payloadOf = (jws: string): Receipt =>
  JSON.parse(Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString())
const codeOf = (act: () => unknown) => {
  try {
    act()
  } catch (error) {
    return error instanceof EnclaveFault ? error.status : 'another error'
  }
  return undefined
}

test('a receipt is signed by the key of the boot, under a header of exactly three members', () => {
  const { jws, kid } = issuer().issue(randomBytes(16), facts)
  const [header = '', payload = '', signature = ''] = jws.split('.')
  expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({
    alg: 'EdDSA',
    kid: key.kid,
    typ: 'symbolon-receipt+jws',
  })
  expect(kid).toBe(key.kid)
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(key.publicKey).toString('base64url') }
  const publicKey = createPublicKey({ key: jwk, format: 'jwk' })
  const isSigned = (text: string) =>
    verify(null, Buffer.from(text), publicKey, Buffer.from(signature, 'base64url'))
  expect(isSigned(`${header}.${payload}`)).toBe(true)
  expect(isSigned(`${header}.${payload}A`)).toBe(false)
})

test('numbers rise by one for each organization', () => {
  const { issue } = issuer()
  const [one, other] = [randomBytes(16), randomBytes(16)]
  expect([one, one, other, one].map((organization) => issue(organization, facts).counter)).toEqual([
    1, 2, 1, 3,
  ])
  expect(payloadOf(issue(other, facts).jws).counter).toBe(2)
  expect(issuer().issue(one, facts).counter).toBe(1)
})

test('an organization too many has no receipt, and those before it go on: no number is given twice', () => {
  const { issue, assertCountable } = issuer(2)
  const [one, two, three] = [randomBytes(16), randomBytes(16), randomBytes(16)]
  issue(one, facts)
  issue(two, facts)
  expect(codeOf(() => assertCountable(three))).toBe('unavailable')
  expect(codeOf(() => issue(three, facts))).toBe('unavailable')
  expect(codeOf(() => assertCountable(one))).toBeUndefined()
  expect(issue(one, facts).counter).toBe(2)
})

test('asking whether an organization can be counted takes no number and no place', () => {
  const { issue, assertCountable } = issuer(1)
  for (let n = 0; n < 5; n++) assertCountable(randomBytes(16))
  expect(issue(randomBytes(16), facts).counter).toBe(1)
})

test('the hash of the effects is that of their canonical form, whatever their texts', () => {
  const payload = payloadOf(issuer().issue(randomBytes(16), facts).jws)
  const lone = { kind: 'call', asset: 'a\ud800b', amount: null, to: '\udc00' }
  const odd = payloadOf(issuer().issue(randomBytes(16), { ...facts, effects: [lone] }).jws)
  expect(odd.effects).toEqual([{ kind: 'call', asset: 'a\ufffdb', amount: null, to: '\ufffd' }])
  for (const { effects, effects_sha256 } of [payload, odd])
    expect(effects_sha256).toBe(hash('sha256', canonicalJson(effects), 'hex'))
})
