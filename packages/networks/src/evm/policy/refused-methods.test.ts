import { toFunctionSelector } from 'viem'
import { expect, test } from 'vitest'
import { refusedMethod } from './refused-methods.ts'

test.each([
  ['safeTransferFrom(address,address,uint256)', 'contract_call_not_allowed'],
  ['safeTransferFrom(address,address,uint256,bytes)', 'contract_call_not_allowed'],
  ['safeTransferFrom(address,address,uint256,uint256,bytes)', 'contract_call_not_allowed'],
  ['safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)', 'contract_call_not_allowed'],
  ['permit(address,((address,uint160,uint48,uint48),address,uint256),bytes)', 'approval_not_allowed'],
  ['approve(address,uint256,uint256)', 'approval_not_allowed'],
  ['setOwner(address)', 'account_admin_not_allowed'],
  ['diamondCut((address,uint8,bytes4[])[],address,bytes)', 'account_admin_not_allowed'],
  ['changeProxyAdmin(address,address)', 'account_admin_not_allowed'],
  ['acceptDefaultAdminTransfer()', 'account_admin_not_allowed'],
  ['grantRole(uint64,address,uint32)', 'account_admin_not_allowed'],
  ['upgradeTo(string,address)', 'account_admin_not_allowed'],
  ['upgrade(address)', 'account_admin_not_allowed'],
  ['transferProxyOwnership(address)', 'account_admin_not_allowed'],
  ['transferOwnership(address,bool,bool)', 'account_admin_not_allowed'],
  ['setPendingOwner(address)', 'account_admin_not_allowed'],
  ['claimOwnership()', 'account_admin_not_allowed'],
  ['_setPendingAdmin(address)', 'account_admin_not_allowed'],
  ['_acceptAdmin()', 'account_admin_not_allowed'],
  ['_setImplementation(address)', 'account_admin_not_allowed'],
  ['_setImplementation(address,bool,bytes)', 'account_admin_not_allowed'],
  ['requestOwnershipHandover()', 'account_admin_not_allowed'],
  ['completeOwnershipHandover(address)', 'account_admin_not_allowed'],
  ['grantRoles(address,uint256)', 'account_admin_not_allowed'],
  ['nominateNewOwner(address)', 'account_admin_not_allowed'],
  ['setTarget(address)', 'account_admin_not_allowed'],
  ['commit_transfer_ownership(address)', 'account_admin_not_allowed'],
  ['setGovernance(address)', 'account_admin_not_allowed'],
  ['setGovernor(address)', 'account_admin_not_allowed'],
  ['acceptGovernance()', 'account_admin_not_allowed'],
  ['addOwnerAddress(address)', 'account_admin_not_allowed'],
  ['addOwnerPublicKey(bytes32,bytes32)', 'account_admin_not_allowed'],
  ['removeOwnerAtIndex(uint256,bytes)', 'account_admin_not_allowed'],
  ['addSigner(address)', 'account_admin_not_allowed'],
  ['setCode(bytes)', 'account_admin_not_allowed'],
  ['execute(bytes,bytes)', 'account_admin_not_allowed'],
  ['delegateCall(address,bytes)', 'account_admin_not_allowed'],
  ['setAuthorization(address,bool)', 'approval_not_allowed'],
  ['approveHash(bytes32)', 'account_admin_not_allowed'],
  ['updateOwners(address[],address[])', 'account_admin_not_allowed'],
  ['performCreate(uint256,bytes)', 'account_admin_not_allowed'],
  ['performCreate2(uint256,bytes,bytes32)', 'account_admin_not_allowed'],
  ['withdrawDepositTo(address,uint256)', 'account_admin_not_allowed'],
  ['executeWithoutChainIdValidation(bytes[])', 'account_admin_not_allowed'],
  [
    'executeUserOp((address,uint256,bytes,bytes,bytes32,uint256,bytes32,bytes,bytes),bytes32)',
    'account_admin_not_allowed',
  ],
  ['initialize(bytes21,address,bytes,bytes,bytes[])', 'account_admin_not_allowed'],
  ['initializeAccount(bytes)', 'account_admin_not_allowed'],
  [
    'executeAllowanceTransfer(address,address,address,uint96,address,uint96,address,bytes)',
    'contract_call_not_allowed',
  ],
  ['depositTransaction(address,uint256,uint64,bool,bytes)', 'contract_call_not_allowed'],
])('%s is refused on every contract: %s', (signature, reason) => {
  expect(refusedMethod(toFunctionSelector(signature).slice(2))).toBe(reason)
})

test('an ordinary call of an allowed contract is not refused by its name', () => {
  for (const signature of [
    'delegate(address)',
    'castVote(uint256,uint8)',
    'claim()',
    'deposit()',
    'deposit(uint256,address)',
    'exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))',
    'redeem(uint256,address,address)',
    'stake(uint256)',
    'supply(address,uint256,address,uint16)',
    'swapExactTokensForTokens(uint256,uint256,address[],address,uint256)',
    'withdraw(address,uint256,address)',
  ])
    expect(refusedMethod(toFunctionSelector(signature).slice(2)), signature).toBeUndefined()
})

test('methods with an amount are evaluated by it', () => {
  for (const signature of ['transfer(address,uint256)', 'approve(address,uint256)'])
    expect(refusedMethod(toFunctionSelector(signature).slice(2))).toBeUndefined()
})
