import { selectorOf } from '../evm/selector.ts'

/** Reasons of methods that are refused whatever their arguments are. */
type Reason = 'account_admin_not_allowed' | 'approval_not_allowed' | 'contract_call_not_allowed'

/**
 * Who controls a contract or may make tokens of it, by which code it runs, and what it stores: of OpenZeppelin, Solady, Solmate, Compound,
 * Synthetix, Curve, vaults, ENS, proxies and accounts; those of Safe and of modular accounts are known by their arguments.
 */
const admin = [
  '_acceptAdmin()',
  '_setImplementation(address)',
  '_setImplementation(address,bool,bytes)',
  '_setPendingAdmin(address)',
  'accept_ownership()',
  'accept_transfer_ownership()',
  'acceptAdmin()',
  'acceptDefaultAdminTransfer()',
  'acceptGovernance()',
  'acceptGovernor()',
  'acceptOwner()',
  'acceptOwnership()',
  'acceptPendingAdmin()',
  'addMinter(address)',
  'addOwner(address)',
  'addOwnerAddress(address)',
  'addOwnerAtIndex(address,uint256)',
  'addOwnerPublicKey(bytes32,bytes32)',
  'addSigner(address)',
  'addSigners(address[])',
  'apply_transfer_ownership()',
  'beginDefaultAdminTransfer(address)',
  'cancelDefaultAdminTransfer()',
  'cancelOwnershipHandover()',
  'changeAdmin(address)',
  'changeController(address)',
  'changeDefaultAdminDelay(uint48)',
  'changeImplementation(address)',
  'changeOwner(address)',
  'changeProxyAdmin(address,address)',
  'changeRequirement(uint256)',
  'claimAdmin()',
  'claimOwnership()',
  'claimProxyOwnership()',
  'commit_transfer_ownership(address)',
  'completeOwnershipHandover(address)',
  'configureMinter(address,uint256)',
  'diamondCut((address,uint8,bytes4[])[],address,bytes)',
  'grantRole(bytes32,address)',
  'grantRole(uint64,address,uint32)',
  'grantRoles(address,uint256)',
  'nominateNewOwner(address)',
  'proposeOwner(address)',
  'proposeOwnership(address)',
  'removeLastOwner(uint256,bytes)',
  'removeOwner(address)',
  'removeOwnerAtIndex(uint256)',
  'removeOwnerAtIndex(uint256,bytes)',
  'removeSigner(address)',
  'renounceRole(bytes32,address)',
  'renounceRole(uint64,address)',
  'renounceRoles(uint256)',
  'replaceImplementation(address)',
  'replaceOwner(address,address)',
  'requestOwnershipHandover()',
  'revokeRole(bytes32,address)',
  'revokeRole(uint64,address)',
  'revokeRoles(address,uint256)',
  'rollbackDefaultAdminDelay()',
  'setAdmin(address)',
  'setAuthority(address)',
  'setBeacon(address)',
  'setCode(bytes)',
  'setController(address)',
  'setDelegate(address)',
  'setGovernance(address)',
  'setGovernor(address)',
  'setImplementation(address)',
  'setMinter(address)',
  'setNewOwner(address)',
  'setOwner(address)',
  'setOwner(bytes32,address)',
  'setOwnerCandidate(address)',
  'setPendingAdmin(address)',
  'setPendingGovernance(address)',
  'setPendingGovernor(address)',
  'setPendingOwner(address)',
  'setPublicCapability(address,bytes4,bool)',
  'setRoleCapability(uint8,address,bytes4,bool)',
  'setStorage(bytes32,bytes32)',
  'setSubnodeOwner(bytes32,bytes32,address)',
  'setTarget(address)',
  'setTargetFunctionRole(address,bytes4[],uint64)',
  'setup(address[],uint256,address,bytes,address,address,uint256,address)',
  'setUserRole(address,uint8,bool)',
  'transfer_ownership(address)',
  'transferAdmin(address)',
  'transferGovernance(address)',
  'transferOwner(address)',
  'transferOwnership(address,bool,bool)',
  'transferOwnershipDirectly(address)',
  'transferProxyOwnership(address)',
  'updateAuthority(address,address)',
  'updateImplementation(address)',
  'updateMasterMinter(address)',
  'updateOwner(address)',
  'upgrade(address)',
  'upgrade(address,address)',
  'upgradeAndCall(address,address,bytes)',
  'upgradeBeaconTo(address)',
  'upgradeTo(string,address)',
  'upgradeToAndCall(string,address,bytes)',
]

/** A contract that is told to run code of others, which can do whatever it can. */
const foreignCode = [
  'delegateCall(address,bytes)',
  'delegatecall(address,bytes)',
  'execute(bytes,bytes)',
  'executeDelegateCall(address,bytes)',
  'executeDelegatecall(address,bytes)',
  'functionDelegateCall(address,bytes)',
  'simulateAndRevert(address,bytes)',
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
  'setAuthorization(address,bool)',
  'setAuthorizationWithSig((address,address,bool,uint256,uint256),(uint8,bytes32,bytes32))',
  'setRelayerApproval(address,address,bool)',
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
  ...listed(foreignCode, 'account_admin_not_allowed'),
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
