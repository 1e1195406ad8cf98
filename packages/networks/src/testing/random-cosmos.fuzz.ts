import { encodeSecp256k1Pubkey } from '@cosmjs/amino'
import { encodePubkey, makeAuthInfoBytes, makeSignBytes, makeSignDoc } from '@cosmjs/proto-signing'
import { bech32 } from '@scure/base'
import { GenericAuthorization } from 'cosmjs-types/cosmos/authz/v1beta1/authz'
import { MsgExec, MsgGrant, MsgRevoke } from 'cosmjs-types/cosmos/authz/v1beta1/tx'
import { SendAuthorization } from 'cosmjs-types/cosmos/bank/v1beta1/authz'
import { MsgMultiSend, MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import {
  MsgFundCommunityPool,
  MsgSetWithdrawAddress,
  MsgWithdrawDelegatorReward,
} from 'cosmjs-types/cosmos/distribution/v1beta1/tx'
import {
  AllowedMsgAllowance,
  BasicAllowance,
  PeriodicAllowance,
} from 'cosmjs-types/cosmos/feegrant/v1beta1/feegrant'
import { MsgGrantAllowance, MsgRevokeAllowance } from 'cosmjs-types/cosmos/feegrant/v1beta1/tx'
import { MsgSubmitProposal, MsgVote, MsgVoteWeighted } from 'cosmjs-types/cosmos/gov/v1/tx'
import { MsgDeposit, MsgVote as MsgVoteBeta } from 'cosmjs-types/cosmos/gov/v1beta1/tx'
import {
  MsgBeginRedelegate,
  MsgCancelUnbondingDelegation,
  MsgDelegate,
  MsgUndelegate,
} from 'cosmjs-types/cosmos/staking/v1beta1/tx'
import { TxBody } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import {
  MsgCreatePeriodicVestingAccount,
  MsgCreatePermanentLockedAccount,
  MsgCreateVestingAccount,
} from 'cosmjs-types/cosmos/vesting/v1beta1/tx'
import {
  MsgClearAdmin,
  MsgExecuteContract,
  MsgInstantiateContract,
  MsgMigrateContract,
  MsgUpdateAdmin,
} from 'cosmjs-types/cosmwasm/wasm/v1/tx'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import { MsgTransfer } from 'cosmjs-types/ibc/applications/transfer/v1/tx'
import fc from 'fast-check'

/** A message class of cosmjs-types, whatever it reads. */
export type CosmosType = { readonly typeUrl: string }
type AnyType = CosmosType & {
  fromPartial(value: unknown): unknown
  encode(value: unknown): { finish(): Uint8Array }
}

/** A SignDoc with its parts, as cosmjs builds it. */
export type CosmosSample = { body: Uint8Array; authInfo: Uint8Array; chainId: string; bytes: Uint8Array }

/** A message as cosmjs writes it. */
export function cosmosAny(type: CosmosType, value: unknown): Any {
  const { typeUrl, encode, fromPartial } = type as AnyType
  return { typeUrl, value: encode(fromPartial(value)).finish() }
}

/** The SignDoc of some messages, by cosmjs. */
export function cosmosSignDoc(
  messages: Any[],
  publicKey: Uint8Array,
  {
    fee = [{ denom: 'uatom', amount: '5000' }],
    chainId = 'cosmoshub-4',
    gas = 200_000,
    granter = undefined as string | undefined,
    payer = undefined as string | undefined,
    sequence = 7,
    accountNumber = 42,
    ...body
  }: {
    fee?: { denom: string; amount: string }[]
    chainId?: string
    gas?: number
    granter?: string | undefined
    payer?: string | undefined
    sequence?: number
    accountNumber?: number
  } & Record<string, unknown> = {},
): CosmosSample {
  const bodyBytes = TxBody.encode(TxBody.fromPartial({ messages, ...body } as never)).finish()
  const pubkey = encodePubkey(encodeSecp256k1Pubkey(publicKey))
  const authInfo = makeAuthInfoBytes([{ pubkey, sequence }], fee, gas, granter, payer)
  const bytes = makeSignBytes(makeSignDoc(bodyBytes, authInfo, chainId, accountNumber))
  return { body: bodyBytes, authInfo, chainId, bytes }
}

const hash = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })
const bech = (prefix: string, length = 20) =>
  hash(length).map((bytes) => bech32.encode(prefix, bech32.toWords(bytes)))
