import { type AminoMsg, makeSignDoc, serializeSignDoc } from '@cosmjs/amino'
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
import { BasicAllowance } from 'cosmjs-types/cosmos/feegrant/v1beta1/feegrant'
import { MsgGrantAllowance } from 'cosmjs-types/cosmos/feegrant/v1beta1/tx'
import { MsgDeposit, MsgVote } from 'cosmjs-types/cosmos/gov/v1beta1/tx'
import {
  MsgBeginRedelegate,
  MsgCancelUnbondingDelegation,
  MsgDelegate,
} from 'cosmjs-types/cosmos/staking/v1beta1/tx'
import { TxBody } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { MsgExecuteContract } from 'cosmjs-types/cosmwasm/wasm/v1/tx'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import { MsgTransfer } from 'cosmjs-types/ibc/applications/transfer/v1/tx'
import fc from 'fast-check'
import { type CosmosType, cosmosAny } from './random-cosmos.fuzz.ts'

/** A message in both forms. */
export type AminoPair = { amino: AminoMsg; any: Any }
/** A sign document with the protobuf body of the same transaction. */
export type AminoSample = {
  bytes: Uint8Array
  body: Uint8Array
  fee: { amount: { denom: string; amount: string }[]; gas: string; granter?: string }
  sequence: number
}

const hash = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })
const bech = (prefix: string, length = 20) =>
  hash(length).map((bytes) => bech32.encode(prefix, bech32.toWords(bytes)))
const coin = fc.record({
  denom: fc.constantFrom('uatom', 'ibc/27394FB092D2ECCD56123C74F36E4C1F926001CEADA9CA97EA622B25F41E5EB2'),
  amount: fc.oneof(fc.nat(10_000_000), fc.bigInt({ min: 1n, max: 2n ** 120n })).map(String),
})
const coins = fc.array(coin, { maxLength: 2 })
const u64 = fc.oneof(fc.constant(0n), fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }))
/** Characters that Go escapes among them. */
const memo = fc.oneof(fc.constantFrom('', '<a> & "b"', 'é☃'), fc.string({ maxLength: 20 }))

/** camelCase as cosmjs-types names fields; nested messages too. */
function camel(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camel)
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
  const named = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [named(name), camel(item)]))
}

/** The same values in both forms; bigints are texts in amino JSON and left out where they are 0, as empty texts are. */
function pair(type: CosmosType, name: string, value: Record<string, unknown>): AminoPair {
  return {
    amino: { type: name, value: amino(value) as Record<string, unknown> },
    any: cosmosAny(type, camel(value)),
  }
}

function amino(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(amino)
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([, item]) => item !== 0n && item !== '' && item !== 0)
  return Object.fromEntries(kept.map(([key, item]) => [key, amino(item)]))
}

type Pairs = fc.Arbitrary<AminoPair>
/** Who signs a message, and the addresses that it can name. */
type Parties = {
  readonly own: string
  readonly to: fc.Arbitrary<string>
  readonly validator: fc.Arbitrary<string>
  readonly contract: fc.Arbitrary<string>
}

function pairs(own: string, prefix: string): Pairs[] {
  const parties = { own, to: bech(prefix), validator: bech(`${prefix}valoper`), contract: bech(prefix, 32) }
  return [
    sends(parties),
    ...transfers(parties),
    ...stakings(parties),
    ...votes(parties),
    revocations(parties),
    executions(parties),
    grants(parties),
    allowances(parties),
    contractCalls(parties),
  ]
}

const built = (type: CosmosType, name: string, value: fc.Arbitrary<Record<string, unknown>>): Pairs =>
  value.map((fields) => pair(type, `cosmos-sdk/${name}`, fields))

const sends = ({ own, to }: Parties): Pairs =>
  built(MsgSend, 'MsgSend', fc.record({ from_address: fc.constant(own), to_address: to, amount: coins }))

const transfers = ({ own, to }: Parties): Pairs[] => [
  built(
    MsgMultiSend,
    'MsgMultiSend',
    fc.record({
      inputs: coins.map((each) => [{ address: own, coins: each }]),
      outputs: fc.array(fc.record({ address: to, coins }), { minLength: 1, maxLength: 2 }),
    }),
  ),
  built(
    MsgTransfer,
    'MsgTransfer',
    fc.record({
      source_port: fc.constant('transfer'),
      source_channel: fc.constant('channel-0'),
      token: coin,
      sender: fc.constant(own),
      receiver: bech('osmo'),
      timeout_height: fc.record({ revision_number: u64, revision_height: u64 }),
      timeout_timestamp: u64,
      memo,
    }),
  ),
]

