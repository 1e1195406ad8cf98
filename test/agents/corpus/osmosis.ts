import {
  cosmosAccountAddress as accountAddress,
  bytes,
  coinSchema,
  embedded,
  list,
  moduleAddress,
  protoSchema,
  text,
  u64,
  writeMessage,
} from '@symbolon/networks/testing/internals'
import { testKey } from '@symbolon/networks/testing/oracle-signer'
import { cosmosAny, cosmosSignDoc } from '@symbolon/networks/testing/random-cosmos.fuzz'
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import type { CorpusCase } from './corpus-case.ts'
import { session, type TransactionRow, transactionCases } from './transaction-cases.ts'

const { publicKey } = testKey('secp256k1', 1)
const own = accountAddress('osmo', publicKey)
const friend = accountAddress('osmo', testKey('secp256k1', 2).publicKey)
const pools = moduleAddress('osmo', 'poolmanager')
const osmo = (amount: number) => ({ denom: 'uosmo', amount: String(amount) })
const doc = (message: { typeUrl: string; value: Uint8Array }) =>
  cosmosSignDoc([message], publicKey, { chainId: 'osmosis-1', fee: [osmo(5000)] }).bytes

const swapSchema = protoSchema({
  sender: text,
  routes: list(embedded(protoSchema({ pool_id: u64, token_out_denom: text }))),
  token_in: embedded(coinSchema),
  token_out_min_amount: text,
})
const swap = (token_in: { denom: string; amount: string }) =>
  doc({
    typeUrl: '/osmosis.poolmanager.v1beta1.MsgSwapExactAmountIn',
    value: writeMessage(
      {
        sender: own,
        routes: [{ pool_id: 1n, token_out_denom: 'uatom' }],
        token_in,
        token_out_min_amount: '1',
      },
      swapSchema,
    ),
  })
const authenticator = () =>
  doc({
    typeUrl: '/osmosis.smartaccount.v1beta1.MsgAddAuthenticator',
    value: writeMessage(
      { sender: own, authenticator_type: 'SignatureVerification', data: publicKey },
      protoSchema({ sender: text, authenticator_type: text, data: bytes }),
    ),
  })
const send = (amount: number) =>
  doc(cosmosAny(MsgSend, { fromAddress: own, toAddress: friend, amount: [osmo(amount)] }))

const capped = session({ max_spend_per_tx_native: '1000', max_fee_per_tx_native: '5000' })
const pooled = (more = {}) =>
  session({
    allowed_contracts: [{ chain: 'osmosis', address: pools }],
    max_spend_per_tx_native: '1000',
    ...more,
  })
const cost = { 'native OSMO/6': 1000n, transactions: 1n }

const rows: readonly TransactionRow[] = [
  ['OSMO', () => send(1000), 'allowed', capped, cost],
  ['OSMO over the cap', () => send(1001), 'per_tx_cap_exceeded', capped],
  ['a swap', () => swap(osmo(1000)), 'contract_call_not_allowed', capped],
  ['a swap in the allowed pools', () => swap(osmo(1000)), 'allowed', pooled(), cost],
  ['a swap over the cap', () => swap(osmo(1001)), 'per_tx_cap_exceeded', pooled()],
  [
    'a swap of a token that is not listed',
    () => swap({ denom: 'uion', amount: '1' }),
    'token_not_allowed',
    pooled({ allowed_tokens: [] }),
  ],
  ['an authenticator', authenticator, 'account_admin_not_allowed', pooled()],
  [
    'the recipients of another chain',
    () => send(1),
    'recipient_not_allowed',
    session({ allowed_recipients: [accountAddress('cosmos', testKey('secp256k1', 2).publicKey)] }),
  ],
]

/** Osmosis: swaps in its pools, authenticators. */
export const osmosisCases: readonly CorpusCase[] = transactionCases('osmosis', rows)
