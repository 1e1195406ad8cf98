import { describe, expect, test } from 'vitest'
import { isAddress, walletAddresses } from '../testing/by-intent.ts'
import { publicKeyOf } from './secret-key.ts'

const key = Uint8Array.from({ length: 32 }, (_, index) => index * 7 + 1)
const addresses = (['secp256k1', 'ed25519'] as const).flatMap((curve) =>
  Object.entries(walletAddresses(curve, publicKeyOf(curve, key))),
)

describe('only real addresses are accepted', () => {
  test.each(addresses)('%s: the address of a wallet', (_, address) => {
    expect(isAddress(address)).toBe(true)
  })

  test.each(addresses.filter(([name]) => !['solana', 'near', 'aptos'].includes(name)))(
    '%s: not with one character mistyped, which its checksum detects',
    (_, address) => {
      for (let index = 0; index < address.length; index++) {
        const other = address[index] === '3' ? '4' : '3'
        const mistyped = address.slice(0, index) + other + address.slice(index + 1)
        expect(isAddress(mistyped), mistyped).toBe(false)
      }
    },
  )

  // Base58 without a checksum has 32 bytes in 43 or 44 characters.
  test.each(addresses.filter(([name]) => name !== 'solana'))('%s: not cut, nor too long', (_, address) => {
    expect(isAddress(address.slice(0, -1))).toBe(false)
    expect(isAddress(`${address}x`)).toBe(false)
  })

  test('any other text is not an address', () => {
    for (const text of ['', 'y', 'alice', '0x', 'bc1', '1'.repeat(5000)]) expect(isAddress(text)).toBe(false)
  })
})
