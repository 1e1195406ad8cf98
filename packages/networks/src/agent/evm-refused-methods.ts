import { selectorOf } from '../evm/selector.ts'

/** Reasons of methods that are refused whatever their arguments are. */
type Reason = 'account_admin_not_allowed' | 'approval_not_allowed' | 'contract_call_not_allowed'

/** Who controls a contract, and by which code it runs; those of Safe and of modular accounts are known by their arguments. */
const admin = [
  'acceptOwnership()',
  'addOwner(address)',
  'beginDefaultAdminTransfer(address)',
  'changeAdmin(address)',
  'changeOwner(address)',
  'diamondCut((address,uint8,bytes4[])[],address,bytes)',
  'grantRole(bytes32,address)',
  'removeOwner(address)',
  'renounceRole(bytes32,address)',
  'revokeRole(bytes32,address)',
  'setAdmin(address)',
  'setAuthority(address)',
  'setImplementation(address)',
  'setOwner(address)',
  'setPendingAdmin(address)',
  'setup(address[],uint256,address,bytes,address,address,uint256,address)',
  'transferAdmin(address)',
  'transferOwnershipDirectly(address)',
  'upgrade(address,address)',
  'upgradeAndCall(address,address,bytes)',
]

/** Rights over what has no single amount: items with ids, credit, all of an account's position, permits of Permit2. */
const approvals = [
  'allowBySig(address,address,bool,uint256,uint256,uint8,bytes32,bytes32)',
  'approve(address,uint256,uint256)',
  'approveDelegation(address,uint256)',
  'hope(address)',
  'permit(address,((address,uint160,uint48,uint48),address,uint256),bytes)',
  'permit(address,((address,uint160,uint48,uint48)[],address,uint256),bytes)',
  'permit(address,uint256,uint256,uint8,bytes32,bytes32)',
]

/** Items whose ids are no amounts (ERC-721, ERC-1155, ERC-6909), lists of transfers, operations of others, a stake of unknown size. */
const items = [
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
  ...listed(admin, 'account_admin_not_allowed'),
  ...listed(approvals, 'approval_not_allowed'),
  ...listed(items, 'contract_call_not_allowed'),
])

/** Why a method (8 hex digits) is refused for agents on any contract, or `undefined`. */
export function refusedMethod(selector: string): Reason | undefined {
  return reasons.get(selector)
}

function listed(signatures: readonly string[], reason: Reason): (readonly [string, Reason])[] {
  return signatures.map((signature) => [selectorOf(signature), reason])
}
