import { hashMessage, keccak256, recoverAddress } from 'viem'
import { hashAuthorization, recoverAuthorizationAddress } from 'viem/utils'
import { describe, expect, test } from 'vitest'
import { toHex0x } from './codec/hex.ts'
import type { SignIntent } from './intent/intent.ts'
import { messageBytes } from './intent/message-bytes.ts'
import { chains, signingDigest } from './testing/by-intent.ts'
import { signIntent, testKey, testKeys } from './testing/oracle-signer.ts'
import { vectorJson } from './testing/vectors.ts'

const secp = testKey('secp256k1', 0)
const ed = testKey('ed25519', 0)
const hash = new Uint8Array(32).fill(7)
const contract = `0x${'22'.repeat(20)}` as const

function refused(intent: SignIntent, code: string, key = secp): void {
  expect(() => signingDigest(intent, key.curve, key.publicKey)).toThrow(expect.objectContaining({ code }))
}

describe('signing digest', () => {
  test('a hash is signed as it is, and viem recovers the wallet', async () => {
    for (const key of testKeys('secp256k1', 20)) {
      const intent = { kind: 'hash', chain: 'base', hash } as const
      expect(signingDigest(intent, 'secp256k1', key.publicKey)).toEqual(hash)
      const { address, signature, signed_payload } = signIntent(intent, key)
      expect(
        await recoverAddress({ hash: toHex0x(hash) as `0x${string}`, signature: signature as `0x${string}` }),
      ).toBe(address)
      expect(signed_payload).toBeUndefined()
    }
  })

  test('a user operation hash is signed as an EIP-191 message of its 32 bytes', () => {
    const raw = toHex0x(hash) as `0x${string}`
    const digest = signingDigest({ kind: 'user_operation', chain: 'base', hash }, 'secp256k1', secp.publicKey)
    expect(toHex0x(digest)).toBe(hashMessage({ raw }))
    const cases = vectorJson<{ userOpHash: `0x${string}` }[]>('erc4337/userophash_ox.json')
    for (const { userOpHash } of cases ?? []) {
      const intent = { kind: 'user_operation', chain: 'base', hash: messageBytes(userOpHash, 'hex') } as const
      expect(toHex0x(signingDigest(intent, 'secp256k1', secp.publicKey))).toBe(
        hashMessage({ raw: userOpHash }),
      )
    }
    expect(cases?.length).not.toBe(0)
  })

  test('an authorization is that of EIP-7702, and viem recovers the wallet', async () => {
    for (const [index, key] of testKeys('secp256k1', 20).entries()) {
      const nonce = index * 97
      const intent = {
        kind: 'authorization',
        chain: 'base',
        chainId: 8453n,
        contract: messageBytes(contract, 'hex'),
        nonce: BigInt(nonce),
      } as const
      const authorization = { contractAddress: contract, chainId: 8453, nonce }
      expect(toHex0x(signingDigest(intent, 'secp256k1', key.publicKey))).toBe(
        hashAuthorization(authorization),
      )
      const { signature, signed_payload, address } = signIntent(intent, key)
      const parameters = { authorization, signature: signature as `0x${string}` }
      expect(await recoverAuthorizationAddress(parameters)).toBe(address)
      expect(keccak256(signed_payload as `0x${string}`)).toBe(hashAuthorization(authorization))
    }
  })

  test('an authorization for every chain, another chain or out of range is refused', () => {
    const good = {
      kind: 'authorization',
      chain: 'base',
      chainId: 8453n,
      contract: messageBytes(contract, 'hex'),
      nonce: 0n,
    } as const
    refused({ ...good, chainId: 0n }, 'invalid_payload')
    refused({ ...good, chainId: 1n }, 'invalid_payload')
    refused({ ...good, nonce: 2n ** 64n - 1n }, 'invalid_payload')
    refused({ ...good, contract: new Uint8Array(19) }, 'invalid_payload')
  })

  test('a chain of the other curve, a hash on ed25519 and an unknown chain are refused', () => {
    refused({ kind: 'hash', chain: 'solana', hash }, 'invalid_request')
    refused({ kind: 'hash', chain: 'solana', hash }, 'invalid_request', ed)
    refused({ kind: 'hash', chain: 'nowhere', hash }, 'chain_unsupported')
    refused({ kind: 'hash', chain: 'base', hash: new Uint8Array(31) }, 'invalid_payload')
  })

  test('typed data, operations and authorizations are EVM only', () => {
    refused({ kind: 'typed_data', chain: 'tron', typedData: '{}' }, 'invalid_request')
    refused({ kind: 'user_operation', chain: 'bitcoin', hash }, 'invalid_request')
  })

  test('a transaction of a network whose transactions are not decoded, or of another network, is refused', () => {
    for (const { handle, network, curve } of chains) {
      if (network === 'evm') continue
      const key = curve === 'secp256k1' ? secp : ed
      refused({ kind: 'transaction', network, chain: handle, bytes: hash }, 'invalid_payload', key)
    }
    refused({ kind: 'transaction', network: 'tron', chain: 'base', bytes: hash }, 'invalid_payload')
  })

  test('a message field of another network is refused', () => {
    const message = { kind: 'message', network: 'evm', chain: 'base', message: hash } as const
    refused({ ...message, scheme: 'raw' }, 'invalid_request')
    refused({ ...message, nonce: 'x' }, 'invalid_request')
    refused({ ...message, recipient: 'x' }, 'invalid_request')
    refused({ ...message, callbackUrl: 'x' }, 'invalid_request')
    refused({ ...message, applicationDomain: hash }, 'invalid_request')
    refused({ ...message, network: 'tron' }, 'invalid_request')
  })
})
