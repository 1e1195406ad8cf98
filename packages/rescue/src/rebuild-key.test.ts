import { splitSecret } from '@symbolon/crypto'
import type { Curve } from '@symbolon/networks/browser'
import { publicKeyOf } from '@symbolon/networks/private-key'
import { walletAddresses } from '@symbolon/networks/testing/by-intent'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { keySheet, unprovenWarning } from './key-sheet.ts'
import { type Known, rebuildKey } from './rebuild-key.ts'
import { RescueError, type RescueErrorCode } from './rescue-error.ts'
import { parseShare } from './share.ts'

const walletId = '01997b3c-7a52-7c07-b6e6-28c6f5dd2a01'
const key = Uint8Array.from({ length: 32 }, (_, index) => index * 7 + 1)
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
const hex = (bytes: Uint8Array) => `0x${Buffer.from(bytes).toString('hex')}`

function sharesOf(secret: Uint8Array, indexes = [1, 2, 255]): string[] {
  let seed = secret[0] ?? 0
  const random = (length: number) => Uint8Array.from({ length }, () => (seed = (seed * 5 + 77) & 255))
  return splitSecret(secret, indexes, random).map(base64)
}

type Fields = Record<string, unknown>

function shareFile(share: string, curve: Curve = 'secp256k1', changes: Fields = {}): string {
  const publicKey = publicKeyOf(curve, key)
  const addresses = walletAddresses(curve, publicKey)
  return JSON.stringify({
    type: 'symbolon-share',
    version: 1,
    wallet_id: walletId,
    curve,
    public_key: hex(publicKey),
    address: addresses['evm'] ?? addresses['solana'],
    polynomial_version: 3,
    share_index: Buffer.from(share, 'base64')[32],
    share,
    ...changes,
  })
}

const rebuilt = (a: string, b: string, known?: Known) => rebuildKey(parseShare(a), parseShare(b), known)

function codeOf(run: () => unknown): RescueErrorCode {
  try {
    run()
  } catch (error) {
    if (error instanceof RescueError) return error.code
    throw error
  }
  throw new Error('It was taken.')
}

const [one = '', two = '', three = ''] = sharesOf(key)

describe('shares that belong together give the key', () => {
  test('any two of the three shares, in either order, bare or as files, on both curves', () => {
    for (const curve of ['secp256k1', 'ed25519'] as const) {
      for (const [a, b] of [
        [one, two],
        [two, three],
        [three, one],
      ] as const) {
        expect(rebuilt(a, b, { curve })).toMatchObject({ key, curve, checkedBy: 'nothing' })
        expect(rebuilt(shareFile(a, curve), shareFile(b, curve))).toMatchObject({
          key,
          checkedBy: 'public_key',
        })
        expect(rebuilt(a, shareFile(b, curve))).toMatchObject({ key, curve, checkedBy: 'public_key' })
      }
    }
  })

  test('any address of the wallet determines the curve and proves the key', () => {
    for (const curve of ['secp256k1', 'ed25519'] as const) {
      for (const address of Object.values(walletAddresses(curve, publicKeyOf(curve, key))))
        expect(rebuilt(one, two, { address: ` ${address} ` })).toMatchObject({
          key,
          curve,
          checkedBy: 'address',
        })
    }
    const evm = walletAddresses('secp256k1', publicKeyOf('secp256k1', key))['evm'] ?? ''
    expect(rebuilt(one, two, { address: evm.toLowerCase() }).key).toEqual(key)
  })

  test('a public key proves it, compressed or not', () => {
    for (const curve of ['secp256k1', 'ed25519'] as const) {
      const publicKey = hex(publicKeyOf(curve, key))
      expect(rebuilt(one, two, { publicKey })).toMatchObject({ key, curve, checkedBy: 'public_key' })
    }
  })

  test('every key comes back from every pair of indexes', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        fc.uniqueArray(fc.integer({ min: 1, max: 255 }), { minLength: 3, maxLength: 3 }),
        (secret, indexes) => {
          fc.pre(secret.some((byte) => byte !== 0))
          const shares = sharesOf(secret, indexes)
          expect(rebuilt(shares[2] ?? '', shares[0] ?? '', { curve: 'ed25519' }).key).toEqual(secret)
        },
      ),
    )
  })
})

