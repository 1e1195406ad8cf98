import { type Hex, maxUint256, zeroHash } from 'viem'
import type { CorpusCase } from './corpus-case.ts'
import {
  careful,
  contract,
  friend,
  intentCases,
  otherToken,
  permit2,
  thief,
  token,
  tokenSpend,
  wallet,
} from './evm-payloads.ts'
import { typed } from './evm-typed.ts'

const permitType = { Permit: 'address owner,address spender,uint256 value,uint256 nonce,uint256 deadline' }
const permit = { owner: wallet, spender: friend, value: '5', nonce: 0, deadline: 9 }
const permitOf = (change: object, domain?: object, of = token) =>
  typed(of, permitType, { ...permit, ...change }, domain)
const daiType = { Permit: 'address holder,address spender,uint256 nonce,uint256 expiry,bool allowed' }
const single = {
  PermitSingle: 'PermitDetails details,address spender,uint256 sigDeadline',
  PermitDetails: 'address token,uint160 amount,uint48 expiration,uint48 nonce',
}
const singleOf = (amount: string, spender: Hex, of: Hex = permit2) =>
  typed(of, single, { details: { token, amount, expiration: 1, nonce: 0 }, spender, sigDeadline: 1 })
const pulled = 'uint256 nonce,uint256 deadline'
const witnessed = {
  PermitWitnessTransferFrom: `TokenPermissions permitted,address spender,${pulled},Order witness`,
  Order: 'address swapper,address recipient',
  TokenPermissions: 'address token,uint256 amount',
}
const witness = (amount: string, recipient: Hex = wallet) =>
  typed(permit2, witnessed, {
    permitted: { token, amount },
    spender: friend,
    nonce: 0,
    deadline: 1,
    witness: { swapper: wallet, recipient },
  })
const authorized =
  'address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce'
const authorizedTo = (to: Hex, value: string, name = 'TransferWithAuthorization') =>
  typed(
    token,
    { [name]: authorized },
    { from: wallet, to, value, validAfter: 0, validBefore: 1, nonce: zeroHash },
  )

const permits = intentCases('permits', [
  ['a permit within the cap', permitOf({}), 'allowed', careful, tokenSpend(5n)],
  ['a permit above the cap', permitOf({ value: '101' }), 'token_cap_exceeded', careful],
  ['a permit to a stranger', permitOf({ spender: thief }), 'recipient_not_allowed', careful],
  ['a permit without bound', permitOf({ value: maxUint256.toString() }), 'approval_not_allowed'],
  ['a permit of another token', permitOf({}, undefined, otherToken), 'token_not_allowed', careful],
  [
    'a permit of another chain',
    permitOf({}, { chainId: 1, verifyingContract: token }),
    'typed_data_not_allowed',
  ],
  ['a permit of no chain', permitOf({}, { verifyingContract: token }), 'typed_data_not_allowed'],
  ['a permit of no contract', permitOf({}, { chainId: 8453 }), 'typed_data_not_allowed'],
  [
    'a permit of another shape',
    typed(token, { Permit: `${permitType.Permit},bool more` }, { ...permit, more: true }),
    'typed_data_not_allowed',
  ],
  [
    'a permit of an item',
    typed(
      token,
      { Permit: `address spender,uint256 tokenId,${pulled}` },
      { spender: friend, tokenId: 1, nonce: 0, deadline: 1 },
    ),
    'typed_data_not_allowed',
  ],
  [
    "DAI's permit",
    typed(token, daiType, { holder: wallet, spender: friend, nonce: 0, expiry: 0, allowed: true }),
    'approval_not_allowed',
  ],
  [
    "DAI's permit taken back",
    typed(token, daiType, { holder: wallet, spender: friend, nonce: 0, expiry: 0, allowed: false }),
    'allowed',
    careful,
    {},
  ],
  ['Permit2 within the cap', singleOf('5', friend), 'allowed', careful, tokenSpend(5n)],
  ['Permit2 above the cap', singleOf('101', friend), 'token_cap_exceeded', careful],
  ['Permit2 to a stranger', singleOf('5', thief), 'recipient_not_allowed', careful],
  ['Permit2 without bound', singleOf((2n ** 160n - 1n).toString(), friend), 'approval_not_allowed'],
  ['Permit2 of another contract', singleOf('5', friend, contract), 'typed_data_not_allowed'],
  ['Permit2 with a witness', witness('5'), 'allowed', careful, tokenSpend(5n)],
  ['Permit2 with a witness that pays a stranger', witness('5', thief), 'recipient_not_allowed', careful],
  ['Permit2 with a witness above the cap', witness('101'), 'token_cap_exceeded', careful],
  ['EIP-3009 within the cap', authorizedTo(friend, '5'), 'allowed', careful, tokenSpend(5n)],
  ['EIP-3009 to a stranger', authorizedTo(thief, '5'), 'recipient_not_allowed', careful],
  [
    'EIP-3009 that its recipient submits, above the cap',
    authorizedTo(friend, '101', 'ReceiveWithAuthorization'),
    'token_cap_exceeded',
    careful,
  ],
])

/** Permits and authorized transfers of tokens. */
export const evmPermits: readonly CorpusCase[] = permits
