import { cosmosAccountAddress as accountAddress, encodeUtf8 } from '@symbolon/networks/testing/internals'
import { testKey } from '@symbolon/networks/testing/oracle-signer'
import { cosmosAny, cosmosSignDoc } from '@symbolon/networks/testing/random-cosmos.fuzz'
import { MsgExec, MsgGrant } from 'cosmjs-types/cosmos/authz/v1beta1/tx'
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { MsgExecuteContract } from 'cosmjs-types/cosmwasm/wasm/v1/tx'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import { MsgTransfer } from 'cosmjs-types/ibc/applications/transfer/v1/tx'
import { session } from './transaction-cases.ts'

type Coin = { denom: string; amount: string }
export type Options = Parameters<typeof cosmosSignDoc>[2]

export const { publicKey } = testKey('secp256k1', 1)
export const [friendKey, thiefKey, contractKey] = [2, 3, 4].map(
  (index) => testKey('secp256k1', index).publicKey,
) as [Uint8Array, Uint8Array, Uint8Array]
export const own = accountAddress('cosmos', publicKey)
export const friend = accountAddress('cosmos', friendKey)
export const thief = accountAddress('cosmos', thiefKey)
export const contract = accountAddress('cosmos', contractKey)
export const validator = accountAddress('cosmosvaloper', friendKey)
export const usdc = 'ibc/F663521BF1836B00F5F177680F74BFB9A8B5654A694D0D2BC249E03CF2509013'

export const atom = (amount: number | string): Coin => ({ denom: 'uatom', amount: String(amount) })
export const doc = (messages: Any[], options?: Options) => cosmosSignDoc(messages, publicKey, options).bytes
export const send = (amount: Coin[], toAddress = friend, fromAddress = own) =>
  cosmosAny(MsgSend, { fromAddress, toAddress, amount })
export const execute = (msg: unknown, funds: Coin[] = [], to = contract) =>
  cosmosAny(MsgExecuteContract, {
    sender: own,
    contract: to,
    msg: typeof msg === 'string' ? encodeUtf8(msg) : encodeUtf8(JSON.stringify(msg)),
    funds,
  })
export const exec = (...msgs: Any[]) => cosmosAny(MsgExec, { grantee: own, msgs })
export const nested = (depth: number): Any => (depth === 0 ? send([atom(1)]) : exec(nested(depth - 1)))
export const transfer = (memo = '', receiver = 'osmo1qqqq', amount = atom(1000)) =>
  cosmosAny(MsgTransfer, {
    sourcePort: 'transfer',
    sourceChannel: 'channel-141',
    token: amount,
    sender: own,
    receiver,
    timeoutHeight: { revisionNumber: 1n, revisionHeight: 9n },
    timeoutTimestamp: 0n,
    memo,
  })
export const fee = (coins: Coin[], more: Options = {}): Options => ({ fee: coins, ...more })

export const toFriend = session({ allowed_recipients: [friend] })
export const capped = session({ max_spend_per_tx_native: '1000', max_fee_per_tx_native: '6000' })
export const usdcOnly = session({ allowed_tokens: [{ chain: 'cosmoshub', token: usdc, max_per_tx: '500' }] })
export const cw20 = session({ allowed_tokens: [{ chain: 'cosmoshub', token: contract, max_per_tx: '500' }] })
export const allowed = (more = {}) =>
  session({ allowed_contracts: [{ chain: 'cosmoshub', address: contract }], ...more })
export const both = session({
  ...cw20.session,
  allowed_contracts: [{ chain: 'cosmoshub', address: contract }],
})
export const channel = (more = {}) =>
  session({ allowed_contracts: [{ chain: 'cosmoshub', address: 'transfer/channel-141' }], ...more })
export const cost = (amount: bigint) => ({ 'native ATOM/6': amount, transactions: 1n })
export const tokenCost = (id: string, amount: bigint) => ({
  [`token cosmoshub ${id}`]: amount,
  transactions: 1n,
})
export const grant = (authorization: Any) =>
  cosmosAny(MsgGrant, { granter: own, grantee: thief, grant: { authorization, expiration: undefined } })

/** An amino JSON document, its keys sorted as chains do. */
export function amino(msgs: readonly unknown[], amount: Coin[] = [atom(5000)]): Uint8Array {
  const sorted = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(sorted)
      : typeof value === 'object' && value !== null
        ? Object.fromEntries(
            Object.entries(value)
              .sort(([one], [other]) => (one < other ? -1 : 1))
              .map(([key, item]) => [key, sorted(item)]),
          )
        : value
  const fee = { amount, gas: '200000' }
  const document = { account_number: '1', chain_id: 'cosmoshub-4', fee, memo: '', msgs, sequence: '7' }
  return encodeUtf8(JSON.stringify(sorted(document)))
}
export const aminoSend = (amount: Coin[], to_address = friend) => ({
  type: 'cosmos-sdk/MsgSend',
  value: { from_address: own, to_address, amount },
})