const amount = fc.oneof(fc.nat(10_000_000), fc.bigInt({ min: 1n, max: 2n ** 120n })).map(String)
const denom = fc.constantFrom(
  'uatom',
  'uosmo',
  'ibc/27394FB092D2ECCD56123C74F36E4C1F926001CEADA9CA97EA622B25F41E5EB2',
  'factory/osmo1abc/token',
)
const coin = fc.record({ denom, amount })
const coins = fc.array(coin, { maxLength: 3 })
const u64 = fc.oneof(fc.nat(1000).map(BigInt), fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }))
const text = fc.string({ maxLength: 20, unit: 'grapheme' })
const json = fc.jsonValue({ maxDepth: 2 }).map((value) => new TextEncoder().encode(JSON.stringify(value)))
const expiration = fc.option(fc.record({ seconds: fc.nat().map(BigInt), nanos: fc.nat(999_999_999) }), {
  nil: undefined,
})

/** A type that nobody knows. */
const unknownType: AnyType = {
  typeUrl: '/some.chain.MsgOther',
  fromPartial: (value) => value,
  encode: (value) => ({ finish: () => value as Uint8Array }),
}

type Case = readonly [type: CosmosType, value: fc.Arbitrary<unknown>]

const basic = fc.record({ spendLimit: coins, expiration })
const allowance = fc.oneof(
  basic.map((value) => cosmosAny(BasicAllowance, value)),
  fc
    .record({
      basic,
      period: fc.record({ seconds: fc.nat().map(BigInt), nanos: fc.constant(0) }),
      periodSpendLimit: coins,
      periodReset: expiration,
    })
    .map((value) => cosmosAny(PeriodicAllowance, value)),
  basic.map((value) =>
    cosmosAny(AllowedMsgAllowance, {
      allowance: cosmosAny(BasicAllowance, value),
      allowedMessages: ['/a.B'],
    }),
  ),
)
const authorization = fc.oneof(
  fc.constant(cosmosAny(GenericAuthorization, { msg: MsgSend.typeUrl })),
  coins.map((spendLimit) => cosmosAny(SendAuthorization, { spendLimit, allowList: [] })),
  fc.constant({ typeUrl: '/other.Authorization', value: Uint8Array.of(1) }),
)

/** Who signs a message, and the addresses that it can name. */
type Parties = {
  readonly own: string
  readonly to: fc.Arbitrary<string>
  readonly validator: fc.Arbitrary<string>
  readonly contract: fc.Arbitrary<string>
}

/** The cases of messages that an account signs, each with its class. */
function casesOf(own: string, prefix: string): readonly Case[] {
  const parties = { own, to: bech(prefix), validator: bech(`${prefix}valoper`), contract: bech(prefix, 32) }
  return [
    ...transferCases(parties),
    ...stakingCases(parties),
    ...governanceCases(parties),
    ...authorityCases(parties),
    ...vestingCases(parties),
    ...contractCases(parties),
    [unknownType, hash(9)],
  ]
}

const transferCases = ({ own, to }: Parties): Case[] => [
  [MsgSend, fc.record({ fromAddress: fc.constant(own), toAddress: to, amount: coins })],
  [
    MsgMultiSend,
    fc.record({
      inputs: coins.map((each) => [{ address: own, coins: each }]),
      outputs: fc.array(fc.record({ address: to, coins }), { minLength: 1, maxLength: 3 }),
    }),
  ],
  [
    MsgTransfer,
    fc.record({
      sourcePort: fc.constant('transfer'),
      sourceChannel: fc.constantFrom('channel-0', 'channel-141'),
      token: coin,
      sender: fc.constant(own),
      receiver: bech('osmo'),
      timeoutHeight: fc.record({ revisionNumber: u64, revisionHeight: u64 }),
      timeoutTimestamp: u64,
      memo: fc.constantFrom('', 'hi', '{"forward":{}}'),
    }),
  ],
]

function stakingCases({ own, to, validator }: Parties): Case[] {
  const delegation = { delegatorAddress: fc.constant(own), validatorAddress: validator, amount: coin }
  return [
    [MsgDelegate, fc.record(delegation)],
    [MsgUndelegate, fc.record(delegation)],
    [
      MsgBeginRedelegate,
      fc.record({
        delegatorAddress: fc.constant(own),
        validatorSrcAddress: validator,
        validatorDstAddress: validator,
        amount: coin,
      }),
    ],
    [MsgCancelUnbondingDelegation, fc.record({ ...delegation, creationHeight: u64 })],
    [
      MsgWithdrawDelegatorReward,
      fc.record({ delegatorAddress: fc.constant(own), validatorAddress: validator }),
    ],
    [MsgSetWithdrawAddress, fc.record({ delegatorAddress: fc.constant(own), withdrawAddress: to })],
    [MsgFundCommunityPool, fc.record({ amount: coins, depositor: fc.constant(own) })],
  ]
}

