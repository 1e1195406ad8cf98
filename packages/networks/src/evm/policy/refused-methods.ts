import { selectorOf } from '../selector.ts'
import { accountMethods } from './account-methods.ts'
import { adminMethods } from './admin-methods.ts'
import { elsewhereMethods, relayedMethods, signingMethods } from './relayed-methods.ts'
import { rightMethods } from './right-methods.ts'

/** Reasons of methods that are refused whatever their arguments are. */
type Reason = 'account_admin_not_allowed' | 'approval_not_allowed' | 'contract_call_not_allowed'

/** A contract that is instructed to run code of others, which can do whatever it can, and calls of an account in forms that are not read. */
const foreignCode = [
  'cast(string[],bytes[],address)',
  'delegateCall(address,bytes)',
  'delegatecall(address,bytes)',
  'execute(((address,uint256,bytes)[],bool))',
  'execute((address,uint256,bytes)[],bytes)',
  'execute(bytes)',
  'execute(bytes,bytes)',
  'executeBatch(uint256[],bytes[])',
  'executeDelegateCall(address,bytes)',
  'executeDelegatecall(address,bytes)',
  'executeMultiple(((address,uint256,bytes)[],bytes)[])',
  'functionDelegateCall(address,bytes)',
  'redeemDelegations(bytes[],bytes32[],bytes[])',
  'simulateAndRevert(address,bytes)',
]

/** Items, whose ids are not amounts (ERC-721, ERC-1155, ERC-6909), lists of transfers, operations of others, a stake of unknown size. */
const items = [
  'handleOps((address,uint256,bytes,bytes,uint256,uint256,uint256,uint256,uint256,bytes,bytes)[],address)',
  'handleAggregatedOps(((address,uint256,bytes,bytes,uint256,uint256,uint256,uint256,uint256,bytes,bytes)[],address,bytes)[],address)',
  'handleAggregatedOps(((address,uint256,bytes,bytes,bytes32,uint256,bytes32,bytes,bytes)[],address,bytes)[],address)',
  'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)',
  'safeTransferFrom(address,address,uint256)',
  'safeTransferFrom(address,address,uint256,bytes)',
  'safeTransferFrom(address,address,uint256,uint256,bytes)',
  'transfer(address,uint256,uint256)',
  'transferFrom(address,address,uint256,uint256)',
  'transferFrom((address,address,uint160,address)[])',
  'withdrawStake(address)',
]

const reasons: ReadonlyMap<string, Reason> = new Map([
  ...listed(accountMethods, 'account_admin_not_allowed'),
  ...listed(adminMethods, 'account_admin_not_allowed'),
  ...listed(foreignCode, 'account_admin_not_allowed'),
  ...listed(rightMethods, 'approval_not_allowed'),
  ...listed(items, 'contract_call_not_allowed'),
  ...listed(relayedMethods, 'contract_call_not_allowed'),
  ...listed(elsewhereMethods, 'contract_call_not_allowed'),
  ...listed(signingMethods, 'contract_call_not_allowed'),
])

/** Why a method (8 hex digits) is refused for agents on any contract, or `undefined`. */
export function refusedMethod(selector: string): Reason | undefined {
  return reasons.get(selector)
}

function listed(signatures: readonly string[], reason: Reason): (readonly [string, Reason])[] {
  return signatures.map((signature) => [selectorOf(signature), reason])
}
