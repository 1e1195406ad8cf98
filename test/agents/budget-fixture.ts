import { randomBytes, randomInt } from 'node:crypto'
import { p2wpkh, Transaction } from '@scure/btc-signer'
import { address, createNoopSigner } from '@solana/kit'
import * as system from '@solana-program/system'
import type { WalletWithIdentity } from '@symbolon/api'
import { toBase58 } from '@symbolon/networks/testing/internals'
import { kitTransaction, wireBytes } from '@symbolon/networks/testing/solana-transaction'
import { anyAddress, mintBody, transferRequest } from '@symbolon/testing/agents'
import type { ApiProcess, PlatformProcesses } from '@symbolon/testing/platform'
import { type Organization, secret } from '@symbolon/testing/platform'

const token = `0x${'70'.repeat(20)}`
const satoshi = 1_000n
const bitcoinFee = 500n
/** Lamports of one signature. */
const solanaFee = 5_000n

/** One way in which value leaves: how many units its session may spend, and requests that cost one unit each, no two the same. */
export type Payments = {
  kind: string
  token: string
  sessionId: string
  counter: string
  unit: bigint
  units: number
  next(): object
}

/** A wallet that a backend makes. */
export async function newWallet(
  api: ApiProcess,
  { secret_key }: Organization,
  curve: 'secp256k1' | 'ed25519',
): Promise<WalletWithIdentity> {
  const body = { provider_user_id: randomBytes(8).toString('hex'), curve }
  const made = await api.call('/v1/s2s/wallets', { method: 'POST', headers: secret(secret_key), body })
  if (made.status !== 201) throw new Error(`No wallet: ${made.text}`)
  return made.data as WalletWithIdentity
}

/** Mints a session; answers its token and id. */
export async function mint(
  api: ApiProcess,
  { secret_key }: Organization,
  walletId: string,
  more: object,
): Promise<{ token: string; sessionId: string }> {
  const body = mintBody(walletId, {
    max_spend_per_tx_native: '1000000',
    max_spend_total_native: '1000000000',
    ...more,
  })
  const made = await api.call('/v1/s2s/agent-sessions', { method: 'POST', headers: secret(secret_key), body })
  if (made.status !== 201) throw new Error(`No session: ${made.text}`)
  return { token: String(made.data['token']), sessionId: String(made.data['id']) }
}

/** Sessions of every kind of payment, each with a budget of so many units. */
export async function paymentsOf(
  { apis }: PlatformProcesses,
  organization: Organization,
  units: number,
): Promise<Payments[]> {
  const [api] = apis
  if (api === undefined) throw new Error('There is no process.')
  const [evm, other] = await Promise.all([
    newWallet(api, organization, 'secp256k1'),
    newWallet(api, organization, 'ed25519'),
  ])
  const session = (walletId: string, more: object) => mint(api, organization, walletId, more)
  const total = (unit: bigint) => ({ max_spend_total_native: (BigInt(units) * unit).toString() })
  return [
    {
      kind: 'EVM transaction',
      ...(await session(evm.id, { allowed_chains: ['base'], ...total(1n) })),
      counter: 'native ETH/18',
      unit: 1n,
      units,
      next: () => transferRequest(anyAddress(), 1n, { chain: 'base' }),
    },
    {
      kind: 'permit (EIP-2612)',
      ...(await session(evm.id, {
        allowed_chains: ['base'],
        allowed_tokens: [{ chain: 'base', token, max_total: String(units) }],
      })),
      counter: `token base ${token}`,
      unit: 1n,
      units,
      next: () => permitRequest(evm.address),
    },
    {
      kind: 'Bitcoin transaction',
      ...(await session(evm.id, { allowed_chains: ['bitcoin'], ...total(satoshi + bitcoinFee) })),
      counter: 'native BTC/8',
      unit: satoshi + bitcoinFee,
      units,
      next: () => bitcoinRequest(Buffer.from(evm.public_key.slice(2), 'hex')),
    },
    {
      kind: 'Solana transaction',
      ...(await session(other.id, { allowed_chains: ['solana'], ...total(1n + solanaFee) })),
      counter: 'native SOL/9',
      unit: 1n + solanaFee,
      units,
      next: () => solanaRequest(other.address),
    },
  ]
}

function permitRequest(owner: string): object {
  const fields = (...pairs: [string, string][]) => pairs.map(([name, type]) => ({ name, type }))
  return {
    type: 'typed_data',
    chain: 'base',
    typed_data: {
      domain: { name: 'Token', version: '1', chainId: 8453, verifyingContract: token },
      primaryType: 'Permit',
      types: {
        EIP712Domain: fields(
          ['name', 'string'],
          ['version', 'string'],
          ['chainId', 'uint256'],
          ['verifyingContract', 'address'],
        ),
        Permit: fields(
          ['owner', 'address'],
          ['spender', 'address'],
          ['value', 'uint256'],
          ['nonce', 'uint256'],
          ['deadline', 'uint256'],
        ),
      },
      message: {
        owner,
        spender: anyAddress(),
        value: '1',
        nonce: String(randomInt(2 ** 40)),
        deadline: '4102444800',
      },
    },
  }
}

function bitcoinRequest(publicKey: Uint8Array): object {
  const own = p2wpkh(publicKey)
  const transaction = new Transaction()
  const witnessUtxo = { script: own.script, amount: 100_000n }
  transaction.addInput({ txid: randomBytes(32), index: 0, witnessUtxo })
  // The generator of secp256k1, whose private key is 1.
  const generator = Buffer.from('0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798', 'hex')
  transaction.addOutput({ script: p2wpkh(generator).script, amount: satoshi })
  transaction.addOutput({ script: own.script, amount: 100_000n - satoshi - bitcoinFee })
  return {
    type: 'transaction',
    chain: 'bitcoin',
    transaction: Buffer.from(transaction.toPSBT(0)).toString('base64'),
  }
}

function solanaRequest(own: string): object {
  const source = createNoopSigner(address(own))
  const destination = address(toBase58(randomBytes(32)))
  const pay = system.getTransferSolInstruction({ source, destination, amount: 1n })
  const bytes = wireBytes(kitTransaction([pay], address(own)))
  return { type: 'transaction', chain: 'solana', transaction: Buffer.from(bytes).toString('base64') }
}
