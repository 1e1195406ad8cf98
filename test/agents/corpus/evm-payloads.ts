import { secp256k1 } from '@noble/curves/secp256k1.js'
import type { SignIntent } from '@symbolon/networks'
import { lightAccountAddress } from '@symbolon/networks/evm'
import { testKey } from '@symbolon/networks/testing/oracle-signer'
import {
  type EncodeFunctionDataParameters,
  encodeFunctionData,
  type Hex,
  hexToBytes,
  parseAbi,
  serializeTransaction,
  type TransactionSerializable,
} from 'viem'
import { publicKeyToAddress } from 'viem/accounts'
import type { CorpusCase, CorpusLayers } from './corpus-case.ts'
import { anything, session } from './transaction-cases.ts'

const { publicKey } = testKey('secp256k1', 1)
const uncompressed = secp256k1.Point.fromBytes(publicKey).toBytes(false)
/** The wallet's key and the smart account of that key. */
export const wallet = publicKeyToAddress(`0x${Buffer.from(uncompressed).toString('hex')}`)
export const account = lightAccountAddress(wallet)

/** Others: whom the policy knows, whom it does not, a token and a further one, a contract. */
export const friend: Hex = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
export const thief: Hex = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
export const token: Hex = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
export const otherToken: Hex = '0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc'
export const contract: Hex = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
export const permit2: Hex = '0x000000000022D473030F116dDEE9F6B43aC78BA3'
export const multicall3: Hex = '0xcA11bde05977b3631167028862bE2a173976CA11'
export const entryPoint: Hex = '0x0000000071727De22E5E9d8BAf0edAc6f37da032'
export const multiSend: Hex = '0x38869bf66a61cF6bDB996A6aE40D5853Fd43B526'

/** What a careful tenant sets: one recipient, one token, native value and fees within bounds, no contract. */
export const careful: CorpusLayers = {
  organization: {},
  agent: {
    max_spend_total_native: '100000000001000',
    allowed_tokens: [{ chain: 'base', token, max_total: '1000' }],
  },
  session: {
    allowed_chains: ['base'],
    allowed_recipients: [friend],
    max_spend_per_tx_native: '100',
    max_fee_per_tx_native: '100000000000000',
    allowed_tokens: [{ chain: 'base', token: token.toLowerCase(), max_per_tx: '100' }],
  },
}

/** `careful`, and some contracts that may be called. */
export const trusting = (...addresses: readonly Hex[]) => ({
  ...careful,
  agent: { ...careful.agent, allowed_contracts: addresses.map((address) => ({ chain: 'base', address })) },
  session: {
    ...careful.session,
    allowed_contracts: addresses.map((address) => ({ chain: 'base', address })),
  },
})

/** Every token, and one contract with all its methods or with those given. */
export const calling = (address: string, selectors?: readonly string[]): CorpusLayers =>
  session({ allowed_contracts: [{ chain: 'base', address, ...(selectors && { selectors }) }] })

/** The call data of a method by its human-readable signature. */
export function call(signature: string, ...args: readonly unknown[]): Hex {
  const abi = parseAbi([`function ${signature}`] as readonly string[])
  return encodeFunctionData({ abi, args } as EncodeFunctionDataParameters)
}

/** `transfer` of an ERC-20 token. */
export const transfer = (to: Hex, amount: bigint) => call('transfer(address,uint256)', to, amount)
/** `execute` of an account or of whatever has such a method. */
export const execute = (to: Hex, value: bigint, data: Hex) =>
  call('execute(address,uint256,bytes)', to, value, data)

/** An unsigned transaction on Base. */
export function evmTransaction(change: Partial<TransactionSerializable>): SignIntent {
  const fees = { chainId: 8453, nonce: 0, gas: 100_000n, maxFeePerGas: 10n ** 9n, type: 'eip1559' }
  const bytes = hexToBytes(serializeTransaction({ ...fees, ...change } as TransactionSerializable))
  return { kind: 'transaction', network: 'evm', chain: 'base', bytes }
}

/** What is sent, what has to become of it, under which layers (by default `careful`), at what cost. */
export type CallRow = readonly [
  name: string,
  to: Hex | null,
  data: Hex,
  expected: CorpusCase['expected'],
  layers?: CorpusLayers,
  more?: { readonly value?: bigint; readonly spends?: Readonly<Record<string, bigint>> },
]

/** The cases of a table of calls from the wallet. */
export function callCases(group: string, rows: readonly CallRow[]): readonly CorpusCase[] {
  return rows.map(([name, to, data, expected, layers = careful, { value = 0n, spends } = {}]) => ({
    name: `${group}: ${name}`,
    network: 'evm' as const,
    intent: () => evmTransaction({ ...(to && { to }), data, value }),
    layers,
    expected,
    ...(spends && { spends }),
  }))
}

/** Other payloads of a table. */
export type IntentRow = readonly [
  name: string,
  intent: SignIntent | (() => SignIntent),
  expected: CorpusCase['expected'],
  layers?: CorpusLayers,
  spends?: Readonly<Record<string, bigint>> | undefined,
]

/** The cases of a table of payloads, by default under no rule at all. */
export function intentCases(
  group: string,
  rows: readonly IntentRow[],
  network: string = 'evm',
): readonly CorpusCase[] {
  return rows.map(([name, intent, expected, layers = anything, spends]) => ({
    name: `${group}: ${name}`,
    network,
    intent,
    layers,
    expected,
    ...(spends && { spends }),
  }))
}

/** Counters: native wei, and units of `token` on Base. */
export const tokenSpend = (amount: bigint) => ({ [`token base ${token.toLowerCase()}`]: amount })
export const nativeSpend = (amount: bigint) => ({ 'native ETH/18': amount })
/** One of the transactions that a session may make. */
export const once = { transactions: 1n }
