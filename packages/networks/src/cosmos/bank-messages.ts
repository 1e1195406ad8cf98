import { bool, embedded, i64, list, protoSchema, text, u64 } from '../codec/protobuf/proto-type.ts'
import { invalidPayload } from '../network-error.ts'
import { shownText } from '../preview/shown-text.ts'
import type { DescribedAction } from '../preview/summarize.ts'
import { checkedAccount } from './address.ts'
import { coinSchema, type RawCoin } from './coins.ts'
import { type MessageScope, moved, unknown } from './described.ts'
import { type MessageRow, row } from './message-row.ts'

const coins = list(embedded(coinSchema))
const balance = protoSchema({ address: text, coins })
const height = protoSchema({ revision_number: u64, revision_height: u64 })
const period = protoSchema({ length: i64, amount: coins })

/** Messages that send coins: bank, IBC transfers, accounts whose coins are released over time. */
export const bankMessages: readonly MessageRow[] = [
  row(
    'cosmos.bank.v1beta1.MsgSend',
    'cosmos-sdk/MsgSend',
    { from_address: text, to_address: text, amount: coins },
    'from_address',
    ({ from_address, to_address, amount }, scope) => sent(scope, from_address, to_address, amount),
  ),
  row(
    'cosmos.bank.v1beta1.MsgMultiSend',
    'cosmos-sdk/MsgMultiSend',
    { inputs: list(embedded(balance)), outputs: list(embedded(balance)) },
    ({ inputs }) => inputs.map(({ address }) => address),
    ({ inputs, outputs }, scope) => {
      const [input, ...more] = inputs
      // The chains take one sender (cosmos-sdk 0.47).
      if (input === undefined || more.length > 0) throw invalidPayload('A message must have one sender.')
      return outputs.flatMap(({ address, coins }) => sent(scope, input.address, address, coins))
    },
  ),
  row(
    'ibc.applications.transfer.v1.MsgTransfer',
    'cosmos-sdk/MsgTransfer',
    {
      source_port: text,
      source_channel: text,
      token: embedded(coinSchema),
      sender: text,
      receiver: text,
      timeout_height: embedded(height),
      timeout_timestamp: u64,
      memo: text,
      encoding: text,
    },
    'sender',
    ({ source_port, source_channel, token, sender, receiver, memo }, scope) => {
      const from = checkedAccount(sender, scope.prefix)
      const parties = { from, to: shownText(receiver), method: 'ibcTransfer' } as const
      const args = { port: shownText(source_port), channel: shownText(source_channel), ...memoArg(memo) }
      const sends = moved(scope, parties, [token], args)
      return memo.trimStart().startsWith('{') ? [...sends, forwarded(parties, memo)] : sends
    },
  ),
  row(
    'cosmos.vesting.v1beta1.MsgCreateVestingAccount',
    'cosmos-sdk/MsgCreateVestingAccount',
    { from_address: text, to_address: text, amount: coins, end_time: i64, delayed: bool },
    'from_address',
    ({ from_address, to_address, amount, end_time }, scope) =>
      sent(scope, from_address, to_address, amount, { released_until: String(end_time) }),
  ),
  row(
    'cosmos.vesting.v1beta1.MsgCreatePermanentLockedAccount',
    'cosmos-sdk/MsgCreatePermLockedAccount',
    { from_address: text, to_address: text, amount: coins },
    'from_address',
    ({ from_address, to_address, amount }, scope) =>
      sent(scope, from_address, to_address, amount, { released_until: 'never' }),
  ),
  row(
    'cosmos.vesting.v1beta1.MsgCreatePeriodicVestingAccount',
    'cosmos-sdk/MsgCreatePeriodVestAccount',
    { from_address: text, to_address: text, start_time: i64, vesting_periods: list(embedded(period)) },
    'from_address',
    ({ from_address, to_address, vesting_periods }, scope) =>
      sent(
        scope,
        from_address,
        to_address,
        vesting_periods.flatMap(({ amount }) => amount),
        { periods: String(vesting_periods.length) },
      ),
  ),
]

function sent(
  scope: MessageScope,
  sender: string,
  recipient: string,
  amount: readonly RawCoin[],
  args: Record<string, string> | null = null,
): readonly DescribedAction[] {
  const from = checkedAccount(sender, scope.prefix)
  const to = checkedAccount(recipient, scope.prefix)
  return moved(scope, { from, to, method: 'send' }, amount, args)
}

function memoArg(memo: string): Record<string, string> {
  return memo === '' ? {} : { memo: shownText(memo) }
}

/** A memo in JSON can tell the other chain to send the tokens on or to call a contract with them. */
function forwarded({ from, to }: { from: string; to: string | null }, memo: string): DescribedAction {
  const warning = 'The memo can tell the other chain to send the tokens on or to call a contract with them.'
  return unknown({ from, to, method: 'memo' }, 'Send with instructions', memoArg(memo), warning)
}
