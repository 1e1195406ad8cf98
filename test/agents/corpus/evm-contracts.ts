import type { CorpusCase } from './corpus-case.ts'
import {
  account,
  call,
  callCases,
  calling,
  contract,
  entryPoint,
  friend,
  nativeSpend,
  once,
  thief,
  wallet,
} from './evm-payloads.ts'
import { anything, session } from './transaction-cases.ts'

const word = `0x${'00'.repeat(32)}` as const
const admin = callCases('administration', [
  [
    'of any contract',
    contract,
    call('transferOwnership(address)', thief),
    'account_admin_not_allowed',
    calling(contract),
  ],
  ['given up', contract, call('renounceOwnership()'), 'account_admin_not_allowed', calling(contract)],
  [
    'upgrade of any contract',
    contract,
    call('upgradeTo(address)', thief),
    'account_admin_not_allowed',
    calling(contract),
  ],
  [
    'upgrade with a call',
    contract,
    call('upgradeToAndCall(address,bytes)', thief, '0x'),
    'account_admin_not_allowed',
    calling(contract),
  ],
  [
    'a role',
    contract,
    call('grantRole(bytes32,address)', word, thief),
    'account_admin_not_allowed',
    calling(contract),
  ],
  [
    'an owner of a Safe',
    contract,
    call('addOwnerWithThreshold(address,uint256)', thief, 1n),
    'account_admin_not_allowed',
    calling(contract),
  ],
  [
    'a module',
    contract,
    call('installModule(uint256,address,bytes)', 1n, thief, '0x'),
    'account_admin_not_allowed',
    calling(contract),
  ],
  [
    'the smart account handed over',
    account,
    call('transferOwnership(address)', thief),
    'account_admin_not_allowed',
    calling(account),
  ],
  [
    'the smart account upgraded',
    account,
    call('upgradeToAndCall(address,bytes)', thief, '0x'),
    'account_admin_not_allowed',
    calling(account),
  ],
  [
    'an unknown call of the smart account',
    account,
    '0x12345678',
    'account_admin_not_allowed',
    calling(account),
  ],
  ['a call of the own address', wallet, '0x12345678', 'account_admin_not_allowed', calling(wallet)],
  [
    'the deposit of the smart account, taken back by its own method',
    account,
    call('withdrawDepositTo(address,uint256)', friend, 5n),
    'account_admin_not_allowed',
    calling(account, ['0x4d44560d']),
  ],
  [
    'a deposit at the EntryPoint',
    entryPoint,
    call('depositTo(address)', thief),
    'contract_call_not_allowed',
    anything,
    { value: 5n },
  ],
  [
    'a deposit at the EntryPoint for a stranger',
    entryPoint,
    call('depositTo(address)', thief),
    'recipient_not_allowed',
    {
      session: { allowed_recipients: [friend], allowed_contracts: [{ chain: 'base', address: entryPoint }] },
    },
    { value: 5n },
  ],
  [
    'the own deposit to a stranger',
    entryPoint,
    call('withdrawTo(address,uint256)', thief, 5n),
    'recipient_not_allowed',
    {
      session: { allowed_recipients: [friend], allowed_contracts: [{ chain: 'base', address: entryPoint }] },
    },
  ],
  [
    'the own deposit in an odd encoding',
    entryPoint,
    `${call('withdrawTo(address,uint256)', thief, 5n)}00`,
    'payload_undecodable',
    calling(entryPoint),
  ],
  [
    'a stake',
    entryPoint,
    call('withdrawStake(address)', thief),
    'contract_call_not_allowed',
    calling(entryPoint),
  ],
])

const allowed = (selectors?: readonly string[]) => ({
  session: {
    allowed_recipients: [friend],
    max_spend_per_tx_native: '10',
    allowed_contracts: [{ chain: 'base', address: contract.toLowerCase(), ...(selectors && { selectors }) }],
  },
})
const contracts = callCases('contracts', [
  ['none is allowed', contract, '0x12345678', 'contract_call_not_allowed', anything],
  ['an empty list', contract, '0x12345678', 'contract_call_not_allowed', session({ allowed_contracts: [] })],
  [
    'one with all methods beside a recipient list',
    contract,
    '0x12345678',
    'recipient_not_allowed',
    allowed(),
  ],
  ['one with all methods', contract, '0x12345678', 'allowed', calling(contract), { spends: once }],
  ['one with this method', contract, '0x12345678ff', 'allowed', allowed(['0x12345678']), { spends: once }],
  ['one with another method', contract, '0x12345679', 'contract_call_not_allowed', allowed(['0x12345678'])],
  [
    'one on another chain',
    contract,
    '0x12345678',
    'contract_call_not_allowed',
    session({ allowed_contracts: [{ chain: 'ethereum', address: contract }] }),
  ],
  [
    'value goes along within the cap',
    contract,
    '0x12345678',
    'allowed',
    allowed(['0x12345678']),
    { value: 10n, spends: { ...nativeSpend(10n), ...once } },
  ],
  [
    'value above the cap',
    contract,
    '0x12345678',
    'per_tx_cap_exceeded',
    allowed(['0x12345678']),
    { value: 11n },
  ],
  [
    'value goes along with a call that is not named',
    contract,
    '0x12345678',
    'recipient_not_allowed',
    allowed(),
    { value: 1n },
  ],
  ['value without a call is a payment', contract, '0x', 'recipient_not_allowed', allowed(), { value: 1n }],
  [
    'allowed by the agent, not by the session',
    contract,
    '0x12345678',
    'contract_call_not_allowed',
    {
      agent: { allowed_contracts: [{ chain: 'base', address: contract }] },
      session: { allowed_contracts: [] },
    },
  ],
  [
    'a token of an allowed contract is still a token',
    contract,
    call('transfer(address,uint256)', friend, 5n),
    'token_not_allowed',
    allowed(),
  ],
])

/** Who controls what, and which contracts may be called. */
export const evmContracts: readonly CorpusCase[] = [...admin, ...contracts]
