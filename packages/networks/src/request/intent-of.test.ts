import { describe, expect, test } from 'vitest'
import { toBase58 } from '../codec/base58.ts'
import { NetworkError } from '../network-error.ts'
import { chainOf, intentOf } from '../testing/by-intent.ts'
import { testKey } from '../testing/oracle-signer.ts'
import type { SignRequest } from './sign-request.ts'

const { publicKey } = testKey('ed25519', 1)
const bytes = (fill: number) => (length: number) => new Uint8Array(length).fill(fill)
const intent = (request: SignRequest) => intentOf(request, chainOf(request, 'secp256k1'), publicKey, bytes(5))
const codeOf = (run: () => unknown) => {
  try {
    return run()
  } catch (error) {
    return error instanceof NetworkError ? error.code : error
  }
}

describe('from a request to an intent', () => {
  test('the chain is the request’s, else that of its curve, else that of the wallet', () => {
    const message = { type: 'message', message: 'x' } as const
    expect(chainOf({ ...message, chain: 'base' }, 'ed25519').handle).toBe('base')
    expect(chainOf({ ...message, curve: 'ed25519' }, 'secp256k1').handle).toBe('solana')
    expect(chainOf(message, 'ed25519').handle).toBe('solana')
    expect(codeOf(() => chainOf({ ...message, chain: 'nowhere' }, 'ed25519'))).toBe('chain_unsupported')
    expect(codeOf(() => chainOf({ ...message, chain: 'base', curve: 'ed25519' }, 'ed25519'))).toBe(
      'invalid_request',
    )
  })

  test('an application domain is 32 bytes in hex or base58, and nothing else', () => {
    const domain = (application_domain: string) =>
      codeOf(() => intent({ type: 'message', message: 'x', chain: 'solana', application_domain }))
    for (const text of [`0x${'07'.repeat(32)}`, toBase58(bytes(7)(32))])
      expect(domain(text)).toMatchObject({ applicationDomain: bytes(7)(32) })
    for (const length of [31, 33, 64]) expect(domain(toBase58(bytes(7)(length)))).toBe('invalid_request')
    expect(domain('0OIl'.repeat(8))).toBe('invalid_request')
  })

  test('a field that a message needs and the caller left out is drawn', () => {
    expect(intent({ type: 'message', message: 'x', chain: 'near' })).toMatchObject({ nonce: bytes(5)(32) })
    expect(intent({ type: 'message', message: 'x', chain: 'aptos' })).toHaveProperty('nonce')
  })

  test('a transaction is read in its network’s own text, fields only on EVM, a sign mode only on Cosmos', () => {
    const of = (chain: string, transaction: string, more = {}) =>
      codeOf(() => intent({ type: 'transaction', chain, transaction, ...more }))
    expect(of('tron', '0A0b')).toBe('invalid_request')
    expect(of('tron', '0a0b')).toMatchObject({ bytes: Uint8Array.of(10, 11) })
    expect(of('base', '0x02')).toMatchObject({ bytes: Uint8Array.of(2) })
    expect(of('bitcoin', 'AA==')).toMatchObject({ bytes: Uint8Array.of(0) })
    expect(of('bitcoin', 'AB==')).toBe('invalid_request')
    expect(of('cosmoshub', 'AA==', { sign_mode: 'amino_json' })).toMatchObject({ signMode: 'amino_json' })
    expect(of('base', '0x02', { sign_mode: 'amino_json' })).toBe('invalid_request')
    const fields = { nonce: '0x0', gas_limit: '0x1', gas_price: '0x1' }
    const request = { type: 'transaction', chain: 'tron', transaction: fields } as const
    expect(codeOf(() => intent(request))).toBe('invalid_payload')
  })
})
