import type { BroadcastedTx, PreparedTx } from '../generated/answers.ts'
import type { BroadcastTx, EvmTransaction, PrepareTx } from '../generated/requests.ts'
import { failure, type Result } from '../result.ts'
import type { ApiCode, Context, WalletCode } from './context.ts'
import type { Sign } from './sign.ts'

type Sent = Result<
  BroadcastedTx,
  | ApiCode<'POST /v1/wallets/evm/prepare-tx'>
  | WalletCode<'POST /v1/wallets/me/sign'>
  | ApiCode<'POST /v1/wallets/evm/broadcast-tx'>
>

/** Transactions of the wallet itself on EVM chains. */
export type Evm = {
  /** Fills in nonce, gas and fees from the chain. */
  prepare(transaction: PrepareTx): Promise<Result<PreparedTx, ApiCode<'POST /v1/wallets/evm/prepare-tx'>>>
  /** Sends a signed EIP-1559 transaction of the wallet; sending it again does not send it twice. */
  broadcast(
    transaction: BroadcastTx,
  ): Promise<Result<BroadcastedTx, ApiCode<'POST /v1/wallets/evm/broadcast-tx'>>>
  /** Prepares, signs and sends. */
  send(transaction: PrepareTx): Promise<Sent>
}

/** The EVM transactions of a client. */
export function evm({ call }: Pick<Context, 'call'>, sign: Sign): Evm {
  const prepare: Evm['prepare'] = (body) => call('POST /v1/wallets/evm/prepare-tx', { body })
  const broadcast: Evm['broadcast'] = (body) => call('POST /v1/wallets/evm/broadcast-tx', { body })
  return {
    prepare,
    broadcast,
    async send(wanted) {
      const prepared = await prepare({ check_funds: true, ...wanted })
      if (prepared.error !== null) return prepared
      const signed = await sign.transaction(unsigned(prepared.data), { chain: wanted.chain })
      if (signed.error !== null) return signed
      const { signed_transaction } = signed.data
      if (typeof signed_transaction !== 'string')
        return failure('invalid_answer', 'The service sent an unreadable answer.')
      return broadcast({ chain: wanted.chain, raw_tx: signed_transaction })
    },
  }
}

/** The signed fields of a prepared transaction. */
export function unsigned({ chain: _chain, from: _from, ...fields }: PreparedTx): EvmTransaction {
  return fields
}
