import { Ed25519PrivateKey } from '@aptos-labs/ts-sdk'
import { DirectSecp256k1Wallet } from '@cosmjs/proto-signing'
import { KeyPair, type KeyPairString } from '@near-js/crypto'
import { base58 } from '@scure/base'
import { TEST_NETWORK, WIF } from '@scure/btc-signer'
import { createKeyPairFromBytes, getAddressFromPublicKey } from '@solana/kit'
import { Keypair } from '@stellar/stellar-base'
import fc from 'fast-check'
import { TronWeb } from 'tronweb'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import type { Curve } from '../chain.ts'
import { NetworkError } from '../network-error.ts'
import { formatPrivateKey, parsePrivateKey, walletAddresses } from '../testing/by-intent.ts'
import { testKey, testKeys } from '../testing/oracle-signer.ts'
import { vectorJson } from '../testing/vectors.ts'
import { isPrivateKey, publicKeyOf } from './index.ts'

const textOf = (curve: Curve, key: Uint8Array, network: string): string =>
  formatPrivateKey(curve, key).find((entry) => entry.network === network)?.text ?? ''

const refusal = (curve: Curve, text: string): string => {
  try {
    parsePrivateKey(curve, text)
  } catch (error) {
    if (error instanceof NetworkError && error.code === 'invalid_request') return error.message
    throw error
  }
  throw new Error('It was taken.')
}

describe('the official software of each network reads our texts', () => {
  test('secp256k1: the wallet that imports a text has the address that ours has', async () => {
    for (const { privateKey, publicKey } of testKeys('secp256k1', 20)) {
      const addresses = walletAddresses('secp256k1', publicKey)
      const evm = textOf('secp256k1', privateKey, 'evm') as `0x${string}`
      expect(privateKeyToAccount(evm).address).toBe(addresses['evm'])
      expect(TronWeb.address.fromPrivateKey(textOf('secp256k1', privateKey, 'tron'))).toBe(addresses['tron'])
      expect(WIF().decode(textOf('secp256k1', privateKey, 'bitcoin'))).toEqual(privateKey)
      const cosmos = Buffer.from(textOf('secp256k1', privateKey, 'cosmos'), 'hex')
      const [account] = await (await DirectSecp256k1Wallet.fromKey(cosmos)).getAccounts()
      expect(account?.address).toBe(addresses['cosmos'])
    }
  })

  test('ed25519: the wallet that imports a text has the address that ours has', async () => {
    for (const { privateKey, publicKey } of testKeys('ed25519', 20)) {
      const addresses = walletAddresses('ed25519', publicKey)
      const solana = base58.decode(textOf('ed25519', privateKey, 'solana'))
      const pair = await createKeyPairFromBytes(solana)
      expect(await getAddressFromPublicKey(pair.publicKey)).toBe(addresses['solana'])
      const near = KeyPair.fromString(textOf('ed25519', privateKey, 'near') as KeyPairString)
      expect(Buffer.from(near.getPublicKey().data).toString('hex')).toBe(addresses['near'])
      const aptos = new Ed25519PrivateKey(textOf('ed25519', privateKey, 'aptos'), true)
      expect(aptos.publicKey().authKey().derivedAddress().toString()).toBe(addresses['aptos'])
      expect(Keypair.fromSecret(textOf('ed25519', privateKey, 'stellar')).publicKey()).toBe(
        addresses['stellar'],
      )
    }
  })

  test('the texts that they write are read', () => {
    for (const { privateKey, publicKey } of testKeys('secp256k1', 20)) {
      for (const text of [WIF().encode(privateKey), WIF(TEST_NETWORK).encode(privateKey)])
        expect(parsePrivateKey('secp256k1', text)).toEqual(privateKey)
      expect(publicKeyOf('secp256k1', privateKey)).toEqual(publicKey)
    }
    for (const { privateKey, publicKey } of testKeys('ed25519', 20)) {
      const pair = Buffer.concat([privateKey, publicKey])
      const texts = [
        new Ed25519PrivateKey(privateKey).toAIP80String(),
        Keypair.fromRawEd25519Seed(Buffer.from(privateKey)).secret(),
        KeyPair.fromString(`ed25519:${base58.encode(pair)}`).toString(),
        JSON.stringify([...pair], null, 2),
        pair.toString('hex'),
        base58.encode(privateKey),
      ]
      for (const text of texts) expect(parsePrivateKey('ed25519', text)).toEqual(privateKey)
      expect(publicKeyOf('ed25519', privateKey)).toEqual(publicKey)
    }
  })

  test('the keys of Bitcoin Core are read where they are compressed, its invalid ones never', () => {
    type Valid = [text: string, hex: string, about: { isPrivkey: boolean; isCompressed?: boolean }]
    const valid = vectorJson<Valid[]>('bitcoin/core_base58_keys_valid.json') ?? []
    for (const [text, hex, { isPrivkey, isCompressed }] of valid) {
      if (isPrivkey && isCompressed)
        expect(Buffer.from(parsePrivateKey('secp256k1', text)).toString('hex')).toBe(hex)
      else refusal('secp256k1', text)
    }
    for (const [text] of vectorJson<[string][]>('bitcoin/core_base58_keys_invalid.json') ?? [])
      refusal('secp256k1', text)
  })
})

