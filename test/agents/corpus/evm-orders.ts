import { zeroAddress, zeroHash } from 'viem'
import type { CorpusCase, CorpusLayers } from './corpus-case.ts'
import {
  account,
  call,
  careful,
  contract,
  friend,
  intentCases,
  nativeSpend,
  thief,
  token,
  tokenSpend,
  wallet,
} from './evm-payloads.ts'
import { typed } from './evm-typed.ts'

const safeType = {
  SafeTx:
    'address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 baseGas,uint256 gasPrice,address gasToken,address refundReceiver,uint256 nonce',
}
const safeTx = (change: object) =>
  typed(contract, safeType, {
    ...{ to: friend, value: '3', data: '0x', operation: 0, safeTxGas: 0, baseGas: 0, gasPrice: 0 },
    ...{ gasToken: zeroAddress, refundReceiver: zeroAddress, nonce: 0, ...change },
  })
const item = 'uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount'
const orderType = {
  OrderComponents:
    'address offerer,address zone,OfferItem[] offer,ConsiderationItem[] consideration,uint8 orderType,uint256 startTime,uint256 endTime,bytes32 zoneHash,uint256 salt,bytes32 conduitKey,uint256 counter',
  ConsiderationItem: `${item},address recipient`,
  OfferItem: item,
}
const order = (itemType: number, endAmount: string) => ({
  ...{
    offerer: wallet,
    zone: zeroAddress,
    consideration: [],
    orderType: 0,
    startTime: 0,
    endTime: 1,
    salt: 0,
  },
  ...{ zoneHash: zeroHash, conduitKey: zeroHash, counter: 0 },
  offer: [{ itemType, token, identifierOrCriteria: 0, startAmount: '1', endAmount }],
})
const seaport = '0x0000000000000068F116a894984e2DB1123eB395'
const bulkType = {
  BulkOrder: 'OrderComponents[2] tree',
  ConsiderationItem: orderType.ConsiderationItem,
  OfferItem: orderType.OfferItem,
  OrderComponents: orderType.OrderComponents,
}
/** `careful` without a list of recipients: whoever pays takes an offer. */
const toAnybody: CorpusLayers = {
  agent: careful.agent ?? {},
  session: { allowed_tokens: [{ chain: 'base', token, max_per_tx: '100' }] },
}

const orders = intentCases('orders', [
  ['a Safe pays a friend', safeTx({}), 'allowed', careful, nativeSpend(3n)],
  ['a Safe pays a stranger', safeTx({ to: thief }), 'recipient_not_allowed', careful],
  ['a Safe pays above the cap', safeTx({ value: '101' }), 'per_tx_cap_exceeded', careful],
  ['a Safe runs foreign code', safeTx({ operation: 1 }), 'account_admin_not_allowed'],
  ['a Safe refunds gas to anybody', safeTx({ gasPrice: 1 }), 'recipient_not_allowed', careful],
  [
    'a Safe refunds gas above the cap',
    safeTx({ gasPrice: 1, refundReceiver: friend }),
    'per_tx_cap_exceeded',
    careful,
  ],
  [
    'a Safe adds an owner',
    safeTx({ to: contract, data: call('addOwnerWithThreshold(address,uint256)', thief, 1n) }),
    'account_admin_not_allowed',
  ],
  [
    'a message of a Safe',
    typed(contract, { SafeMessage: 'bytes message' }, { message: '0x00' }),
    'typed_data_not_allowed',
  ],
  [
    'a message of the smart account',
    typed(account, { LightAccountMessage: 'bytes message' }, { message: zeroHash }),
    'typed_data_not_allowed',
  ],
  [
    'Seaport, tokens to anybody',
    typed(seaport, orderType, order(1, '5')),
    'allowed',
    toAnybody,
    tokenSpend(5n),
  ],
  [
    'Seaport, tokens above the cap',
    typed(seaport, orderType, order(1, '101')),
    'token_cap_exceeded',
    toAnybody,
  ],
  [
    'Seaport, tokens to anybody where recipients are listed',
    typed(seaport, orderType, order(1, '5')),
    'recipient_not_allowed',
    careful,
  ],
  ['Seaport, an item', typed(seaport, orderType, order(2, '1')), 'typed_data_not_allowed'],
  [
    'Seaport, two orders above the cap together',
    typed(seaport, bulkType, { tree: [order(1, '60'), order(1, '60')] }),
    'token_cap_exceeded',
    toAnybody,
  ],
  ['Seaport of another contract', typed(contract, orderType, order(1, '5')), 'typed_data_not_allowed'],
  ['an unknown type', typed(contract, { Mail: 'address to' }, { to: friend }), 'typed_data_not_allowed'],
  [
    'a domain alone',
    {
      kind: 'typed_data',
      chain: 'base',
      typedData: JSON.stringify({
        domain: { chainId: 8453 },
        types: {},
        primaryType: 'EIP712Domain',
        message: {},
      }),
    },
    'typed_data_not_allowed',
  ],
  ['no typed data', { kind: 'typed_data', chain: 'base', typedData: '{}' }, 'invalid'],
])

/** Transactions of a Safe and orders of Seaport as typed data, and what nobody knows. */
export const evmOrders: readonly CorpusCase[] = orders
