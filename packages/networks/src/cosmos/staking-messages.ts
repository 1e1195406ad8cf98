import { embedded, i64, list, text } from '../codec/protobuf/proto-type.ts'
import type { DescribedAction } from '../preview/summarize.ts'
import { checkedAccount, checkedValidator, moduleAddress, validatorAccount } from './address.ts'
import { coinSchema, type RawCoin } from './coins.ts'
import {
  administered,
  called,
  coinsText,
  type MessageMethod,
  type MessageScope,
  moved,
  type Parties,
} from './described.ts'
import { type MessageRow, row } from './message-row.ts'

const delegation = { delegator_address: text, validator_address: text, amount: embedded(coinSchema) }
type Delegation = { readonly delegator_address: string; readonly validator_address: string }

/** Messages of staking and of its rewards (cosmos.staking, cosmos.distribution). */
export const stakingMessages: readonly MessageRow[] = [
  row(
    'cosmos.staking.v1beta1.MsgDelegate',
    'cosmos-sdk/MsgDelegate',
    delegation,
    'delegator_address',
    (message, scope) => moved(scope, partiesOf(message, 'delegate', scope), [message.amount], null, 'Stake'),
  ),
  row(
    'cosmos.staking.v1beta1.MsgUndelegate',
    'cosmos-sdk/MsgUndelegate',
    delegation,
    'delegator_address',
    (message, scope) => unstaked('Unstake', 'undelegate', message, scope),
  ),
  row(
    'cosmos.staking.v1beta1.MsgCancelUnbondingDelegation',
    'cosmos-sdk/MsgCancelUnbondingDelegation',
    { ...delegation, creation_height: i64 },
    'delegator_address',
    (message, scope) => unstaked('Stake again', 'cancelUndelegation', message, scope),
  ),
  row(
    'cosmos.staking.v1beta1.MsgBeginRedelegate',
    'cosmos-sdk/MsgBeginRedelegate',
    {
      delegator_address: text,
      validator_src_address: text,
      validator_dst_address: text,
      amount: embedded(coinSchema),
    },
    'delegator_address',
    ({ validator_src_address, validator_dst_address, ...message }, scope) => {
      const args = { from_validator: checkedValidator(validator_src_address, scope.prefix) }
      return unstaked(
        'Move the stake of',
        'redelegate',
        { ...message, validator_address: validator_dst_address },
        scope,
        args,
      )
    },
  ),
  row(
    'cosmos.distribution.v1beta1.MsgWithdrawDelegatorReward',
    'cosmos-sdk/MsgWithdrawDelegationReward',
    { delegator_address: text, validator_address: text },
    'delegator_address',
    (message, scope) => called(partiesOf(message, 'withdrawReward', scope), 'Withdraw rewards'),
  ),
  row(
    'cosmos.distribution.v1beta1.MsgWithdrawValidatorCommission',
    'cosmos-sdk/MsgWithdrawValCommission',
    { validator_address: text },
    ({ validator_address }, prefix) => [validatorAccount(validator_address, prefix)],
    ({ validator_address }, { prefix }) => {
      const parties = { from: validatorAccount(validator_address, prefix), to: validator_address }
      return called({ ...parties, method: 'withdrawCommission' }, 'Withdraw the commission of a validator')
    },
  ),
  row(
    'cosmos.distribution.v1beta1.MsgSetWithdrawAddress',
    'cosmos-sdk/MsgModifyWithdrawAddress',
    { delegator_address: text, withdraw_address: text },
    'delegator_address',
    ({ delegator_address, withdraw_address }, { prefix }) => {
      const from = checkedAccount(delegator_address, prefix)
      const to = checkedAccount(withdraw_address, prefix)
      const warning = `All staking rewards will go to ${to}.`
      return administered(
        { from, to, method: 'setWithdrawAddress' },
        'Send staking rewards elsewhere',
        { withdraw_address },
        warning,
      )
    },
  ),
  row(
    'cosmos.distribution.v1beta1.MsgFundCommunityPool',
    'cosmos-sdk/MsgFundCommunityPool',
    { amount: list(embedded(coinSchema)), depositor: text },
    'depositor',
    ({ amount, depositor }, scope) => {
      const from = checkedAccount(depositor, scope.prefix)
      const to = moduleAddress(scope.prefix, 'distribution')
      return moved(scope, { from, to, method: 'fundCommunityPool' }, amount, null, 'Give the community')
    },
  ),
]

function partiesOf(
  { delegator_address, validator_address }: Delegation,
  method: MessageMethod,
  { prefix }: MessageScope,
): Parties {
  const to = checkedValidator(validator_address, prefix)
  return { from: checkedAccount(delegator_address, prefix), to, method }
}

function unstaked(
  verb: string,
  method: MessageMethod,
  message: Delegation & { readonly amount: RawCoin | undefined },
  scope: MessageScope,
  args: Record<string, string> = {},
): DescribedAction {
  const amount = coinsText([message.amount ?? { denom: '', amount: '' }], scope)
  return called(partiesOf(message, method, scope), `${verb} ${amount}`, { ...args, amount })
}
