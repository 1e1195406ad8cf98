import type { SignIntent, StoredOperation } from '@symbolon/networks'
import {
  encodeCreateAccount,
  lightAccountFactory,
  type UserOperation,
  userOperationHash,
  userOperationJson,
} from '@symbolon/networks/evm'
import { hexToBytes, zeroAddress } from 'viem'
import type { CorpusCase, CorpusLayers } from './corpus-case.ts'
import {
  account,
  call,
  careful,
  contract,
  entryPoint,
  execute,
  friend,
  type IntentRow,
  intentCases,
  nativeSpend,
  once,
  otherToken,
  thief,
  token,
  tokenSpend,
  transfer,
  wallet,
} from './evm-payloads.ts'
import { anything } from './transaction-cases.ts'

const message = (bytes: Uint8Array, smartAccount?: true): SignIntent => ({
  kind: 'message',
  network: 'evm',
  chain: 'base',
  message: bytes,
  ...(smartAccount && { smartAccount }),
})
const operation: Omit<UserOperation, 'signature'> = {
  ...{ sender: account, nonce: 1n, callData: execute(friend, 5n, '0x'), callGasLimit: 100n },
  ...{ verificationGasLimit: 200n, preVerificationGas: 300n, maxFeePerGas: 10n, maxPriorityFeePerGas: 1n },
}
const poor: CorpusLayers = { ...careful, session: { ...careful.session, max_fee_per_tx_native: '5999' } }
const paid = { paymaster: contract, paymasterVerificationGasLimit: 1n, paymasterPostOpGasLimit: 1n } as const

type OperationRow = readonly [
  name: string,
  change: Partial<UserOperation>,
  expected: CorpusCase['expected'],
  layers?: CorpusLayers,
  spends?: Readonly<Record<string, bigint>> | undefined,
  stored?: Partial<UserOperation> | StoredOperation,
]
/** Each as the operation itself, and as the 32 bytes of its hash in a message. */
function operationCases(rows: readonly OperationRow[]): readonly CorpusCase[] {
  return rows.flatMap(([name, change, expected, layers = careful, spends, given = {}]) => {
    const made = { ...operation, ...change }
    const bytes = hexToBytes(userOperationHash(made, 8453))
    const stored =
      'operation' in given ? given : { chain: 'base', operation: userOperationJson({ ...made, ...given }) }
    const asMessage = expected === 'payload_undecodable' ? 'message_is_transaction' : expected
    const more: readonly IntentRow[] = [
      [name, { kind: 'user_operation', chain: 'base', hash: bytes }, expected, layers, spends],
      [`${name}, as a message`, message(bytes), asMessage, layers, spends],
    ]
    return intentCases('operations', more).map((each) => ({ ...each, operation: stored }))
  })
}

const json = userOperationJson(operation)
const operations = operationCases([
  ['pays a friend', {}, 'allowed', careful, { ...nativeSpend(5n), ...once }],
  ['pays a stranger', { callData: execute(thief, 5n, '0x') }, 'recipient_not_allowed'],
  ['pays above the cap', { callData: execute(friend, 101n, '0x') }, 'per_tx_cap_exceeded'],
  [
    'sends a token',
    { callData: execute(token, 0n, transfer(friend, 5n)) },
    'allowed',
    careful,
    { ...tokenSpend(5n), ...once },
  ],
  ['sends another token', { callData: execute(otherToken, 0n, transfer(friend, 5n)) }, 'token_not_allowed'],
  ['costs more than its fee may', {}, 'fee_cap_exceeded', poor],
  ['costs a paymaster', paid, 'allowed', poor, { ...nativeSpend(5n), ...once }],
  ['names a paymaster that is not one', { ...paid, paymaster: zeroAddress }, 'fee_cap_exceeded', poor],
  [
    'hands the account over',
    { callData: call('transferOwnership(address)', thief) },
    'account_admin_not_allowed',
    anything,
  ],
  [
    'upgrades the account',
    { callData: execute(account, 0n, call('upgradeToAndCall(address,bytes)', thief, '0x')) },
    'account_admin_not_allowed',
    anything,
  ],
  [
    'takes the deposit',
    { callData: execute(entryPoint, 0n, call('withdrawTo(address,uint256)', thief, 5n)) },
    'recipient_not_allowed',
  ],
  [
    'makes the account',
    { factory: lightAccountFactory, factoryData: encodeCreateAccount(wallet) },
    'allowed',
    careful,
    { ...nativeSpend(5n), ...once },
  ],
  [
    'makes an account of a stranger',
    { factory: lightAccountFactory, factoryData: encodeCreateAccount(thief) },
    'payload_undecodable',
  ],
  [
    'makes the account by a foreign factory',
    { factory: thief, factoryData: encodeCreateAccount(wallet) },
    'payload_undecodable',
  ],
  ['is of another account', { sender: contract }, 'payload_undecodable'],
  [
    'is not the one that the request describes',
    {},
    'payload_undecodable',
    anything,
    undefined,
    { callData: execute(friend, 1n, '0x') },
  ],
  [
    'is of another chain than the one that the request describes',
    {},
    'payload_undecodable',
    anything,
    undefined,
    { chain: 'optimism', operation: json },
  ],
  [
    'is described with an extra field',
    {},
    'payload_undecodable',
    anything,
    undefined,
    { chain: 'base', operation: { ...json, more: '0x' } },
  ],
])

/** Operations of the smart account. */
export const evmOperations: readonly CorpusCase[] = operations
