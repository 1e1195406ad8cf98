import { bech32 } from '@scure/base'
import { GenericAuthorization } from 'cosmjs-types/cosmos/authz/v1beta1/authz'
import { MsgExec, MsgGrant, MsgRevoke } from 'cosmjs-types/cosmos/authz/v1beta1/tx'
import { SendAuthorization } from 'cosmjs-types/cosmos/bank/v1beta1/authz'
import { MsgMultiSend, MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import {
  MsgFundCommunityPool,
  MsgSetWithdrawAddress,
  MsgWithdrawDelegatorReward,
  MsgWithdrawValidatorCommission,
} from 'cosmjs-types/cosmos/distribution/v1beta1/tx'
import {
  AllowedMsgAllowance,
  BasicAllowance,
  PeriodicAllowance,
} from 'cosmjs-types/cosmos/feegrant/v1beta1/feegrant'
import { MsgGrantAllowance, MsgRevokeAllowance } from 'cosmjs-types/cosmos/feegrant/v1beta1/tx'
import { MsgDeposit, MsgSubmitProposal, MsgVote } from 'cosmjs-types/cosmos/gov/v1/tx'
import { StakeAuthorization } from 'cosmjs-types/cosmos/staking/v1beta1/authz'
import {
  MsgBeginRedelegate,
  MsgCancelUnbondingDelegation,
  MsgDelegate,
  MsgUndelegate,
} from 'cosmjs-types/cosmos/staking/v1beta1/tx'
import { MsgCreateVestingAccount } from 'cosmjs-types/cosmos/vesting/v1beta1/tx'
import {
  MsgClearAdmin,
  MsgExecuteContract,
  MsgInstantiateContract,
  MsgMigrateContract,
  MsgUpdateAdmin,
} from 'cosmjs-types/cosmwasm/wasm/v1/tx'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import { MsgTransfer } from 'cosmjs-types/ibc/applications/transfer/v1/tx'
import { describe, expect, test } from 'vitest'
import { decodeIntentEffects, preview } from '../preview.ts'
import { embedded, list, protoSchema, text, u64 } from '../protobuf/proto-type.ts'
import { writeMessage } from '../protobuf/write-message.ts'
import { testKey } from '../testing/oracle-signer.ts'
import { cosmosAny, cosmosSignDoc } from '../testing/random-cosmos.fuzz.ts'
import { accountAddress } from './address.ts'
import { coinSchema } from './coins.ts'

const { publicKey } = testKey('secp256k1', 1)
const friendKey = testKey('secp256k1', 2).publicKey
const own = accountAddress('cosmos', publicKey)
const friend = accountAddress('cosmos', friendKey)
const validator = accountAddress('cosmosvaloper', friendKey)
const contract = bech32.encode('cosmos', bech32.toWords(new Uint8Array(32).fill(7)))
const atom = (amount: string) => ({ denom: 'uatom', amount })
const utf8 = (value: string) => new TextEncoder().encode(value)

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
    expect(decoded.fee).toEqual({ asset: 'ibc/AA', amount: '3' })
    expect(decoded.actions).toMatchObject([
      { method: 'send' },
      { method: 'fee', asset: 'ATOM', amount: '5000' },
    ])
    expect(decoded.warnings).toEqual([
      'The fee can reach 0.005 ATOM, above 10 % of what is sent.',
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

  test('what is given to the community or deposited on a proposal moves to the account of the module', () => {
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

describe('what others may do for the account', () => {
  const grant = (authorization: Any, expiration?: object) =>
    shown(cosmosAny(MsgGrant, { granter: own, grantee: friend, grant: { authorization, expiration } }))

  test.each([
    [cosmosAny(GenericAuthorization, { msg: MsgSend.typeUrl }), `any ${MsgSend.typeUrl}`],
    [cosmosAny(SendAuthorization, { spendLimit: [atom('1000000')] }), 'send up to 1 ATOM to anybody'],
    [
      cosmosAny(SendAuthorization, { spendLimit: [atom('5')], allowList: [own] }),
      `send up to 0.000005 ATOM to ${own}`,
    ],
    [cosmosAny(StakeAuthorization, { authorizationType: 1 }), 'stake, unstake or move stakes of any amount'],
    [{ typeUrl: '/other.Authorization', value: Uint8Array.of(1) }, '/other.Authorization'],
  ])('a grant is administrative and warned of: %#', (authorization, what) => {
    const decoded = grant(authorization, { seconds: 1_764_000_000n })
    expect(decoded.actions).toMatchObject([
      { kind: 'admin', to: friend, args: { authorization: what, expires: '2025-11-24T16:00:00.000Z' } },
    ])
    expect(decoded.warnings).toEqual([`Account takeover: ${friend} may act for this account: ${what}.`])
    expect(grant(authorization).actions[0]?.args).toMatchObject({ expires: 'never' })
  })

  test('an end of a grant is a call', () => {
    const value = { granter: own, grantee: friend, msgTypeUrl: MsgSend.typeUrl }
    expect(effects(cosmosAny(MsgRevoke, value))).toMatchObject([{ kind: 'call', to: friend }])
    expect(effects(cosmosAny(MsgRevokeAllowance, value))).toMatchObject([{ kind: 'call', to: friend }])
  })

  const exec = (...msgs: Any[]) => cosmosAny(MsgExec, { grantee: own, msgs })
  const theirs = cosmosAny(MsgSend, { fromAddress: friend, toAddress: own, amount: [atom('5')] })

  test('what is done for another is the effect of the other', () => {
    expect(effects(exec(theirs, { typeUrl: '/a.B', value: new Uint8Array(0) }))).toMatchObject([
      { kind: 'call', method: 'exec', from: own },
      { kind: 'transfer', from: friend, to: own, amount: 5n },
      { kind: 'unknown', method: '/a.B' },
    ])
  })

  test('four messages within each other are read, five refused', () => {
    expect(effects(exec(exec(exec(theirs))))).toHaveLength(4)
    refused(exec(exec(exec(exec(theirs)))))
  })

  const allow = (allowance: Any) =>
    shown(cosmosAny(MsgGrantAllowance, { granter: own, grantee: friend, allowance }))
  const basic = { spendLimit: [atom('2000000')] }
  test.each([
    ['basic', cosmosAny(BasicAllowance, basic)],
    ['periodic', cosmosAny(PeriodicAllowance, { basic, period: { seconds: 5n } })],
    ['limited to messages', cosmosAny(AllowedMsgAllowance, { allowance: cosmosAny(BasicAllowance, basic) })],
  ])('a %s allowance for fees is an approval of its limit', (_, allowance) => {
    const decoded = allow(allowance)
    expect(decoded.actions).toMatchObject([
      { kind: 'approval', asset: 'ATOM', amount: '2000000', amount_display: '2 ATOM', to: friend },
    ])
    expect(decoded.warnings).toEqual([])
  })

  test.each([
    ['without a limit', cosmosAny(BasicAllowance, {})],
    ['of another kind', { typeUrl: '/other.Allowance', value: Uint8Array.of(1) }],
  ])('an allowance %s is unlimited', (_, allowance) => {
    const decoded = allow(allowance)
    expect(decoded.actions).toMatchObject([{ kind: 'approval', amount: null, amount_display: 'unlimited' }])
    expect(decoded.warnings).toEqual([`Unlimited approval: ${friend} may spend all coins on fees.`])
  })
})

describe('contracts', () => {
  const execute = (msg: string | Uint8Array, funds = [] as object[]) =>
    cosmosAny(MsgExecuteContract, {
      sender: own,
      contract,
      msg: typeof msg === 'string' ? utf8(msg) : msg,
      funds,
    })
  const json = JSON.stringify

  test.each([
    ['transfer', { recipient: friend, amount: '5' }, 'transfer', 5n, own, friend],
    ['send', { contract, amount: '5', msg: 'e30=' }, 'transfer', 5n, own, contract],
    ['transfer_from', { owner: friend, recipient: own, amount: '5' }, 'transfer', 5n, friend, own],
    ['send_from', { owner: friend, contract, amount: '5', msg: '' }, 'transfer', 5n, friend, contract],
    [
      'increase_allowance',
      { spender: friend, amount: '5', expires: { never: {} } },
      'approval',
      5n,
      own,
      friend,
    ],
    ['decrease_allowance', { spender: friend, amount: '5' }, 'approval', 0n, own, friend],
    ['transfer_nft', { recipient: friend, token_id: 'a' }, 'transfer', 1n, own, friend],
    ['approve', { spender: friend, token_id: 'a' }, 'approval', 1n, own, friend],
    ['approve_all', { operator: friend }, 'approval', null, own, friend],
    ['revoke_all', { operator: friend }, 'approval', 0n, own, friend],
  ])('%s of a token contract is a token effect', (method, args, kind, amount, from, to) => {
    const decoded = effects(execute(json({ [method]: args })))
    expect(decoded).toMatchObject([
      {
        kind,
        asset: contract,
        amount,
        from,
        to,
        method,
        amountDisplay: amount === null ? 'unlimited' : null,
      },
    ])
  })

  test.each([
    ['an unknown method', json({ swap: {} })],
    ['another key', json({ transfer: { recipient: friend, amount: '5', extra: '' } })],
    ['a number for an amount', json({ transfer: { recipient: friend, amount: 5 } })],
    ['an amount of another spelling', json({ transfer: { recipient: friend, amount: '05' } })],
    [
      'a recipient of another chain',
      json({ transfer: { recipient: accountAddress('osmo', friendKey), amount: '5' } }),
    ],
    ['a key that stands twice', `{"transfer":{"recipient":"${own}","recipient":"${friend}","amount":"5"}}`],
    ['an escape that hides a key', `{"transfer":{"recipient":"${friend}","\\u0061mount":"5"}}`],
    ['two methods', json({ transfer: { recipient: friend, amount: '5' }, send: {} })],
    ['no JSON', 'transfer'],
    ['no text', Uint8Array.of(0xff)],
  ])('a call with %s is a call of unknown effects, with its funds', (_, msg) => {
    const message = execute(msg, [atom('9')])
    expect(shown(message).actions).toMatchObject([
      { kind: 'transfer', asset: 'ATOM', amount: '9', to: contract },
      { kind: 'call', asset: null, to: contract },
    ])
    expect(shown(message).warnings[0]).toMatch(/^The effects of .* are unknown\.$/)
  })

  test('a new contract is a call to nobody, who controls one is administrative', () => {
    const created = { sender: own, codeId: 5n, label: 'x', msg: utf8('{}'), funds: [atom('1')] }
    expect(effects(cosmosAny(MsgInstantiateContract, created))).toMatchObject([
      { kind: 'transfer', to: null, amount: 1n },
      { kind: 'call', to: null, args: { code_id: '5', label: 'x' } },
    ])
    for (const message of [
      cosmosAny(MsgMigrateContract, { sender: own, contract, codeId: 5n, msg: utf8('{}') }),
      cosmosAny(MsgUpdateAdmin, { sender: own, contract, newAdmin: friend }),
      cosmosAny(MsgClearAdmin, { sender: own, contract }),
    ]) {
      expect(effects(message)).toMatchObject([{ kind: 'admin', to: contract }])
      expect(shown(message).warnings).toHaveLength(1)
    }
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
