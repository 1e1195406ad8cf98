import type { CorpusCase } from './corpus-case.ts'
import { type CallRow, call, callCases, calling, contract, thief } from './evm-payloads.ts'

const word = `0x${'11'.repeat(32)}` as const

/** A call of an allowed contract that is refused all the same. */
const refused = (reason: CorpusCase['expected'], signature: string, ...args: readonly unknown[]): CallRow => [
  signature,
  contract,
  call(signature, ...args),
  reason,
  calling(contract),
]
const admin = (signature: string, ...args: readonly unknown[]) =>
  refused('account_admin_not_allowed', signature, ...args)
const right = (signature: string, ...args: readonly unknown[]) =>
  refused('approval_not_allowed', signature, ...args)
const made = (signature: string, ...args: readonly unknown[]) =>
  refused('contract_call_not_allowed', signature, ...args)

/** Methods of an allowed contract by which somebody else decides, or by which the wallet acts where nobody counts. */
export const evmAuthority: readonly CorpusCase[] = callCases('authority', [
  admin('approveHash(bytes32)', word),
  admin('updateOwners(address[],address[])', [thief], []),
  admin('signMessage(bytes)', word),
  admin('confirmTransaction(uint256)', 7n),
  admin('installPlugin(address,bytes32,bytes,bytes21[])', thief, word, '0x', []),
  admin('installValidation(bytes25,bytes4[],bytes,bytes[])', `0x${'11'.repeat(25)}`, [], '0x', []),
  admin('setOverrides(bytes4[],address[])', ['0x12345678'], [thief]),
  admin('setInterfaceImplementer(address,bytes32,address)', thief, word, thief),
  admin('rely(address)', thief),
  right('addDelegate(address)', thief),
  right('setAllowance(address,address,uint96,uint16,uint32)', thief, contract, 1n, 1, 1),
  right('setAccountOperator(address,address,bool)', thief, thief, true),
  right('approveAllDelegatePowers(address)', thief),
  right('delegateAll(address,bytes32,bool)', thief, word, true),
  right('setMinterApproval(address,bool)', thief, true),
  made(
    'executeAllowanceTransfer(address,address,address,uint96,address,uint96,address,bytes)',
    contract,
    contract,
    thief,
    1n,
    thief,
    0n,
    thief,
    '0x',
  ),
  made('executeWithRuntimeValidation(bytes,bytes)', '0x12345678', '0x'),
  made('schedule(address,uint256,bytes,bytes32,bytes32,uint256)', thief, 5n, '0x', word, word, 0n),
  made('depositTransaction(address,uint256,uint64,bool,bytes)', thief, 5n, 100_000n, false, '0x'),
  made('sendMessage(address,bytes,uint32)', thief, '0x12345678', 100_000),
  made('sendContractTransaction(uint256,uint256,address,uint256,bytes)', 1n, 1n, thief, 5n, '0x'),
  made('sendL1FundedUnsignedTransaction(uint256,uint256,uint256,address,bytes)', 1n, 1n, 0n, thief, '0x'),
  made(
    'createRetryableTicket(address,uint256,uint256,address,address,uint256,uint256,bytes)',
    thief,
    5n,
    0n,
    thief,
    thief,
    1n,
    1n,
    '0x',
  ),
  made('batchAll(address[],uint256[],bytes[],uint64[])', [thief], [5n], ['0x'], []),
  made('sendRawAction(bytes)', '0x01000006'),
  made('batch((address target,address account,uint256 value,bytes data)[])', [
    { target: thief, account: thief, value: 0n, data: '0x12345678' },
  ]),
  made('setPreSignature(bytes,bool)', word, true),
])
