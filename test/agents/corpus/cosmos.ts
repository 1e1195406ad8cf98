import { cosmosAccountAddress as accountAddress, encodeUtf8 } from '@symbolon/networks/testing/internals'
import { cosmosAny } from '@symbolon/networks/testing/random-cosmos.fuzz'
import { GenericAuthorization } from 'cosmjs-types/cosmos/authz/v1beta1/authz'
import { MsgRevoke } from 'cosmjs-types/cosmos/authz/v1beta1/tx'
import { MsgMultiSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import {
  MsgFundCommunityPool,
  MsgSetWithdrawAddress,
  MsgWithdrawDelegatorReward,
} from 'cosmjs-types/cosmos/distribution/v1beta1/tx'
import { AllowedMsgAllowance, BasicAllowance } from 'cosmjs-types/cosmos/feegrant/v1beta1/feegrant'
import { MsgGrantAllowance } from 'cosmjs-types/cosmos/feegrant/v1beta1/tx'
import { MsgDeposit, MsgVote } from 'cosmjs-types/cosmos/gov/v1/tx'
import { MsgBeginRedelegate, MsgDelegate, MsgUndelegate } from 'cosmjs-types/cosmos/staking/v1beta1/tx'
import { MsgCreateVestingAccount } from 'cosmjs-types/cosmos/vesting/v1beta1/tx'
import type { CorpusCase } from './corpus-case.ts'
import {
  amino,
  aminoSend,
  atom,
  both,
  capped,
  cost,
  doc,
  exec,
  fee,
  friend,
  grant,
  nested,
  own,
  send,
  thief,
  thiefKey,
  toFriend,
  tokenCost,
  usdc,
  usdcOnly,
  validator,
} from './cosmos-payloads.ts'
import { session, type TransactionRow, transactionCases } from './transaction-cases.ts'

const rows: readonly TransactionRow[] = [
  ['ATOM', () => doc([send([atom(1000)])]), 'allowed', capped, cost(1000n)],
  ['one uatom over the cap', () => doc([send([atom(1001)])]), 'per_tx_cap_exceeded', capped],
  [
    'two messages over the cap together',
    () => doc([send([atom(600)]), send([atom(600)])]),
    'per_tx_cap_exceeded',
    capped,
  ],
  ['ATOM to an allowed recipient', () => doc([send([atom(5)])]), 'allowed', toFriend, cost(5n)],
  [
    'ATOM to an allowed recipient in upper case',
    () => doc([send([atom(5)])]),
    'allowed',
    session({ allowed_recipients: [friend.toUpperCase()] }),
    cost(5n),
  ],
  ['ATOM to another', () => doc([send([atom(5)], thief)]), 'recipient_not_allowed', toFriend],
  [
    'a second recipient',
    () => doc([send([atom(5)]), send([atom(5)], thief)]),
    'recipient_not_allowed',
    toFriend,
  ],
  [
    'a blocked recipient',
    () => doc([send([atom(5)])]),
    'recipient_blocked',
    { organization: { blocked_recipients: [friend] } },
  ],
  [
    'many recipients in one message',
    () =>
      doc([
        cosmosAny(MsgMultiSend, {
          inputs: [{ address: own, coins: [atom(1200)] }],
          outputs: [
            { address: friend, coins: [atom(600)] },
            { address: friend, coins: [atom(600)] },
          ],
        }),
      ]),
    'per_tx_cap_exceeded',
    capped,
  ],
  [
    'a recipient that is not allowed among many',
    () =>
      doc([
        cosmosAny(MsgMultiSend, {
          inputs: [{ address: own, coins: [atom(2)] }],
          outputs: [
            { address: friend, coins: [atom(1)] },
            { address: thief, coins: [atom(1)] },
          ],
        }),
      ]),
    'recipient_not_allowed',
    toFriend,
  ],
  [
    'two senders in one message',
    () =>
      doc([
        cosmosAny(MsgMultiSend, {
          inputs: [
            { address: own, coins: [atom(1)] },
            { address: friend, coins: [atom(1)] },
          ],
          outputs: [{ address: thief, coins: [atom(2)] }],
        }),
      ]),
    'invalid',
  ],
  ['the fee of the cap', () => doc([send([atom(1)])], fee([atom(6000)])), 'allowed', capped, cost(1n)],
  ['a fee over the cap', () => doc([send([atom(1)])], fee([atom(6001)])), 'fee_cap_exceeded', capped],
  [
    'a fee in a token',
    () => doc([send([atom(1)])], fee([{ denom: usdc, amount: '501' }])),
    'token_cap_exceeded',
    usdcOnly,
  ],
  [
    'a fee in a token that is not listed',
    () => doc([send([atom(1)])], fee([{ denom: 'uother', amount: '1' }])),
    'token_not_allowed',
    usdcOnly,
  ],
  [
    'a fee that another pays',
    () => doc([send([atom(1)])], fee([atom(9_999_999)], { granter: friend })),
    'allowed',
    capped,
    cost(1n),
  ],
  [
    'a fee in two coins',
    () => doc([send([atom(1)])], fee([{ denom: usdc, amount: '400' }, atom(6001)])),
    'fee_cap_exceeded',
    session({ ...usdcOnly.session, max_fee_per_tx_native: '6000' }),
  ],
  [
    'a token',
    () => doc([send([{ denom: usdc, amount: '500' }])]),
    'allowed',
    usdcOnly,
    tokenCost(usdc, 500n),
  ],
  [
    'a token over its cap',
    () => doc([send([{ denom: usdc, amount: '501' }])]),
    'token_cap_exceeded',
    usdcOnly,
  ],
  [
    'another token',
    () => doc([send([{ denom: 'factory/x/y', amount: '1' }])]),
    'token_not_allowed',
    usdcOnly,
  ],
  ['a denom named like ATOM', () => doc([send([{ denom: 'ATOM', amount: '1' }])]), 'invalid'],
  [
    'a token beside ATOM over the cap',
    () => doc([send([{ denom: usdc, amount: '1' }, atom(1001)])]),
    'per_tx_cap_exceeded',
    session({ ...usdcOnly.session, max_spend_per_tx_native: '1000' }),
  ],
  ['an amount with a leading zero', () => doc([send([atom('01')])]), 'invalid'],
  [
    'coins on release over time',
    () =>
      doc([
        cosmosAny(MsgCreateVestingAccount, {
          fromAddress: own,
          toAddress: thief,
          amount: [atom(1001)],
          endTime: 99n,
          delayed: true,
        }),
      ]),
    'per_tx_cap_exceeded',
    capped,
  ],
  [
    'a stake',
    () =>
      doc([
        cosmosAny(MsgDelegate, { delegatorAddress: own, validatorAddress: validator, amount: atom(1000) }),
      ]),
    'allowed',
    capped,
    cost(1000n),
  ],
  [
    'a stake over the cap',
    () =>
      doc([
        cosmosAny(MsgDelegate, { delegatorAddress: own, validatorAddress: validator, amount: atom(1001) }),
      ]),
    'per_tx_cap_exceeded',
    capped,
  ],
  [
    'a stake with a validator who is not an allowed recipient',
    () =>
      doc([cosmosAny(MsgDelegate, { delegatorAddress: own, validatorAddress: validator, amount: atom(1) })]),
    'recipient_not_allowed',
    toFriend,
  ],
  [
    'the end of a stake',
    () =>
      doc([
        cosmosAny(MsgUndelegate, { delegatorAddress: own, validatorAddress: validator, amount: atom(1) }),
      ]),
    'contract_call_not_allowed',
  ],
  [
    'a stake that moves',
    () =>
      doc([
        cosmosAny(MsgBeginRedelegate, {
          delegatorAddress: own,
          validatorSrcAddress: validator,
          validatorDstAddress: accountAddress('cosmosvaloper', thiefKey),
          amount: atom(1),
        }),
      ]),
    'contract_call_not_allowed',
  ],
  [
    'rewards that come in',
    () =>
      doc([cosmosAny(MsgWithdrawDelegatorReward, { delegatorAddress: own, validatorAddress: validator })]),
    'allowed',
    toFriend,
    { transactions: 1n },
  ],
  [
    'rewards for another',
    () => doc([cosmosAny(MsgSetWithdrawAddress, { delegatorAddress: own, withdrawAddress: thief })]),
    'account_admin_not_allowed',
  ],
  [
    'a gift to the community',
    () => doc([cosmosAny(MsgFundCommunityPool, { depositor: own, amount: [atom(1001)] })]),
    'per_tx_cap_exceeded',
    capped,
  ],
  [
    'a deposit for a proposal',
    () => doc([cosmosAny(MsgDeposit, { depositor: own, proposalId: 1n, amount: [atom(1001)] })]),
    'per_tx_cap_exceeded',
    capped,
  ],
  [
    'a vote',
    () => doc([cosmosAny(MsgVote, { voter: own, proposalId: 1n, option: 1, metadata: '' })]),
    'contract_call_not_allowed',
    both,
  ],
  [
    'a right to act',
    () => doc([grant(cosmosAny(GenericAuthorization, { msg: '/cosmos.bank.v1beta1.MsgSend' }))]),
    'account_admin_not_allowed',
  ],
  [
    'a right that ends',
    () =>
      doc([
        cosmosAny(MsgRevoke, { granter: own, grantee: thief, msgTypeUrl: '/cosmos.bank.v1beta1.MsgSend' }),
      ]),
    'contract_call_not_allowed',
    both,
  ],
  [
    'acting for another',
    () => doc([exec(send([atom(1)], thief, friend))]),
    'contract_call_not_allowed',
    both,
  ],
  ['acting within acting', () => doc([nested(3)]), 'contract_call_not_allowed', both],
  ['acting too deeply', () => doc([nested(5)]), 'invalid', both],
  [
    'a grant within acting',
    () => doc([exec(grant(cosmosAny(GenericAuthorization, { msg: '/cosmos.bank.v1beta1.MsgSend' })))]),
    'contract_call_not_allowed',
    both,
  ],
  [
    'an allowance for fees',
    () =>
      doc([
        cosmosAny(MsgGrantAllowance, {
          granter: own,
          grantee: thief,
          allowance: cosmosAny(BasicAllowance, { spendLimit: [atom(1)], expiration: undefined }),
        }),
      ]),
    'approval_not_allowed',
    capped,
  ],
  [
    'an allowance for fees without a limit',
    () =>
      doc([
        cosmosAny(MsgGrantAllowance, {
          granter: own,
          grantee: thief,
          allowance: cosmosAny(AllowedMsgAllowance, {
            allowance: cosmosAny(BasicAllowance, { spendLimit: [], expiration: undefined }),
            allowedMessages: [],
          }),
        }),
      ]),
    'approval_not_allowed',
  ],
  [
    'an allowance for fees in a listed token',
    () =>
      doc([
        cosmosAny(MsgGrantAllowance, {
          granter: own,
          grantee: thief,
          allowance: cosmosAny(BasicAllowance, {
            spendLimit: [{ denom: usdc, amount: '1' }],
            expiration: undefined,
          }),
        }),
      ]),
    'approval_not_allowed',
    usdcOnly,
  ],
]

const aminoRows: readonly TransactionRow[] = [
  ['ATOM in amino JSON', () => amino([aminoSend([atom(1000)])]), 'allowed', capped, cost(1000n)],
  ['ATOM in amino JSON over the cap', () => amino([aminoSend([atom(1001)])]), 'per_tx_cap_exceeded', capped],
  [
    'another recipient in amino JSON',
    () => amino([aminoSend([atom(1)], thief)]),
    'recipient_not_allowed',
    toFriend,
  ],
  [
    'a fee in amino JSON over the cap',
    () => amino([aminoSend([atom(1)])], [atom(6001)]),
    'fee_cap_exceeded',
    capped,
  ],
  [
    'an unknown message in amino JSON',
    () => amino([{ type: 'x/MsgTake', value: { from: own } }]),
    'payload_undecodable',
  ],
  ['amino JSON that is not canonical', () => encodeUtf8(' {}'), 'invalid'],
]

/** Cosmos: grants, acting for others, channels, contracts, fees in tokens, both sign modes. */
export const cosmosCases: readonly CorpusCase[] = [
  ...transactionCases('cosmoshub', rows),
  ...transactionCases('cosmoshub', aminoRows, 'amino_json'),
]
