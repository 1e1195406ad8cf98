import { createHash } from 'node:crypto'
import { type Effect, type Network, NetworkError, type SigningDigest } from '@symbolon/networks'
import {
  chainsOf,
  type NetworkPolicy,
  type Parsed,
  type TransactionCodec,
} from '@symbolon/networks/testing/internals'

const chains = chainsOf(
  {
    network: 'ember',
    curve: 'ed25519',
    addressName: 'ember',
    nativeAsset: { symbol: 'EMB', decimals: 3 },
  },
  [{ handle: 'ember', label: 'Ember', chainId: 9, caip2: 'ember:9' }],
)

/** The address of a public key: `em1` and its hex. */
export const emberAddress = (publicKey: Uint8Array): string => `em1${hex(publicKey)}`

type Transaction = { method: number; to: string; amount: bigint }

/** An unsigned transaction: chain, method (1 pays), recipient's key, amount. */
export function emberBytes(to: Uint8Array, amount: bigint, method = 1): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(42)
  bytes.set([9, method])
  bytes.set(to, 2)
  new DataView(bytes.buffer).setBigUint64(34, amount)
  return bytes
}

const transaction: TransactionCodec<Parsed<Transaction>> = {
  encoding: 'base64',
  parse(bytes, scope) {
    if (bytes.length !== 42 || bytes[0] !== scope.chain.chainId)
      throw new NetworkError('invalid_payload', 'This is not a transaction of Ember.')
    const amount = new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(34)
    const parsed = { method: bytes[1] ?? 0, to: emberAddress(bytes.subarray(2, 34)), amount }
    return { transaction: parsed, bytes, scope }
  },
  effects: (parsed) => ({
    title: parsed.transaction.method === 1 ? `Send ${parsed.transaction.amount} thousandths` : 'Burn',
    actions: [{ ...effectOf(parsed), amountDisplay: null, method: null, args: null }],
    fee: { asset: 'EMB', amount: 1n },
    warnings: [],
  }),
  digests: ({ bytes }) => [digestOf(bytes)],
  assemble: ({ bytes }, [{ signature }]) => ({
    signature: `0x${hex(signature)}`,
    encoding: 'hex',
    signed_transaction: Buffer.concat([bytes, signature]).toString('base64'),
    transaction_hash: createHash('sha256').update(bytes).digest('hex'),
  }),
}

const policy: NetworkPolicy<Parsed<Transaction>> = {
  isChainSigned: true,
  effects(parsed) {
    if (parsed.transaction.method !== 1) return { effects: [], fee: null, trap: 'payload_undecodable' }
    const effect = { ...effectOf(parsed), isNative: true, contract: null, selector: null }
    return { effects: [effect], fee: 1n, trap: null }
  },
  nameKind: (text) => (isAddress(text) ? 'name' : undefined),
}

/** A ninth network, as a folder of its own would hold it. */
export const ember: Network<Parsed<Transaction>> = {
  name: 'ember',
  curve: 'ed25519',
  chains,
  addresses: (publicKey) => ({ ember: emberAddress(publicKey) }),
  isAddress,
  message: {
    fields: [],
    payload: ({ message }) => Buffer.concat([Buffer.from('Ember message:'), message]),
    digest: (payload) => payload,
    encodeSignature: ({ signature }) => ({ signature: `0x${hex(signature)}`, encoding: 'hex' }),
  },
  transaction,
  policy,
  privateKey: { label: 'Ember (hex)', format: hex },
}

function effectOf({ transaction: { method, to, amount }, scope }: Parsed<Transaction>): Effect {
  return { kind: method === 1 ? 'transfer' : 'unknown', asset: 'EMB', amount, from: scope.address, to }
}

function digestOf(bytes: Uint8Array): SigningDigest {
  return { payload: bytes, scheme: 'plain' }
}

function isAddress(text: string): boolean {
  return /^em1[0-9a-f]{64}$/.test(text)
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}
