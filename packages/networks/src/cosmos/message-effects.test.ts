import { MsgMultiSend, MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import {
  MsgFundCommunityPool,
  MsgSetWithdrawAddress,
  MsgWithdrawDelegatorReward,
  MsgWithdrawValidatorCommission,
} from 'cosmjs-types/cosmos/distribution/v1beta1/tx'
import { MsgDeposit, MsgSubmitProposal, MsgVote } from 'cosmjs-types/cosmos/gov/v1/tx'
import {
  MsgBeginRedelegate,
  MsgCancelUnbondingDelegation,
  MsgDelegate,
  MsgUndelegate,
} from 'cosmjs-types/cosmos/staking/v1beta1/tx'
import { MsgCreateVestingAccount } from 'cosmjs-types/cosmos/vesting/v1beta1/tx'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import { MsgTransfer } from 'cosmjs-types/ibc/applications/transfer/v1/tx'
import { describe, expect, test } from 'vitest'
import { embedded, list, protoSchema, text, u64 } from '../codec/protobuf/proto-type.ts'
import { writeMessage } from '../codec/protobuf/write-message.ts'
import { decodeIntentEffects, preview } from '../testing/by-intent.ts'
import { testKey } from '../testing/oracle-signer.ts'
import { cosmosAny, cosmosSignDoc } from '../testing/random-cosmos.fuzz.ts'
import { accountAddress } from './address.ts'
import { coinSchema } from './coins.ts'

const { publicKey } = testKey('secp256k1', 1)
const friendKey = testKey('secp256k1', 2).publicKey
const own = accountAddress('cosmos', publicKey)
const friend = accountAddress('cosmos', friendKey)
const validator = accountAddress('cosmosvaloper', friendKey)
const atom = (amount: string) => ({ denom: 'uatom', amount })

type Options = Parameters<typeof cosmosSignDoc>[2]
const intentOf = (messages: Any[], options?: Options, chain = 'cosmoshub') => {
  const { bytes } = cosmosSignDoc(messages, publicKey, options)
  return { kind: 'transaction', network: 'cosmos', chain, bytes } as const
}
const shown = (message: Any | Any[], options?: Options, chain?: string) =>
  preview(intentOf([message].flat(), options, chain), 'secp256k1', publicKey)
const effects = (message: Any) =>
  decodeIntentEffects(intentOf([message]), 'secp256k1', publicKey, own).actions
const refused = (message: Any | Any[]) =>
  expect(() => shown(message)).toThrow(expect.objectContaining({ code: 'invalid_payload' }))

describe('coins that move', () => {
  test('a send is its coins, with fee and memo', () => {
    const message = cosmosAny(MsgSend, { fromAddress: own, toAddress: friend, amount: [atom('2500000')] })
    const timeoutTimestamp = { seconds: 1_764_000_000n, nanos: 250_000_000 }
    expect(shown(message, { memo: 'hi', unordered: true, timeoutTimestamp })).toEqual({
      title: 'Send 2.5 ATOM',
      chain: 'cosmoshub',
      from: own,
      actions: [
        {
          kind: 'transfer',
          to: friend,
          asset: 'ATOM',
          amount: '2500000',
          amount_display: '2.5 ATOM',
          method: 'send',
          args: { memo: 'hi' },
        },
      ],
      fee: { asset: 'ATOM', amount: '5000' },
      warnings: [],
      expires_at: '2025-11-24T16:00:00.250Z',
    })
  })

  test('other denoms are assets of their own, with a symbol where it is certain', () => {
    const usdc = 'ibc/F663521BF1836B00F5F177680F74BFB9A8B5654A694D0D2BC249E03CF2509013'
    const amount = [{ denom: 'factory/x/token', amount: '7' }, { denom: usdc, amount: '1000000' }, atom('1')]
    const message = cosmosAny(MsgSend, { fromAddress: own, toAddress: friend, amount })
    const decoded = shown(message)
    expect(decoded.actions).toMatchObject([
      { asset: 'factory/x/token', amount: '7', amount_display: null },
      { asset: usdc, amount: '1000000', amount_display: '1 USDC' },
      { asset: 'ATOM', amount: '1', amount_display: '0.000001 ATOM' },
    ])
    expect(decoded.title).toBe('Send 7 factory/x/token and 2 more')
  })

  test('a fee above a tenth of what is sent is a warning, several coins of one too, and all of them are shown', () => {
    const message = cosmosAny(MsgSend, { fromAddress: own, toAddress: friend, amount: [atom('40000')] })
    const decoded = shown(message, { fee: [{ denom: 'ibc/AA', amount: '3' }, atom('5000')] })
    expect(decoded.fee).toEqual({ asset: 'ATOM', amount: '5000' })
    expect(decoded.actions).toMatchObject([
      { method: 'send' },
      { method: 'fee', asset: 'ibc/AA', amount: '3' },
    ])
    expect(decoded.warnings).toEqual([
      'The fee can reach 0.005 ATOM, above 10% of what is sent.',
      'The fee is paid in several coins.',
    ])
    expect(shown(message, { fee: [] }).fee).toEqual({ asset: 'ATOM', amount: '0' })
  })

  test('a fee out of the allowance of another is not the wallet’s', () => {
    const message = cosmosAny(MsgSend, { fromAddress: own, toAddress: friend, amount: [atom('1')] })
    const decoded = shown(message, { granter: friend })
    expect(decoded.fee).toBeNull()
    expect(decoded.warnings).toEqual([`The fee (0.005 ATOM) is paid by ${friend}.`])
    expect(shown(message, { granter: own }).fee).toEqual({ asset: 'ATOM', amount: '5000' })
  })

  test('a multi-send is a transfer to each recipient, of one sender', () => {
    const output = { address: friend, coins: [atom('1'), { denom: 'uother', amount: '2' }] }
    const input = { address: own, coins: [atom('2')] }
    const message = cosmosAny(MsgMultiSend, {
      inputs: [input],
      outputs: [output, { address: own, coins: [atom('1')] }],
    })
    expect(shown(message).actions).toMatchObject([
      { asset: 'ATOM', amount: '1', to: friend },
      { asset: 'uother', amount: '2', to: friend },
      { asset: 'ATOM', amount: '1', to: own },
    ])
    refused(cosmosAny(MsgMultiSend, { inputs: [input, input], outputs: [output] }))
    refused(cosmosAny(MsgMultiSend, { inputs: [], outputs: [output] }))
  })

  const ibc = (memo: string) =>
    cosmosAny(MsgTransfer, {
      sourcePort: 'transfer',
      sourceChannel: 'channel-141',
      token: atom('1000000'),
      sender: own,
      receiver: 'osmo1receiver',
      timeoutTimestamp: 1n,
      memo,
    })

  test('an IBC transfer names receiver and channel', () => {
    const decoded = shown(ibc('hi'))
    const args = { port: 'transfer', channel: 'channel-141', memo: 'hi' }
    expect(decoded.actions).toMatchObject([
      { kind: 'transfer', asset: 'ATOM', to: 'osmo1receiver', method: 'ibcTransfer', args },
    ])
    expect(decoded.warnings).toEqual([])
  })

  test('an IBC memo that can send the tokens on is of unknown effects', () => {
    const decoded = shown(ibc(' {"forward":{"receiver":"x"}}'))
    expect(decoded.actions).toMatchObject([{ kind: 'transfer' }, { kind: 'unknown', method: 'memo' }])
    expect(decoded.warnings).toHaveLength(1)
  })

  test('an account whose coins are released over time is a transfer', () => {
    const value = { fromAddress: own, toAddress: friend, amount: [atom('5')], endTime: 9n }
    expect(shown(cosmosAny(MsgCreateVestingAccount, value)).actions).toMatchObject([
      { kind: 'transfer', amount: '5', to: friend, args: { released_until: '9' } },
    ])
  })
})

describe('staking, rewards and votes', () => {
  const delegation = { delegatorAddress: own, validatorAddress: validator, amount: atom('1000000') }

  test('a delegation moves coins to its validator', () => {
    const decoded = shown(cosmosAny(MsgDelegate, delegation))
    expect(decoded).toMatchObject({
      title: 'Stake 1 ATOM',
      actions: [{ kind: 'transfer', asset: 'ATOM', amount: '1000000', to: validator }],
    })
  })

  test.each([
    ['Unstake 1 ATOM', MsgUndelegate, delegation, validator],
    ['Stake again 1 ATOM', MsgCancelUnbondingDelegation, { ...delegation, creationHeight: 5n }, validator],
    [
      'Move the stake of 1 ATOM',
      MsgBeginRedelegate,
      { ...delegation, validatorSrcAddress: validator, validatorDstAddress: validator },
      validator,
    ],
    ['Withdraw rewards', MsgWithdrawDelegatorReward, delegation, validator],
    [
      'Withdraw the commission of a validator',
      MsgWithdrawValidatorCommission,
      { validatorAddress: accountAddress('cosmosvaloper', publicKey) },
      accountAddress('cosmosvaloper', publicKey),
    ],
    [
      'Vote no with veto on proposal 7',
      MsgVote,
      { proposalId: 7n, voter: own, option: 4 },
      'cosmos10d07y265gmmuvt4z0w9aw880jnsr700j6zn9kn',
    ],
  ])('%s is a call', (title, type, value, to) => {
    expect(shown(cosmosAny(type, value))).toMatchObject({
      title,
      actions: [{ kind: 'call', to }],
      warnings: [],
    })
  })

  test('a gift to the community or a deposit on a proposal moves to the account of the module', () => {
    const given = cosmosAny(MsgFundCommunityPool, { depositor: own, amount: [atom('5')] })
    const [action] = effects(given)
    expect(action).toMatchObject({ kind: 'transfer', to: 'cosmos1jv65s3grqf6v6jl3dp4t6c9t9rk99cd88lyufl' })
    const gov = 'cosmos10d07y265gmmuvt4z0w9aw880jnsr700j6zn9kn'
    const deposit = cosmosAny(MsgDeposit, { depositor: own, proposalId: 3n, amount: [atom('5')] })
    expect(effects(deposit)).toMatchObject([
      { kind: 'transfer', amount: 5n, to: gov, args: { proposal: '3' } },
    ])
    const proposal = { proposer: own, initialDeposit: [atom('5')], title: 'Better', messages: [deposit] }
    expect(effects(cosmosAny(MsgSubmitProposal, proposal))).toMatchObject([
      { kind: 'transfer', amount: 5n, to: gov, args: { title: 'Better', content: MsgDeposit.typeUrl } },
    ])
  })

  test('rewards that go elsewhere are administrative', () => {
    const decoded = shown(
      cosmosAny(MsgSetWithdrawAddress, { delegatorAddress: own, withdrawAddress: friend }),
    )
    expect(decoded.actions).toMatchObject([{ kind: 'admin', to: friend }])
    expect(decoded.warnings).toEqual([`All staking rewards will go to ${friend}.`])
  })
})

describe('Osmosis', () => {
  const osmo = accountAddress('osmo', publicKey)
  const options = { chainId: 'osmosis-1', fee: [{ denom: 'uosmo', amount: '5' }] }
  const onOsmosis = (message: Any) => shown(message, options, 'osmosis')

  test('a swap is a call of what is given away at most', () => {
    const routes = [{ pool_id: 1n, token_out_denom: 'uion' }]
    const schema = protoSchema({
      sender: text,
      routes: list(embedded(protoSchema({ pool_id: u64, token_out_denom: text }))),
      token_in: embedded(coinSchema),
      token_out_min_amount: text,
    })
    const token_in = { denom: 'uosmo', amount: '1500000' }
    const value = writeMessage({ sender: osmo, routes, token_in, token_out_min_amount: '7' }, schema)
    for (const module of ['gamm', 'poolmanager']) {
      const decoded = onOsmosis({ typeUrl: `/osmosis.${module}.v1beta1.MsgSwapExactAmountIn`, value })
      expect(decoded).toMatchObject({
        title: 'Swap 1.5 OSMO',
        actions: [
          {
            kind: 'call',
            asset: 'OSMO',
            amount: '1500000',
            method: 'swap',
            args: { at_least: '7 uion', pools: '1' },
          },
        ],
        warnings: [],
      })
    }
  })

  test('a new authenticator is a takeover', () => {
    const schema = protoSchema({ sender: text, type: text })
    const value = writeMessage({ sender: osmo, type: 'SignatureVerification' }, schema)
    const decoded = onOsmosis({ typeUrl: '/osmosis.smartaccount.v1beta1.MsgAddAuthenticator', value })
    expect(decoded.actions).toMatchObject([{ kind: 'admin', args: { type: 'SignatureVerification' } }])
    expect(decoded.warnings[0]).toMatch(/^Account takeover/)
  })
})

describe('a message of a known type', () => {
  const value = cosmosAny(MsgSend, { fromAddress: own, toAddress: friend, amount: [atom('5')] }).value

  test('with a field that is not known is of unknown effects', () => {
    const decoded = shown({ typeUrl: MsgSend.typeUrl, value: Uint8Array.of(...value, 0x22, 1, 0x78) })
    expect(decoded.actions).toMatchObject([{ kind: 'unknown', method: MsgSend.typeUrl, to: null }])
    expect(decoded.warnings).toEqual(['The effects of this message are unknown.'])
  })

  test('that is not in its canonical encoding is refused', () => {
    const { typeUrl } = MsgSend
    refused({ typeUrl, value: Uint8Array.of(...value, 0x12, 1, 0x78) })
    refused({ typeUrl, value: value.subarray(0, -1) })
    refused({ typeUrl, value: Uint8Array.of(...value, 0x23) })
  })

  test('whose type is spelled another way is not that type', () => {
    expect(shown({ typeUrl: MsgSend.typeUrl.slice(1), value }).actions).toMatchObject([{ kind: 'unknown' }])
  })
})
