import { bech32 } from '@scure/base'
import { GenericAuthorization } from 'cosmjs-types/cosmos/authz/v1beta1/authz'
import { MsgExec, MsgGrant, MsgRevoke } from 'cosmjs-types/cosmos/authz/v1beta1/tx'
import { SendAuthorization } from 'cosmjs-types/cosmos/bank/v1beta1/authz'
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import {
  AllowedMsgAllowance,
  BasicAllowance,
  PeriodicAllowance,
} from 'cosmjs-types/cosmos/feegrant/v1beta1/feegrant'
import { MsgGrantAllowance, MsgRevokeAllowance } from 'cosmjs-types/cosmos/feegrant/v1beta1/tx'
import { StakeAuthorization } from 'cosmjs-types/cosmos/staking/v1beta1/authz'
import {
  MsgClearAdmin,
  MsgExecuteContract,
  MsgInstantiateContract,
  MsgMigrateContract,
  MsgUpdateAdmin,
} from 'cosmjs-types/cosmwasm/wasm/v1/tx'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import { describe, expect, test } from 'vitest'
import { decodeIntentEffects, preview } from '../testing/by-intent.ts'
import { testKey } from '../testing/oracle-signer.ts'
import { cosmosAny, cosmosSignDoc } from '../testing/random-cosmos.fuzz.ts'
import { accountAddress } from './address.ts'

const { publicKey } = testKey('secp256k1', 1)
const friendKey = testKey('secp256k1', 2).publicKey
const own = accountAddress('cosmos', publicKey)
const friend = accountAddress('cosmos', friendKey)
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

describe('the rights of others over the account are decoded', () => {
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

  test('messages executed for another account are effects of that account', () => {
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

  test('a new contract is a call to nobody, and a migration or a change of its admin is administrative', () => {
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
