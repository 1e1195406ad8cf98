import { randomBytes } from 'node:crypto'
import { decodeIntent, encodeIntent, signingDigest } from '@symbolon/networks/testing/by-intent'
import { testKey } from '@symbolon/networks/testing/oracle-signer'
import { messageIntent, transferIntent } from '@symbolon/testing/enclave'
import { friend, payment, thief } from './world.ts'

/** The layers of a session that may pay 800 at a time on Base to one address, and nothing else. */
export const strictLayers = {
  organization: { blocked_recipients: [thief] },
  agent: { max_spend_per_tx_native: '800' },
  session: {
    max_spend_per_tx_native: '1000',
    allowed_recipients: [friend],
    allowed_chains: ['base'],
    allowed_methods: ['sendTransaction'],
  },
}

/** What these layers allow. */
export const allowed = (n: number): Uint8Array => payment(n, 800n)

/** What they refuse, each in a way of its own. */
export const refused: readonly ((n: number) => Uint8Array)[] = [
  (n) => payment(n, 801n),
  (n) => payment(n, 1n << BigInt(64 + (n % 100))),
  (n) => payment(n, 1n, thief),
  (n) => payment(n, 1n, `0x${randomBytes(20).toString('hex')}`),
  (n) => transferIntent({ chain: 'ethereum', to: friend, value: 1n, nonce: n }),
  (n) => transferIntent({ chain: 'base', to: friend, value: 0n, data: tokenTransfer(friend), nonce: n }),
  (n) => transferIntent({ chain: 'base', to: token, value: 0n, data: tokenTransfer(friend), nonce: n }),
  (n) => transferIntent({ chain: 'base', to: token, value: 0n, data: tokenTransfer(thief), nonce: n }),
  (n) => messageIntent('secp256k1', `pay ${n}`),
  // As digests, which nobody can read: that of a payment that is allowed, and of ones that are not.
  (n) => encodeIntent({ kind: 'hash', chain: 'base', hash: digestOf(allowed(n)) }),
  (n) => encodeIntent({ kind: 'hash', chain: 'base', hash: digestOf(payment(n, 1n, thief)) }),
  (n) => encodeIntent({ kind: 'user_operation', chain: 'base', hash: digestOf(allowed(n)) }),
  (n) =>
    encodeIntent({ kind: 'message', network: 'evm', chain: 'base', message: digestOf(payment(n, 801n)) }),
  (n) => encodeIntent({ kind: 'typed_data', chain: 'base', typedData: permitOf(n) }),
  (n) =>
    encodeIntent({
      kind: 'authorization',
      chain: 'base',
      chainId: 8453n,
      contract: Buffer.from(thief.slice(2), 'hex'),
      nonce: BigInt(n),
    }),
]

const token = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'
const padded = (address: string) => address.slice(2).padStart(64, '0')
const tokenTransfer = (to: string) => `0xa9059cbb${padded(to)}${'1'.padStart(64, '0')}` as const

const digestOf = (intent: Uint8Array): Uint8Array =>
  signingDigest(decodeIntent(intent), 'secp256k1', testKey('secp256k1', 1).publicKey)

/** ERC-2612: the thief may take tokens. */
const permitOf = (nonce: number): string =>
  JSON.stringify({
    domain: { name: 'USD Coin', version: '2', chainId: 8453, verifyingContract: token },
    primaryType: 'Permit',
    types: {
      EIP712Domain: [
        { name: 'name', type: 'string' },
        { name: 'version', type: 'string' },
        { name: 'chainId', type: 'uint256' },
        { name: 'verifyingContract', type: 'address' },
      ],
      Permit: [
        { name: 'owner', type: 'address' },
        { name: 'spender', type: 'address' },
        { name: 'value', type: 'uint256' },
        { name: 'nonce', type: 'uint256' },
        { name: 'deadline', type: 'uint256' },
      ],
    },
    message: { owner: friend, spender: thief, value: '1', nonce, deadline: '99999999999' },
  })

/** Layers as a row of the database may claim them: wider than what was sealed. */
export const widerLayers: readonly string[] = [
  { organization: null, agent: null },
  { organization: {}, agent: {} },
  { organization: { allow_raw_hash: true, token_mode: 'any' }, agent: {} },
  { organization: {}, agent: { max_spend_per_tx_native: '9'.repeat(30) } },
  { organization: { blocked_recipients: [] }, agent: { allowed_recipients: [thief, friend] } },
  { organization: null, agent: { allowed_chains: ['base', 'ethereum'] } },
  { organization: null, agent: { allowed_methods: ['sendTransaction', 'signMessage'] } },
  {
    organization: { allow_raw_hash: true, token_mode: 'any' },
    agent: { allowed_contracts: [{ chain: 'base', address: token }] },
  },
].map((layers) => JSON.stringify(layers))
