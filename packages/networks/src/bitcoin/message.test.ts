import { secp256k1 } from '@noble/curves/secp256k1.js'
import { base58, bech32 } from '@scure/base'
import { p2tr, p2wpkh, TEST_NETWORK } from '@scure/btc-signer'
import { Verifier } from 'bip322-js'
import { payments } from 'bitcoinjs-lib'
import { describe, expect, test } from 'vitest'
import { toHex } from '../codec/hex.ts'
import { messageBytes } from '../intent/message-bytes.ts'
import { walletAddresses } from '../testing/by-intent.ts'
import { signIntent, type TestKey, testKeys } from '../testing/oracle-signer.ts'
import { sampleText } from '../testing/sample-messages.ts'
import { vectorJson, vectorText } from '../testing/vectors.ts'
import { toSpendId } from './bip322.ts'
import { witnessAddress } from './witness-address.ts'

const intentOf = (text: string, chain = 'bitcoin') =>
  ({ kind: 'message', network: 'bitcoin', chain, message: messageBytes(text, 'utf8') }) as const

function keyOfWif(wif: string): TestKey {
  const privateKey = base58.decode(wif).slice(1, 33)
  return { curve: 'secp256k1', privateKey, publicKey: secp256k1.getPublicKey(privateKey, true) }
}

describe('bitcoin', () => {
  test('addresses are those of btc-signer and bitcoinjs', () => {
    for (const { publicKey } of testKeys('secp256k1', 120)) {
      const addresses = walletAddresses('secp256k1', publicKey)
      expect(addresses['bitcoin']).toBe(payments.p2wpkh({ pubkey: publicKey }).address)
      expect(addresses['bitcoin_testnet']).toBe(p2wpkh(publicKey, TEST_NETWORK).address)
      expect(addresses['bitcoin_taproot']).toBe(p2tr(publicKey.slice(1)).address)
    }
  })

  test('a signed message passes the BIP-322 verifier of bip322-js', () => {
    for (const [index, key] of testKeys('secp256k1', 30).entries()) {
      const text = sampleText(index)
      const chain = index % 2 === 0 ? 'bitcoin' : 'bitcoin-testnet'
      const { address, signature, encoding } = signIntent(intentOf(text, chain), key)
      expect(encoding).toBe('base64')
      expect(Verifier.verifySignature(address, text, signature)).toBe(true)
      expect(Verifier.verifySignature(address, `${text}.`, signature)).toBe(false)
    }
  })

  test('the vectors of BIP-322 are reproduced', () => {
    type Simple = {
      message: string
      private_keys: string[]
      address: string
      type: string
      bip322_signatures: string[]
    }
    type Vectors = {
      tx_hashes: { message: string; address: string; to_spend_tx_hash: string }[]
      simple: Simple[]
    }
    const vectors = vectorJson<Vectors>('bitcoin/bip322_basic.json')
    for (const { message, address, to_spend_tx_hash } of vectors?.tx_hashes ?? []) {
      const program = Uint8Array.from(
        bech32.fromWords(bech32.decode(address as `bc1${string}`).words.slice(1)),
      )
      expect(toHex(toSpendId(messageBytes(message, 'utf8'), program).reverse())).toBe(to_spend_tx_hash)
    }
    const simple = vectors?.simple.filter(({ type }) => type === 'p2wpkh')
    for (const { message, private_keys, address, bip322_signatures } of simple ?? []) {
      const answer = signIntent(intentOf(message), keyOfWif(private_keys[0] ?? ''))
      expect(answer.address).toBe(address)
      expect(bip322_signatures.map((signature) => signature.replace(/^smp/, ''))).toContain(answer.signature)
    }
    expect(simple?.length).not.toBe(0)
  })

  test('the addresses of BIP-84 and BIP-86 are reproduced', () => {
    const rows = [
      [
        'bitcoin/bip0084_vectors.mediawiki',
        'bitcoin',
        /pubkey\s*= (0[23][0-9a-f]{64})\s+address\s*= (bc1q\w+)/g,
      ],
      [
        'bitcoin/bip0086_vectors.mediawiki',
        'bitcoin_taproot',
        /internal_key = ([0-9a-f]{64})[\s\S]*?address {6}= (bc1p\w+)/g,
      ],
    ] as const
    for (const [file, name, pattern] of rows) {
      const text = vectorText(file)
      const cases = [...(text ?? '').matchAll(pattern)]
      for (const [, key = '', address] of cases) {
        const publicKey = messageBytes(`0x${key.length === 64 ? '02' : ''}${key}`, 'hex')
        expect(walletAddresses('secp256k1', publicKey)[name]).toBe(address)
      }
      expect(cases.length > 0).toBe(text !== undefined)
    }
  })

  test('the witness programs of the address vectors encode to their addresses', () => {
    type Case = { address: string; version: number; data: string }
    const cases = vectorJson<{ bech32: Case[] }>('bitcoin/bitcoinjs_address.json')?.bech32
    const ours = cases?.filter(({ address }) => /^(?:bc|tb)1/i.test(address))
    for (const { address, version, data } of ours ?? []) {
      const prefix = address.toLowerCase().startsWith('tb') ? 'tb' : 'bc'
      expect(witnessAddress(prefix, version, messageBytes(`0x${data}`, 'hex'))).toBe(address.toLowerCase())
    }
    expect(ours?.length).not.toBe(0)
  })
})
