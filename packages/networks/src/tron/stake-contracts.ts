import { at, bool, bytes, embedded, i64, list, protoSchema, u32 } from '../codec/protobuf/proto-type.ts'
import { nativeDisplay } from '../preview/amount-display.ts'
import type { DescribedAction } from '../preview/summarize.ts'
import { addressText } from './address.ts'
import { type ContractRow, row } from './contract-row.ts'
import { type Args, type ContractScope, called, type TronMethod } from './described.ts'

const vote = protoSchema({ vote_address: bytes, vote_count: i64 })

/** `MAX_VOTE_NUMBER` of java-tron. */
const votesMax = 30

/** ResourceCode of java-tron's protocol. */
const resources = ['bandwidth', 'energy', 'voting power']

/** Contracts of staking (versions 1 and 2), lending of resources, votes and rewards, by their number. */
export const stakeContracts: Readonly<Record<number, ContractRow>> = {
  4: row(
    'VoteWitnessContract',
    { owner_address: bytes, votes: list(embedded(vote), votesMax), support: bool },
    ({ votes }, scope) => {
      const each = votes.map(({ vote_address, vote_count }) => `${addressText(vote_address)}: ${vote_count}`)
      return called(scope, 'vote', 'Vote for super representatives', scope.owner, { votes: each.join(', ') })
    },
  ),
  11: row(
    'FreezeBalanceContract',
    {
      owner_address: bytes,
      frozen_balance: i64,
      frozen_duration: i64,
      resource: at(10, u32),
      receiver_address: at(15, bytes),
    },
    ({ frozen_balance, frozen_duration, resource, receiver_address }, scope) => {
      const args = { ...stakeArgs(frozen_balance, resource, scope), days: String(frozen_duration) }
      return staked('freeze', 'Stake', frozen_balance, args, scope, receiver_address)
    },
  ),
  12: row(
    'UnfreezeBalanceContract',
    {
      owner_address: bytes,
      resource: at(10, u32),
      receiver_address: at(15, bytes),
    },
    ({ resource, receiver_address }, scope) => {
      const to = receiver_address.length > 0 ? addressText(receiver_address) : scope.owner
      return called(scope, 'unfreeze', 'Unstake all TRX', to, { resource: resourceName(resource) })
    },
  ),
  13: row('WithdrawBalanceContract', { owner_address: bytes }, (_, scope) =>
    called(scope, 'withdrawRewards', 'Withdraw rewards'),
  ),
  54: row(
    'FreezeBalanceV2Contract',
    { owner_address: bytes, frozen_balance: i64, resource: u32 },
    ({ frozen_balance, resource }, scope) =>
      staked('freeze', 'Stake', frozen_balance, stakeArgs(frozen_balance, resource, scope), scope),
  ),
  55: row(
    'UnfreezeBalanceV2Contract',
    { owner_address: bytes, unfreeze_balance: i64, resource: u32 },
    ({ unfreeze_balance, resource }, scope) =>
      staked('unfreeze', 'Unstake', unfreeze_balance, stakeArgs(unfreeze_balance, resource, scope), scope),
  ),
  56: row('WithdrawExpireUnfreezeContract', { owner_address: bytes }, (_, scope) =>
    called(scope, 'withdrawUnfrozen', 'Withdraw unstaked TRX'),
  ),
  57: row(
    'DelegateResourceContract',
    {
      owner_address: bytes,
      resource: u32,
      balance: i64,
      receiver_address: bytes,
      lock: bool,
      lock_period: i64,
    },
    ({ resource, balance, receiver_address, lock, lock_period }, scope) => {
      const locked = lock ? { locked_blocks: lock_period === 0n ? 'the default' : String(lock_period) } : {}
      const args = { ...stakeArgs(balance, resource, scope), ...locked }
      return staked('delegateResource', 'Lend the resources of', balance, args, scope, receiver_address)
    },
  ),
  58: row(
    'UnDelegateResourceContract',
    { owner_address: bytes, resource: u32, balance: i64, receiver_address: bytes },
    ({ resource, balance, receiver_address }, scope) => {
      const args = stakeArgs(balance, resource, scope)
      return staked(
        'undelegateResource',
        'Take back the resources of',
        balance,
        args,
        scope,
        receiver_address,
      )
    },
  ),
  59: row('CancelAllUnfreezeV2Contract', { owner_address: bytes }, (_, scope) =>
    called(scope, 'cancelUnfreeze', 'Stake again what is being unstaked'),
  ),
}

function staked(
  method: TronMethod,
  verb: string,
  amount: bigint,
  args: Args,
  scope: ContractScope,
  receiver: Uint8Array = bytes.absent,
): DescribedAction {
  const to = receiver.length > 0 ? addressText(receiver) : scope.owner
  return called(scope, method, `${verb} ${nativeDisplay(amount, scope.chain.nativeAsset)}`, to, args)
}

function stakeArgs(amount: bigint, resource: bigint, { chain }: ContractScope): Args {
  return { amount: nativeDisplay(amount, chain.nativeAsset), resource: resourceName(resource) }
}

function resourceName(code: bigint): string {
  return resources[Number(code)] ?? String(code)
}