describe('shares that do not belong together give nothing', () => {
  test('the same index twice, other wallets, curves and versions have their own messages', () => {
    expect(codeOf(() => rebuilt(one, one, { curve: 'secp256k1' }))).toBe('equal_index')
    const other = '01997b3c-7a52-7c07-b6e6-28c6f5dd2a02'
    const cases: [Fields, RescueErrorCode][] = [
      [{ wallet_id: other }, 'different_wallets'],
      [{ organization_id: other }, 'different_wallets'],
      [{ curve: 'ed25519' }, 'different_curves'],
      [{ polynomial_version: 4 }, 'different_versions'],
      [{ share_index: 9 }, 'wrong_index'],
    ]
    const first = shareFile(one, 'secp256k1', { organization_id: walletId })
    for (const [changes, code] of cases)
      expect(codeOf(() => rebuilt(first, shareFile(two, 'secp256k1', changes)))).toBe(code)
    expect(codeOf(() => rebuilt(first, two, { curve: 'ed25519' }))).toBe('different_curves')
  })

  test('a share of another key or version never passes for the wallet', () => {
    const [stranger = ''] = sharesOf(key.toReversed(), [2, 3])
    expect(codeOf(() => rebuilt(shareFile(one), stranger))).toBe('wrong_key')
    expect(codeOf(() => rebuilt(shareFile(one), shareFile(stranger)))).toBe('wrong_key')
    const address = walletAddresses('ed25519', publicKeyOf('ed25519', key))['solana'] ?? ''
    expect(codeOf(() => rebuilt(one, stranger, { address }))).toBe('wrong_key')
    expect(codeOf(() => rebuilt(shareFile(one), two, { address }))).toBe('wrong_key')
    // Base58 in another case is another address, or none.
    expect(codeOf(() => rebuilt(one, two, { address: address.toLowerCase() }))).toBe('not_an_address')
  })

  test('the two shares of files must both name the wallet that the key is of', () => {
    const foreign = hex(publicKeyOf('secp256k1', key.toReversed()))
    expect(codeOf(() => rebuilt(shareFile(one), shareFile(two, 'secp256k1', { public_key: foreign })))).toBe(
      'wrong_key',
    )
  })

  test('without curve, public key and address nothing is guessed', () => {
    expect(codeOf(() => rebuilt(one, two))).toBe('curve_needed')
    expect(codeOf(() => rebuilt(one, two, { publicKey: '0x1234' }))).toBe('not_a_public_key')
  })

  test('zero and numbers from the order of secp256k1 up are not keys', () => {
    for (const secret of [new Uint8Array(32), new Uint8Array(32).fill(255)]) {
      const [a = '', b = ''] = sharesOf(secret)
      expect(codeOf(() => rebuilt(a, b, { curve: 'secp256k1' }))).toBe('wrong_key')
    }
  })
})

describe('reading shares', () => {
  test('a share with index 0, which would choose the key, is refused', () => {
    const forged = base64(Uint8Array.from([...key, 0]))
    expect(codeOf(() => parseShare(forged))).toBe('zero_index')
    expect(codeOf(() => parseShare(shareFile(forged)))).toBe('zero_index')
  })

  test('everything that is not a share is refused, and never repeated', () => {
    const bad = [
      '',
      'x',
      one.slice(1),
      `${one}=`,
      `${one}A`,
      one.replace(/./, '-'),
      hex(key),
      '{',
      '{}',
      'null',
      '[]',
      shareFile(one, 'secp256k1', { type: 'other' }),
      shareFile(one, 'secp256k1', { version: 2 }),
      shareFile(one, 'secp256k1', { share: 7 }),
      shareFile(one, 'secp256k1', { share: undefined }),
      shareFile(one, 'secp256k1', { curve: 'p256' }),
      shareFile(one, 'secp256k1', { polynomial_version: 0 }),
      shareFile(one, 'secp256k1', { polynomial_version: '3' }),
      shareFile(one, 'secp256k1', { wallet_id: 5 }),
      ' '.repeat(20_000) + shareFile(one, 'secp256k1', { note: 'x'.repeat(20_000) }),
    ]
    for (const text of bad)
      expect(
        codeOf(() => parseShare(text)),
        text.slice(0, 60),
      ).toBe('not_a_share')
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        fc.pre(!/^[A-Za-z0-9+/]{44}$/.test(text.trim()))
        expect(codeOf(() => parseShare(text))).toBe('not_a_share')
      }),
    )
  })

  test('a share file may say as little as its share, and more than is known', () => {
    const file = JSON.stringify({
      type: 'symbolon-share',
      version: 1,
      share: one,
      address: null,
      note: 'of 2026',
    })
    expect(parseShare(` ${file}\n`)).toMatchObject({ index: 1, origin: {} })
    expect(parseShare(` ${one}\n`)).toMatchObject({ index: 1, origin: {} })
  })
})

test('a sheet names every address of the wallet once, and warns of a key that nothing proves', () => {
  for (const curve of ['secp256k1', 'ed25519'] as const) {
    const unproven = keySheet(rebuilt(one, two, { curve }))
    expect(unproven.warning).toBe(unprovenWarning)
    const shown = Object.assign({}, ...unproven.networks.map(({ addresses }) => addresses))
    expect(shown).toEqual(walletAddresses(curve, publicKeyOf(curve, key)))
    expect(keySheet(rebuilt(shareFile(one, curve), two)).warning).toBeNull()
  }
})
