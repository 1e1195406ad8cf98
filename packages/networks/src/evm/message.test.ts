import { secp256k1 } from '@noble/curves/secp256k1.js'
import { hashMessage, recoverMessageAddress, verifyMessage } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { toHex, toHex0x } from '../codec/hex.ts'
import { messageBytes } from '../intent/message-bytes.ts'
import { signingDigest, walletAddresses } from '../testing/by-intent.ts'
import { signIntent, testKey, testKeys } from '../testing/oracle-signer.ts'
import { sampleText } from '../testing/sample-messages.ts'
import { vectorJson } from '../testing/vectors.ts'
import { checksumAddress, parseAddress } from './address.ts'

const intentOf = (message: Uint8Array) =>
  ({ kind: 'message', network: 'evm', chain: 'ethereum', message }) as const

describe('evm', () => {
  test('an address is the one viem derives', () => {
    for (const { privateKey, publicKey } of testKeys('secp256k1', 120)) {
      expect(walletAddresses('secp256k1', publicKey)['evm']).toBe(
        privateKeyToAddress(toHex0x(privateKey) as `0x${string}`),
      )
    }
  })

  test('a digest of a text is the one viem signs', () => {
    const { publicKey } = testKey('secp256k1', 0)
    for (let index = 0; index < 120; index++) {
      const text = sampleText(index)
      const digest = signingDigest(intentOf(messageBytes(text, 'utf8')), 'secp256k1', publicKey)
      expect(toHex0x(digest)).toBe(hashMessage(text))
    }
  })

  test('a signed message passes viem, with v 27 or 28', async () => {
    const seen = new Set<number | undefined>()
    for (const [index, key] of testKeys('secp256k1', 40).entries()) {
      const message = sampleText(index)
      const { address, signature, v } = signIntent(intentOf(messageBytes(message, 'utf8')), key)
      const fits = await verifyMessage({
        address: address as `0x${string}`,
        message,
        signature: signature as `0x${string}`,
      })
      expect(fits).toBe(true)
      seen.add(v)
    }
    expect([...seen].sort()).toEqual([27, 28])
  })

  test('32 bytes in hex are a message of 32 bytes, not a text of 66 characters', async () => {
    const key = testKey('secp256k1', 1)
    const hex = `0x${'ab'.repeat(32)}` as const
    const answer = signIntent(intentOf(messageBytes(hex, 'hex')), key)
    const signature = answer.signature as `0x${string}`
    expect(await recoverMessageAddress({ message: { raw: hex }, signature })).toBe(answer.address)
    expect(answer.signed_payload).toBe(
      `0x${toHex(new TextEncoder().encode('\x19Ethereum Signed Message:\n32'))}${hex.slice(2)}`,
    )
  })

  test('the addresses of the vectors are reproduced', () => {
    type Case = { privateKey: string; address: string }
    const cases = vectorJson<Case[]>('ethereum/ethers_accounts_eip55.json')
    for (const { privateKey, address } of cases ?? []) {
      const publicKey = secp256k1.getPublicKey(messageBytes(privateKey, 'hex'))
      expect(walletAddresses('secp256k1', publicKey)['evm']).toBe(address)
    }
    expect(cases?.length).not.toBe(0)
    for (const { key, addr } of vectorJson<{ key: string; addr: string }[]>('ethereum/keyaddrtest.json') ??
      []) {
      const publicKey = secp256k1.getPublicKey(messageBytes(`0x${key}`, 'hex'))
      expect(walletAddresses('secp256k1', publicKey)['evm']?.toLowerCase()).toBe(`0x${addr}`)
    }
  })

  test('an address is taken in one case or with its checksum, with a wrong one not', () => {
    const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
    expect(checksumAddress(parseAddress(address.toLowerCase()) ?? new Uint8Array(20))).toBe(address)
    expect(parseAddress(address)).toBeDefined()
    expect(parseAddress(`0x${address.slice(2).toUpperCase()}`)).toBeDefined()
    for (const wrong of [
      address.replace('5aA', '5AA'),
      address.slice(0, -1),
      `0X${address.slice(2)}`,
      '',
      `0x${'g'.repeat(40)}`,
    ]) {
      expect(parseAddress(wrong)).toBeUndefined()
    }
  })
})
