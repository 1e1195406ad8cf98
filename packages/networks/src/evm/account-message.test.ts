import { hashMessage, hashTypedData, keccak256, recoverAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { type Hex, toHex0x } from '../codec/hex.ts'
import type { SignIntent } from '../intent/intent.ts'
import {
  chainAddress,
  chainByHandle,
  decodeIntent,
  encodeIntent,
  preview,
  signingDigest,
  walletAddresses,
} from '../testing/by-intent.ts'
import { signIntent, testKey, testKeys } from '../testing/oracle-signer.ts'
import { lightAccountAddress } from './light-account.ts'

const ownerOf = (publicKey: Uint8Array) => (walletAddresses('secp256k1', publicKey)['evm'] ?? '0x') as Hex
const hello = {
  kind: 'message',
  network: 'evm',
  chain: 'base',
  message: new TextEncoder().encode('hello'),
  smartAccount: true,
} as const
const permit = {
  domain: { name: 'Token', chainId: 8453, verifyingContract: `0x${'11'.repeat(20)}` },
  types: {
    Permit: [
      { name: 'owner', type: 'address' },
      { name: 'spender', type: 'address' },
      { name: 'value', type: 'uint256' },
      { name: 'nonce', type: 'uint256' },
      { name: 'deadline', type: 'uint256' },
    ],
  },
  primaryType: 'Permit',
  message: {
    owner: `0x${'22'.repeat(20)}`,
    spender: `0x${'33'.repeat(20)}`,
    value: '5',
    nonce: '0',
    deadline: '9',
  },
} as const
const typed = {
  kind: 'typed_data',
  chain: 'base',
  typedData: JSON.stringify(permit),
  smartAccount: true,
} as const

/** The hash that viem makes for the account's own domain. */
function accountDigest(hash: Hex, account: Hex, chainId = 8453): Hex {
  return hashTypedData({
    domain: { name: 'LightAccount', version: '2', chainId, verifyingContract: account },
    types: { LightAccountMessage: [{ name: 'message', type: 'bytes' }] },
    primaryType: 'LightAccountMessage',
    message: { message: hash },
  })
}

describe('a signature for the smart account', () => {
  test('a message is hashed into the account’s own domain, as viem does, and recovers to the owner', async () => {
    for (const key of testKeys('secp256k1', 10)) {
      const owner = ownerOf(key.publicKey)
      const account = lightAccountAddress(owner)
      const digest = accountDigest(hashMessage('hello'), account)
      expect(toHex0x(signingDigest(hello, 'secp256k1', key.publicKey))).toBe(digest)
      const answer = signIntent(hello, key)
      expect(answer.address).toBe(account)
      expect(keccak256(answer.signed_payload as Hex)).toBe(digest)
      expect(answer.signature).toMatch(/^0x00[0-9a-f]{130}$/)
      const signature: Hex = `0x${answer.signature.slice(4)}`
      expect(await recoverAddress({ hash: digest, signature })).toBe(owner)
    }
  })

  test('typed data likewise, over its EIP-712 hash', () => {
    const key = testKey('secp256k1', 0)
    const account = lightAccountAddress(ownerOf(key.publicKey))
    const hash = hashTypedData({
      ...permit,
      message: { ...permit.message, value: 5n, nonce: 0n, deadline: 9n },
    })
    expect(toHex0x(signingDigest(typed, 'secp256k1', key.publicKey))).toBe(accountDigest(hash, account))
    expect(signIntent(typed, key)).toMatchObject({ address: account })
  })

  test('another chain, another owner and the wallet itself have other digests', () => {
    const { publicKey } = testKey('secp256k1', 0)
    const digestOf = (intent: SignIntent, key = publicKey) => toHex0x(signingDigest(intent, 'secp256k1', key))
    const digests = [
      digestOf(hello),
      digestOf({ ...hello, chain: 'ethereum' }),
      digestOf(hello, testKey('secp256k1', 1).publicKey),
      digestOf({ kind: 'message', network: 'evm', chain: 'base', message: hello.message }),
      digestOf(typed),
      digestOf({ kind: 'typed_data', chain: 'base', typedData: typed.typedData }),
    ]
    expect(new Set(digests).size).toBe(6)
  })

  test('the enclave derives the same digest from the encoded intent', () => {
    const { publicKey } = testKey('secp256k1', 0)
    for (const intent of [hello, typed]) {
      const received = decodeIntent(encodeIntent(intent))
      expect(received).toEqual(intent)
      expect(signingDigest(received, 'secp256k1', publicKey)).toEqual(
        signingDigest(intent, 'secp256k1', publicKey),
      )
    }
  })

  test('other networks have no smart accounts', () => {
    for (const chain of ['bitcoin', 'tron', 'cosmoshub', 'solana', 'near', 'aptos', 'stellar']) {
      const { network = 'evm', curve = 'secp256k1' } = chainByHandle(chain) ?? {}
      const intent = { ...hello, chain, network }
      expect(() => signingDigest(intent, curve, testKey(curve, 0).publicKey)).toThrow(
        expect.objectContaining({ code: 'invalid_request' }),
      )
    }
  })

  test('the preview says which account signs, and takes its view', () => {
    const { publicKey } = testKey('secp256k1', 0)
    const account = lightAccountAddress(ownerOf(publicKey))
    expect(preview(hello, 'secp256k1', publicKey)).toMatchObject({
      title: `Sign message “hello” as the smart account ${account}`,
      from: account,
      warnings: [],
    })
    expect(preview(typed, 'secp256k1', publicKey)).toMatchObject({
      title: `Sign Permit for Token as the smart account ${account}`,
      from: account,
      actions: [{ kind: 'approval', amount: '5' }],
    })
    const bare = { ...hello, message: new Uint8Array(32) }
    expect(preview(bare, 'secp256k1', publicKey).warnings).toEqual([])
  })

  test('Permit2 signed for the account approves the account’s tokens', () => {
    const { publicKey } = testKey('secp256k1', 0)
    const base = chainByHandle('base')
    const own = base ? chainAddress(base, publicKey) : ''
    const permitted = preview({ ...typed, typedData: JSON.stringify(permit) }, 'secp256k1', publicKey, own)
    expect(permitted.from).toBe(lightAccountAddress(own as Hex))
  })
})