test('every text that is written reads back as the same key, white space around it or not', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 32, maxLength: 32 }),
      fc.constantFrom<Curve>('secp256k1', 'ed25519'),
      fc.constantFrom('', ' ', '\n', '\t'),
      (key, curve, space) => {
        fc.pre(isPrivateKey(curve, key))
        for (const { text } of formatPrivateKey(curve, key))
          expect(parsePrivateKey(curve, space + text + space)).toEqual(key)
      },
    ),
  )
})

test('one wrong character in a text that has a checksum or a public key is refused', () => {
  const { privateKey } = testKey('ed25519', 1)
  const cases: [Curve, string, string][] = [
    ['secp256k1', textOf('secp256k1', privateKey, 'bitcoin'), 'K'],
    ['ed25519', textOf('ed25519', privateKey, 'stellar'), 'A'],
    ['ed25519', textOf('ed25519', privateKey, 'solana'), 'z'],
    ['ed25519', textOf('ed25519', privateKey, 'near'), 'z'],
  ]
  for (const [curve, text, other] of cases) {
    for (let index = 0; index < text.length; index++) {
      const wrong = text[index] === other ? '3' : other
      refusal(curve, text.slice(0, index) + wrong + text.slice(index + 1))
      refusal(curve, text.slice(0, index) + text.slice(index + 1))
    }
  }
})

test('zero, the order and beyond, other lengths, the other curve and nonsense are refused', () => {
  const order = 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141'
  const beyond = 'f'.repeat(64)
  const hex = Buffer.from(testKey('secp256k1', 2).privateKey).toString('hex')
  const texts: Record<Curve, string[]> = {
    secp256k1: [
      '0'.repeat(64),
      order,
      beyond,
      textOf('ed25519', testKey('ed25519', 2).privateKey, 'stellar'),
    ],
    ed25519: [
      '0'.repeat(64),
      '1'.repeat(32),
      WIF().encode(testKey('secp256k1', 2).privateKey),
      '[1,2]',
      '[',
      '[]',
    ],
  }
  const nonsense = [
    '',
    ' ',
    '0x',
    '0',
    hex.slice(1),
    `${hex}00`,
    `0x0x${hex}`,
    `${hex.slice(2)}0g`,
    'ü'.repeat(32),
  ]
  for (const curve of ['secp256k1', 'ed25519'] as const) {
    for (const text of [...texts[curve], ...nonsense, '1'.repeat(100_000), `ed25519:${'z'.repeat(90)}`])
      refusal(curve, text)
  }
  expect(parsePrivateKey('ed25519', beyond)).toEqual(new Uint8Array(32).fill(255))
  expect(refusal('secp256k1', '5KYZdUEo39z3FPrtuX2QbbwGnNP5zTd7yyr2SC1j299sBCnWjss')).toContain(
    'uncompressed',
  )
  for (const length of [0, 31, 33, 64])
    expect(() => formatPrivateKey('ed25519', new Uint8Array(length).fill(1))).toThrow(NetworkError)
  expect(() => formatPrivateKey('secp256k1', new Uint8Array(32))).toThrow(NetworkError)
})

test('no refusal repeats any of the text', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 8, unit: 'grapheme-ascii' }), (text) => {
      for (const curve of ['secp256k1', 'ed25519'] as const) {
        try {
          parsePrivateKey(curve, text)
        } catch (error) {
          expect(error instanceof NetworkError && !error.message.includes(text)).toBe(true)
        }
      }
    }),
  )
})
