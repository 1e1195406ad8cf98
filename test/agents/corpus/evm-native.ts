import { hexToBytes, parseGwei, serializeTransaction } from 'viem'
import type { CorpusCase, CorpusLayers } from './corpus-case.ts'
import {
  account,
  callCases,
  calling,
  careful,
  contract,
  evmTransaction,
  friend,
  intentCases,
  nativeSpend,
  once,
  thief,
  wallet,
} from './evm-payloads.ts'
import { anything, session } from './transaction-cases.ts'

const organization = (rules: object): CorpusLayers => ({ organization: { ...rules } })

const native = callCases('native', [
  [
    'a payment within everything',
    friend,
    '0x',
    'allowed',
    careful,
    { value: 100n, spends: { ...nativeSpend(100n), ...once } },
  ],
  ['nothing at all to a friend', friend, '0x', 'allowed', careful, { spends: once }],
  ['nothing at all to a stranger', thief, '0x', 'recipient_not_allowed'],
  ['one wei above the cap of a transaction', friend, '0x', 'per_tx_cap_exceeded', careful, { value: 101n }],
  ['to a stranger', thief, '0x', 'recipient_not_allowed', careful, { value: 1n }],
  [
    'to the own smart account, which is on no list',
    account,
    '0x',
    'recipient_not_allowed',
    careful,
    { value: 1n },
  ],
  ['to itself, which is on no list', wallet, '0x', 'recipient_not_allowed', careful, { value: 1n }],
  [
    'an empty list of recipients is nobody',
    friend,
    '0x',
    'recipient_not_allowed',
    session({ allowed_recipients: [] }),
    { value: 1n },
  ],
  [
    'a blocked one',
    friend,
    '0x',
    'recipient_blocked',
    organization({ blocked_recipients: [friend.toLowerCase()] }),
    { value: 1n },
  ],
  [
    'a blocked chain',
    friend,
    '0x',
    'chain_blocked',
    organization({ blocked_chains: ['base'] }),
    { value: 1n },
  ],
  [
    'another chain than the allowed one',
    friend,
    '0x',
    'chain_not_allowed',
    session({ allowed_chains: ['ethereum'] }),
  ],
  ['no chain is allowed', friend, '0x', 'chain_not_allowed', session({ allowed_chains: [] })],
  [
    'only messages are allowed',
    friend,
    '0x',
    'method_not_allowed',
    session({ allowed_methods: ['signMessage'] }),
  ],
  [
    "above the organization's cap",
    friend,
    '0x',
    'org_per_tx_cap_exceeded',
    organization({ max_native_per_tx_cap: '5' }),
    { value: 6n },
  ],
  [
    'alone above the total',
    friend,
    '0x',
    'total_cap_exceeded',
    session({ max_spend_total_native: '5' }),
    { value: 6n },
  ],
  [
    "alone above the organization's total",
    friend,
    '0x',
    'org_total_cap_exceeded',
    organization({ max_native_total_cap: '5' }),
    { value: 6n },
  ],
  ['no transaction is left', friend, '0x', 'tx_count_exceeded', session({ max_tx_count: 0 })],
  [
    'value along with an unknown call',
    friend,
    '0x12345678',
    'contract_call_not_allowed',
    anything,
    { value: 1n },
  ],
  ['creation of a contract', null, '0x6000', 'contract_creation_not_allowed', anything],
  [
    'creation of a contract with value',
    null,
    '0x6000',
    'contract_creation_not_allowed',
    calling(contract),
    { value: 5n },
  ],
  [
    'creation by the CREATE2 deployer',
    '0x4e59b44847b379578588920cA78FbF26c0B4956C',
    `0x${'00'.repeat(40)}`,
    'contract_creation_not_allowed',
    calling('0x4e59b44847b379578588920cA78FbF26c0B4956C'),
  ],
])

const price = (change: object) => () => evmTransaction({ to: friend, ...change } as never)
const delegate = {
  type: 'eip7702',
  authorizationList: [
    {
      chainId: 8453,
      address: thief,
      nonce: 1,
      r: `0x${'11'.repeat(32)}`,
      s: `0x${'22'.repeat(32)}`,
      yParity: 0,
    },
  ],
}
const fees = intentCases('fees and types', [
  [
    'a fee just within its cap',
    price({ gas: 100_000n, maxFeePerGas: parseGwei('1') }),
    'allowed',
    careful,
    once,
  ],
  [
    'a fee one wei above its cap',
    price({ gas: 100_001n, maxFeePerGas: parseGwei('1') }),
    'fee_cap_exceeded',
    careful,
  ],
  [
    'a legacy gas price above the cap',
    price({ type: 'legacy', maxFeePerGas: undefined, gasPrice: parseGwei('2') }),
    'fee_cap_exceeded',
    careful,
  ],
  [
    'a legacy payment within everything',
    price({ type: 'legacy', maxFeePerGas: undefined, gasPrice: 1n, value: 5n }),
    'allowed',
    careful,
    { ...nativeSpend(5n), ...once },
  ],
  [
    'type 1 above the cap',
    price({ type: 'eip2930', maxFeePerGas: undefined, gasPrice: parseGwei('2') }),
    'fee_cap_exceeded',
    careful,
  ],
  [
    'the fee of blobs counts',
    price({
      type: 'eip4844',
      blobVersionedHashes: [`0x01${'00'.repeat(31)}`],
      maxFeePerBlobGas: parseGwei('1'),
      gas: 21_000n,
    }),
    'fee_cap_exceeded',
    careful,
  ],
  ['an authorization to run foreign code', price(delegate), 'authorization_not_allowed', anything],
  ["another chain's id", price({ chainId: 1 }), 'invalid', anything],
  [
    'no chain id',
    price({ type: 'legacy', maxFeePerGas: undefined, gasPrice: 1n, chainId: undefined }),
    'invalid',
    anything,
  ],
  [
    'a byte behind the transaction',
    () => {
      const serialized = serializeTransaction({ chainId: 8453, to: friend, type: 'eip1559' })
      return { kind: 'transaction', network: 'evm', chain: 'base', bytes: hexToBytes(`${serialized}00`) }
    },
    'invalid',
  ],
  [
    'signed already',
    () => {
      const signature = { r: `0x${'11'.repeat(32)}`, s: `0x${'22'.repeat(32)}`, yParity: 0 } as const
      const serialized = serializeTransaction({ chainId: 8453, to: friend, type: 'eip1559' }, signature)
      return { kind: 'transaction', network: 'evm', chain: 'base', bytes: hexToBytes(serialized) }
    },
    'invalid',
  ],
])

/** Value and fees that leave by plain transactions. */
export const evmNative: readonly CorpusCase[] = [...native, ...fees]
