import type { SignIntent } from '@symbolon/networks'
import { hexToBytes, stringToBytes } from 'viem'
import type { CorpusCase } from './corpus-case.ts'
import { careful, intentCases, thief } from './evm-payloads.ts'

const message = (bytes: Uint8Array, smartAccount?: true): SignIntent => ({
  kind: 'message',
  network: 'evm',
  chain: 'base',
  message: bytes,
  ...(smartAccount && { smartAccount }),
})
const text = (words: string) => message(stringToBytes(words))
const hash = new Uint8Array(32).fill(7)
const digits = 'aB'.repeat(32)
const authorization = {
  kind: 'authorization',
  chain: 'base',
  chainId: 8453n,
  contract: hexToBytes(thief),
  nonce: 0n,
} as const

const messages = intentCases('messages', [
  ['a text', text('hello'), 'allowed', careful, {}],
  ['a text for the smart account', message(stringToBytes('hello'), true), 'allowed', careful, {}],
  [
    'only transactions are allowed',
    text('hello'),
    'method_not_allowed',
    { session: { allowed_methods: ['sendTransaction'] } },
  ],
  ['32 bytes', message(hash), 'message_is_transaction'],
  ['32 letters', text('a'.repeat(32)), 'message_is_transaction'],
  ['32 bytes for the smart account', message(hash, true), 'message_is_transaction'],
  ['64 hex digits', text(digits), 'message_is_transaction'],
  ['64 hex digits behind 0x', text(`0x${digits}`), 'message_is_transaction'],
  ['64 hex digits and a line end', text(`${digits}\n`), 'message_is_transaction'],
  ['63 hex digits', text(digits.slice(1)), 'allowed', careful, {}],
  ['a bare hash', { kind: 'hash', chain: 'base', hash }, 'raw_hash_not_allowed'],
  [
    'a bare hash where they are allowed',
    { kind: 'hash', chain: 'base', hash },
    'allowed',
    { organization: { allow_raw_hash: true } },
    {},
  ],
  [
    'an authorization to run foreign code',
    authorization,
    'authorization_not_allowed',
    { organization: { allow_raw_hash: true, token_mode: 'any' } },
  ],
  ['an authorization for every chain', { ...authorization, chainId: 0n }, 'invalid'],
  ['an operation that nobody knows', { kind: 'user_operation', chain: 'base', hash }, 'payload_undecodable'],
])

/** Messages, bare hashes, authorizations. */
export const evmMessages: readonly CorpusCase[] = messages
