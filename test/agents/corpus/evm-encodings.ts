import type { Hex } from 'viem'
import type { CorpusCase } from './corpus-case.ts'
import { call, callCases, calling, contract, friend, thief, token, transfer, wallet } from './evm-payloads.ts'
import { anything } from './transaction-cases.ts'

const swapped = (data: Hex, from: string, to: string) => data.replace(from, to) as Hex
const item = [wallet, friend, 1n] as const
const encodings = callCases('odd encodings', [
  ['a byte behind the arguments', token, `${transfer(friend, 1n)}00`, 'payload_undecodable'],
  [
    'a byte behind, though the contract may be called',
    token,
    `${transfer(thief, 1n)}00`,
    'payload_undecodable',
    calling(token),
  ],
  [
    'dirty bits before an address',
    token,
    swapped(transfer(friend, 1n), '0'.repeat(24), `${'0'.repeat(23)}1`),
    'payload_undecodable',
    calling(token),
  ],
  [
    'arguments cut short',
    token,
    transfer(thief, 1n).slice(0, -2) as Hex,
    'payload_undecodable',
    calling(token),
  ],
  ['a selector alone', token, '0xa9059cbb', 'payload_undecodable', calling(token)],
  ['three bytes', contract, '0xa9059c', 'contract_call_not_allowed', anything],
  [
    'three bytes to a contract with methods listed',
    contract,
    '0xa9059c',
    'contract_call_not_allowed',
    calling(contract, ['0xa9059cbb']),
  ],
  [
    'an item, safely',
    token,
    call('safeTransferFrom(address,address,uint256)', ...item),
    'contract_call_not_allowed',
    calling(token),
  ],
  [
    'an item, safely, with data',
    token,
    call('safeTransferFrom(address,address,uint256,bytes)', ...item, '0x'),
    'contract_call_not_allowed',
    calling(token),
  ],
  [
    'items of ERC-1155',
    token,
    call('safeTransferFrom(address,address,uint256,uint256,bytes)', ...item, 5n, '0x'),
    'contract_call_not_allowed',
    calling(token),
  ],
  [
    'many items of ERC-1155',
    token,
    call(
      'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)',
      wallet,
      friend,
      [1n],
      [5n],
      '0x',
    ),
    'contract_call_not_allowed',
    calling(token),
  ],
  [
    'items of ERC-6909',
    token,
    call('transfer(address,uint256,uint256)', friend, 1n, 5n),
    'contract_call_not_allowed',
    calling(token),
  ],
])

/** Call data that is not as a compiler makes it, and items with ids. */
export const evmEncodings: readonly CorpusCase[] = encodings