const governanceCases = ({ own, to }: Parties): Case[] => [
  [MsgVote, fc.record({ proposalId: u64, voter: fc.constant(own), option: fc.nat(4), metadata: text })],
  [MsgVoteBeta, fc.record({ proposalId: u64, voter: fc.constant(own), option: fc.nat(4) })],
  [
    MsgVoteWeighted,
    fc.record({
      proposalId: u64,
      voter: fc.constant(own),
      options: fc.array(fc.record({ option: fc.nat(4), weight: amount }), { maxLength: 3 }),
    }),
  ],
  [MsgDeposit, fc.record({ proposalId: u64, depositor: fc.constant(own), amount: coins })],
  [
    MsgSubmitProposal,
    fc.record({
      messages: fc.array(innerSend(to), { maxLength: 1 }),
      initialDeposit: coins,
      proposer: fc.constant(own),
      title: text,
      summary: text,
      expedited: fc.boolean(),
    }),
  ],
]

const authorityCases = ({ own, to }: Parties): Case[] => [
  [
    MsgGrant,
    fc.record({ granter: fc.constant(own), grantee: to, grant: fc.record({ authorization, expiration }) }),
  ],
  [MsgExec, fc.record({ grantee: fc.constant(own), msgs: fc.array(innerSend(to), { maxLength: 2 }) })],
  [
    MsgRevoke,
    fc.record({ granter: fc.constant(own), grantee: to, msgTypeUrl: fc.constant(MsgSend.typeUrl) }),
  ],
  [MsgGrantAllowance, fc.record({ granter: fc.constant(own), grantee: to, allowance })],
  [MsgRevokeAllowance, fc.record({ granter: fc.constant(own), grantee: to })],
]

/** A transfer within another message. */
const innerSend = (to: fc.Arbitrary<string>): fc.Arbitrary<Any> =>
  fc.record({ fromAddress: to, toAddress: to, amount: coins }).map((value) => cosmosAny(MsgSend, value))

const vestingCases = ({ own, to }: Parties): Case[] => [
  [
    MsgCreateVestingAccount,
    fc.record({
      fromAddress: fc.constant(own),
      toAddress: to,
      amount: coins,
      endTime: u64,
      delayed: fc.boolean(),
    }),
  ],
  [
    MsgCreatePermanentLockedAccount,
    fc.record({ fromAddress: fc.constant(own), toAddress: to, amount: coins }),
  ],
  [
    MsgCreatePeriodicVestingAccount,
    fc.record({
      fromAddress: fc.constant(own),
      toAddress: to,
      startTime: u64,
      vestingPeriods: fc.array(fc.record({ length: u64, amount: coins }), { maxLength: 2 }),
    }),
  ],
]

function contractCases({ own, to, contract }: Parties): Case[] {
  const cw20 = fc
    .tuple(to, amount)
    .map(([recipient, value]) =>
      new TextEncoder().encode(JSON.stringify({ transfer: { recipient, amount: value } })),
    )
  return [
    [
      MsgExecuteContract,
      fc.record({ sender: fc.constant(own), contract, msg: fc.oneof(cw20, json), funds: coins }),
    ],
    [
      MsgInstantiateContract,
      fc.record({
        sender: fc.constant(own),
        admin: fc.option(to, { nil: '' }),
        codeId: u64,
        label: text,
        msg: json,
        funds: coins,
      }),
    ],
    [MsgMigrateContract, fc.record({ sender: fc.constant(own), contract, codeId: u64, msg: json })],
    [MsgUpdateAdmin, fc.record({ sender: fc.constant(own), contract, newAdmin: to })],
    [MsgClearAdmin, fc.record({ sender: fc.constant(own), contract })],
  ]
}

/** Messages that `own` signs, of all kinds that are understood and one that is not. */
export function randomCosmosMessage(own: string, prefix: string): fc.Arbitrary<Any> {
  const cases = casesOf(own, prefix)
  return fc.constantFrom(...cases).chain(([type, value]) => value.map((fields) => cosmosAny(type, fields)))
}

/** SignDocs of an account on one of the chains. */
export function randomCosmos(
  publicKey: Uint8Array,
  own: string,
  prefix: string,
  chainId: string,
): fc.Arbitrary<CosmosSample> {
  return fc
    .record({
      messages: fc.array(randomCosmosMessage(own, prefix), { minLength: 1, maxLength: 3 }),
      fee: coins,
      gas: fc.nat(1_000_000),
      granter: fc.option(bech(prefix), { nil: undefined }),
      sequence: fc.nat(300),
      accountNumber: fc.nat(1_000_000),
      memo: text,
      timeoutHeight: u64,
      unordered: fc.boolean(),
      timeoutTimestamp: expiration,
    })
    .map(({ messages, ...rest }) => cosmosSignDoc(messages, publicKey, { ...rest, chainId }))
}

/** Classes that read what they write, by type. */
export const messageClasses: ReadonlyMap<
  string,
  { decode(bytes: Uint8Array): unknown; encode(value: unknown): { finish(): Uint8Array } }
> = new Map(
  casesOf('', 'cosmos').flatMap(([type]) => ('decode' in type ? [[type.typeUrl, type as never]] : [])),
)
