import { chainAddress, chainByHandle } from '@symbolon/networks/testing/by-intent'
import { cosmosAny, cosmosSignDoc } from '@symbolon/networks/testing/random-cosmos.fuzz'
import { MsgExec } from 'cosmjs-types/cosmos/authz/v1beta1/tx'
import { MsgMultiSend, MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { MsgExecuteContract } from 'cosmjs-types/cosmwasm/wasm/v1/tx'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import { worstMessages } from './messages.ts'
import { roomFor, times, transactionBytes, type WorstBody } from './worst-body.ts'

const room = roomFor(transactionBytes, 4 / 3) - 500

/** Cosmos sign documents of 192 KiB, direct and amino. */
export function worstCosmos(publicKey: Uint8Array): WorstBody[] {
  const chain = chainByHandle('cosmoshub')
  if (chain === undefined) throw new Error('cosmoshub is not a chain')
  const own = chainAddress(chain, publicKey)
  const direct = directOf(publicKey)
  const send = (count: number) =>
    cosmosAny(MsgSend, { fromAddress: own, toAddress: own, amount: coins(count) })
  const exec = (depth: number): Any =>
    depth === 0
      ? send(1)
      : cosmosAny(MsgExec, { grantee: own, msgs: times(depth === 1 ? 40 : 3, () => exec(depth - 1)) })
  return [
    direct(
      '256 payments',
      times(256, () => send(8)),
    ),
    direct('one payment of 4,000 coins', [send(4_000)]),
    direct('a payment to 1,600 addresses', [
      cosmosAny(MsgMultiSend, {
        inputs: [{ address: own, coins: coins(1) }],
        outputs: times(1_700, () => ({ address: own, coins: coins(1) })),
      }),
    ]),
    direct('authorizations within authorizations', [exec(3)]),
    direct('a memo of 190 KiB', [send(1)], { memo: 'x'.repeat(room - 500) }),
    direct('a contract call of many members', [
      cosmosAny(MsgExecuteContract, {
        sender: own,
        contract: own,
        msg: Buffer.from(JSON.stringify({ call: times(90_000, () => 1) })),
        funds: [],
      }),
    ]),
    amino(
      '250 payments',
      times(250, () => ({
        type: 'cosmos-sdk/MsgSend',
        value: { amount: coins(8), from_address: own, to_address: own },
      })),
    ),
    amino(
      'a memo of 190 KiB',
      [{ type: 'cosmos-sdk/MsgSend', value: { amount: coins(1), from_address: own, to_address: own } }],
      { memo: 'x'.repeat(room - 500) },
    ),
    amino('a message of 16,000 numbers', [
      {
        type: 'cosmos-sdk/MsgVote',
        value: { option: 1, proposal_id: '1', voter: own, x: times(16_300, () => 1) },
      },
    ]),
    ...worstMessages('cosmoshub'),
  ]
}

/** Sign documents of protobuf. */
const directOf =
  (publicKey: Uint8Array) =>
  (name: string, messages: Any[], more: Record<string, unknown> = {}): WorstBody => ({
    name: `sign document: ${name}`,
    body: {
      type: 'transaction',
      chain: 'cosmoshub',
      transaction: Buffer.from(cosmosSignDoc(messages, publicKey, more).bytes).toString('base64'),
    },
  })

/** A sign document of amino JSON. */
const amino = (name: string, msgs: object[], more: object = {}): WorstBody => ({
  name: `amino document: ${name}`,
  body: {
    type: 'transaction',
    chain: 'cosmoshub',
    sign_mode: 'amino_json',
    transaction: Buffer.from(
      JSON.stringify({
        account_number: '42',
        chain_id: 'cosmoshub-4',
        fee: { amount: [{ amount: '5000', denom: 'uatom' }], gas: '200000' },
        memo: '',
        msgs,
        sequence: '7',
        ...more,
      }),
    ).toString('base64'),
  },
})

const coins = (count: number) =>
  times(count, (i) => ({ amount: '1', denom: `ibc/${String(i).padStart(8, '0')}` }))
