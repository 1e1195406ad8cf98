import { toFunctionSelector } from 'viem'
import { expect, test } from 'vitest'
import { refusedMethod } from './evm-refused-methods.ts'

test.each([
  ['safeTransferFrom(address,address,uint256)', 'contract_call_not_allowed'],
  ['safeTransferFrom(address,address,uint256,bytes)', 'contract_call_not_allowed'],
  ['safeTransferFrom(address,address,uint256,uint256,bytes)', 'contract_call_not_allowed'],
  ['safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)', 'contract_call_not_allowed'],
  ['permit(address,((address,uint160,uint48,uint48),address,uint256),bytes)', 'approval_not_allowed'],
  ['approve(address,uint256,uint256)', 'approval_not_allowed'],
  ['setOwner(address)', 'account_admin_not_allowed'],
  ['diamondCut((address,uint8,bytes4[])[],address,bytes)', 'account_admin_not_allowed'],
])('%s is refused on every contract: %s', (signature, reason) => {
  expect(refusedMethod(toFunctionSelector(signature).slice(2))).toBe(reason)
})

test('methods with an amount are judged by it', () => {
  for (const signature of ['transfer(address,uint256)', 'approve(address,uint256)'])
    expect(refusedMethod(toFunctionSelector(signature).slice(2))).toBeUndefined()
})
