import { getTransactionEncoder } from '@solana/kit'
import { Account, Asset, Networks, Operation, TransactionBuilder } from '@stellar/stellar-base'
import { hashMessage, hashTypedData, keccak256, serializeTransaction, stringToHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { toHex0x } from '../codec/hex.ts'
import type { MessageIntent, SignIntent } from '../intent/intent.ts'
import { messageBytes } from '../intent/message-bytes.ts'
import { strkey } from '../stellar/strkey.ts'
import { decodeForAgent, signingDigests } from '../testing/by-intent.ts'
import { testKey } from '../testing/oracle-signer.ts'
import { kitTransaction, solanaAddress } from '../testing/solana-transaction.ts'

const key = testKey('secp256k1', 1)
const edKey = testKey('ed25519', 1)
const friend = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const decode = (intent: SignIntent) => decodeForAgent(intent, key.curve, key.publicKey)
const decodeEd = (intent: SignIntent) => decodeForAgent(intent, edKey.curve, edKey.publicKey)

function message(
  text: string | Uint8Array,
  chain = 'base',
  more: Partial<MessageIntent> = {},
): MessageIntent {
  const bytes = typeof text === 'string' ? messageBytes(text, 'utf8') : text
  const network = chain.replace('-testnet', '') as MessageIntent['network']
  return { kind: 'message', network: chain === 'base' ? 'evm' : network, chain, message: bytes, ...more }
}

describe('every payload has exactly one name', () => {
  test('a transaction is named by its bytes, and equal signatures by what is signed', () => {
    const serialized = serializeTransaction({ chainId: 8453, to: friend, value: 1n, type: 'eip1559' })
    const bytes = messageBytes(serialized, 'hex')
    const decoded = decode({ kind: 'transaction', network: 'evm', chain: 'base', bytes })
    expect(decoded.payload).toEqual(bytes)
    expect(toHex0x(decoded.digests)).toBe(keccak256(serialized))
    expect(decoded.chains).toEqual(['base'])
  })

  test('a message is named by what is hashed', () => {
    const decoded = decode(message('hello'))
    expect(toHex0x(decoded.payload)).toBe(stringToHex('\x19Ethereum Signed Message:\n5hello'))
    expect(toHex0x(decoded.digests)).toBe(hashMessage('hello'))
  })

  test('typed data signs what every other signer signs', () => {
    const typed = {
      domain: { chainId: 8453, verifyingContract: friend },
      types: { Permit: [{ name: 'owner', type: 'address' }] },
      primaryType: 'Permit',
      message: { owner: friend },
    } as const
    const decoded = decode({ kind: 'typed_data', chain: 'base', typedData: JSON.stringify(typed) })
    expect(toHex0x(decoded.digests)).toBe(hashTypedData(typed))
    expect(decoded.trap).toBe('typed_data_not_allowed')
  })

  test('a decoded intent of every kind has the digests that the enclave signs', () => {
    const hash = new Uint8Array(32).fill(7)
    const contract = new Uint8Array(20).fill(1)
    const intents: SignIntent[] = [
      { kind: 'hash', chain: 'base', hash },
      { kind: 'user_operation', chain: 'base', hash },
      { kind: 'authorization', chain: 'base', chainId: 8453n, contract, nonce: 1n },
      message('hello', 'base', { smartAccount: true }),
      message('hello', 'tron'),
    ]
    for (const intent of intents) {
      const [only] = signingDigests(intent, key.curve, key.publicKey)
      expect(decode(intent).digests).toEqual(only.payload)
    }
  })
})

describe('what is signed beside a message is read as well', () => {
  const keyText = 'Sign this message to generate your private key'
  const signIn = `shop.example wants you to sign in with your Aptos account:\n0x1`

  test.each<[string, Partial<MessageIntent> & { text?: string; chain: string }]>([
    ['the nonce of Aptos', { chain: 'aptos', nonce: keyText }],
    ['a nonce of two lines', { chain: 'aptos', nonce: `x\n${keyText}` }],
    [
      'message and nonce of Aptos',
      { chain: 'aptos', text: 'Sign this message to', nonce: 'generate your private key' },
    ],
    ['whom a message of Near is for', { chain: 'near', nonce: new Uint8Array(32), recipient: keyText }],
  ])('%s may ask for a key', (_, { text = 'hello', chain, ...more }) => {
    expect(decodeEd(message(text, chain, more)).trap).toBe('message_not_allowed')
  })

  test('a nonce of Aptos may be a sign-in', () => {
    expect(decodeEd(message('hello', 'aptos', { nonce: signIn })).signIn).toBeDefined()
    expect(decodeEd(message('hello', 'aptos', { nonce: 'x' })).signIn).toBeUndefined()
  })
})

describe('traps of single kinds', () => {
  const hash = new Uint8Array(32).fill(7)

  test('a bare hash, an authorization and an operation that nobody knows', () => {
    expect(decode({ kind: 'hash', chain: 'base', hash })).toMatchObject({
      trap: 'raw_hash_not_allowed',
      effects: [],
    })
    expect(decode({ kind: 'user_operation', chain: 'base', hash }).trap).toBe('payload_undecodable')
    const contract = new Uint8Array(20)
    const authorization = {
      kind: 'authorization',
      chain: 'base',
      chainId: 8453n,
      contract,
      nonce: 0n,
    } as const
    expect(decode(authorization).trap).toBe('authorization_not_allowed')
  })

  test('bytes that are not a payload of their kind are an error, not a trap', () => {
    const bytes = Uint8Array.of(1, 2, 3)
    for (const [chain, network] of [
      ['base', 'evm'],
      ['tron', 'tron'],
    ] as const) {
      expect(() => decode({ kind: 'transaction', network, chain, bytes })).toThrow(
        expect.objectContaining({ code: 'invalid_payload' }),
      )
    }
    const contract = new Uint8Array(20)
    expect(() => decode({ kind: 'authorization', chain: 'base', chainId: 0n, contract, nonce: 0n })).toThrow()
    expect(() => decode({ kind: 'typed_data', chain: 'base', typedData: '{}' })).toThrow()
  })

  test('a transaction of another chain is an error', () => {
    const bytes = messageBytes(serializeTransaction({ chainId: 1, to: friend, type: 'eip1559' }), 'hex')
    expect(() => decode({ kind: 'transaction', network: 'evm', chain: 'base', bytes })).toThrow(
      expect.objectContaining({ code: 'invalid_payload' }),
    )
  })
})

describe('messages', () => {
  const digits = 'aB'.repeat(32)

  test.each([
    ['32 bytes', new Uint8Array(32).fill(0x61)],
    ['64 hex digits', digits],
    ['64 hex digits behind 0x', `0x${digits}`],
    ['64 hex digits with a line end', `0X${digits}\n`],
  ])('%s could be an operation of the smart account, on every chain', (_, text) => {
    for (const chain of ['base', 'bitcoin', 'tron', 'cosmoshub']) {
      const network = chain === 'cosmoshub' ? 'cosmos' : undefined
      expect(decode(message(text, chain, network && { network })).trap).toBe('message_is_transaction')
    }
    expect(decode(message(text, 'base', { smartAccount: true })).trap).toBe('message_is_transaction')
    expect(decodeEd(message(text, 'solana')).trap).toBe('message_is_transaction')
  })

  test.each([
    'hello',
    'a'.repeat(31),
    'a'.repeat(33),
    `${digits}0`,
    'localhost wants you to sign in with your Ethereum account',
    'dGhpcyBpcyBiYXNlNjQ=',
    'g'.repeat(64),
  ])('the text “%s” is a message', (text) => {
    expect(decode(message(text))).toMatchObject({ trap: null, effects: [], fee: null })
    for (const chain of ['solana', 'stellar']) expect(decodeEd(message(text, chain)).trap).toBeNull()
  })

  const payer = solanaAddress(1)
  const solana = getTransactionEncoder().encode(kitTransaction([], payer)) as Uint8Array
  const account = new Account(strkey('account', edKey.publicKey), '1')
  const stellar = new TransactionBuilder(account, { fee: '100', networkPassphrase: Networks.PUBLIC })
    .addOperation(
      Operation.payment({
        destination: strkey('account', testKey('ed25519', 2).publicKey),
        asset: Asset.native(),
        amount: '1',
      }),
    )
    .setTimeout(0)
    .build()

  test.each([
    ['Solana', new Uint8Array(solana)],
    ['Stellar', new Uint8Array(stellar.toEnvelope().toXDR())],
    ['Stellar, hashed', new Uint8Array(stellar.signatureBase())],
  ])('a transaction of %s is not a message of any network, neither its bytes nor their text', (_, bytes) => {
    const base64 = Buffer.from(bytes).toString('base64')
    const texts = [bytes, base64, base64.replace(/=+$/, ''), Buffer.from(bytes).toString('base64url')]
    for (const text of [...texts, toHex0x(bytes), toHex0x(bytes).slice(2), ` ${base64}\n`]) {
      for (const chain of ['solana', 'stellar']) {
        expect(decodeEd(message(text, chain)).trap).toBe('message_is_transaction')
      }
    }
  })

  test('bare bytes are never signed', () => {
    expect(decodeEd(message(new Uint8Array(solana), 'solana', { scheme: 'raw' })).trap).toBe(
      'message_is_transaction',
    )
    expect(decodeEd(message('hello', 'solana', { scheme: 'raw' })).trap).toBe('message_is_transaction')
  })
})