function stakings({ own, to, validator }: Parties): Pairs[] {
  const delegation = { delegator_address: fc.constant(own), validator_address: validator, amount: coin }
  return [
    built(MsgDelegate, 'MsgDelegate', fc.record(delegation)),
    built(
      MsgBeginRedelegate,
      'MsgBeginRedelegate',
      fc.record({
        delegator_address: fc.constant(own),
        validator_src_address: validator,
        validator_dst_address: validator,
        amount: coin,
      }),
    ),
    built(
      MsgCancelUnbondingDelegation,
      'MsgCancelUnbondingDelegation',
      fc.record({ ...delegation, creation_height: u64 }),
    ),
    built(
      MsgWithdrawDelegatorReward,
      'MsgWithdrawDelegationReward',
      fc.record({ delegator_address: fc.constant(own), validator_address: validator }),
    ),
    built(
      MsgSetWithdrawAddress,
      'MsgModifyWithdrawAddress',
      fc.record({ delegator_address: fc.constant(own), withdraw_address: to }),
    ),
    built(
      MsgFundCommunityPool,
      'MsgFundCommunityPool',
      fc.record({ amount: coins, depositor: fc.constant(own) }),
    ),
  ]
}

const votes = ({ own }: Parties): Pairs[] => [
  built(MsgVote, 'MsgVote', fc.record({ proposal_id: u64, voter: fc.constant(own), option: fc.nat(4) })),
  built(
    MsgDeposit,
    'MsgDeposit',
    fc.record({ proposal_id: u64, depositor: fc.constant(own), amount: coins }),
  ),
]

function revocations({ own, to }: Parties): Pairs {
  return built(
    MsgRevoke,
    'MsgRevoke',
    fc.record({ granter: fc.constant(own), grantee: to, msg_type_url: fc.constant(MsgSend.typeUrl) }),
  )
}

function executions(parties: Parties): Pairs {
  const { own } = parties
  return fc.array(sends(parties), { minLength: 1, maxLength: 2 }).map((inner) => ({
    amino: { type: 'cosmos-sdk/MsgExec', value: { grantee: own, msgs: inner.map((each) => each.amino) } },
    any: cosmosAny(MsgExec, { grantee: own, msgs: inner.map(({ any }) => any) }),
  }))
}

function grants({ own, to }: Parties): Pairs {
  return fc.tuple(to, coins, fc.constantFrom(0, 500_000_000)).map(([grantee, spend_limit, nanos]) => {
    const authorization =
      nanos === 0
        ? pair(GenericAuthorization, 'cosmos-sdk/GenericAuthorization', { msg: MsgSend.typeUrl })
        : pair(SendAuthorization, 'cosmos-sdk/SendAuthorization', { spend_limit })
    const expiration = { seconds: 1_764_000_000n, nanos }
    const written = nanos === 0 ? '2025-11-24T16:00:00Z' : '2025-11-24T16:00:00.5Z'
    return {
      amino: {
        type: 'cosmos-sdk/MsgGrant',
        value: {
          granter: own,
          grantee,
          grant: { authorization: authorization.amino, expiration: written },
        },
      },
      any: cosmosAny(MsgGrant, {
        granter: own,
        grantee,
        grant: { authorization: authorization.any, expiration },
      }),
    }
  })
}

function allowances({ own, to }: Parties): Pairs {
  return fc.tuple(to, coins).map(([grantee, spend_limit]) => {
    const allowance = pair(BasicAllowance, 'cosmos-sdk/BasicAllowance', { spend_limit })
    return {
      amino: {
        type: 'cosmos-sdk/MsgGrantAllowance',
        value: { granter: own, grantee, allowance: allowance.amino },
      },
      any: cosmosAny(MsgGrantAllowance, { granter: own, grantee, allowance: allowance.any }),
    }
  })
}

function contractCalls({ own, to, contract }: Parties): Pairs {
  return fc.tuple(contract, to, coins).map(([contract, recipient, funds]) => {
    const msg = { transfer: { amount: '5', recipient } }
    return {
      amino: { type: 'wasm/MsgExecuteContract', value: { sender: own, contract, msg, funds } },
      any: cosmosAny(MsgExecuteContract, {
        sender: own,
        contract,
        msg: new TextEncoder().encode(JSON.stringify(msg)),
        funds,
      }),
    }
  })
}

/** Sign documents of an account, as cosmjs serializes them, with the same transaction's body in protobuf. */
export function randomAmino(own: string, prefix: string, chainId: string): fc.Arbitrary<AminoSample> {
  const fee = fc.record(
    { amount: coins, gas: fc.nat(1_000_000).map(String), granter: bech(prefix) },
    { requiredKeys: ['amount', 'gas'] },
  )
  return fc
    .record({
      messages: fc.array(fc.oneof(...pairs(own, prefix)), { minLength: 1, maxLength: 3 }),
      fee,
      memo,
      sequence: fc.nat(1000),
      account: fc.nat(1000),
      timeout: fc.constantFrom(undefined, 5n),
    })
    .map(({ messages, fee, memo, sequence, account, timeout }) => {
      const msgs = messages.map(({ amino }) => amino)
      const document = makeSignDoc(msgs, fee, chainId, memo, account, sequence, timeout)
      const anys = messages.map(({ any }) => any)
      const body = TxBody.fromPartial({ messages: anys, memo, timeoutHeight: timeout ?? 0n })
      return { bytes: serializeSignDoc(document), body: TxBody.encode(body).finish(), fee, sequence }
    })
}
