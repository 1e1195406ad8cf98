import { broadcastTx, prepareTx } from '@symbolon/api'
import { on } from '../../http/handler.ts'
import { broadcastTransaction, type EvmCtx, prepareTransaction } from './evm.ts'

/** The routes of EVM transactions; mounted only where an EVM chain is configured. */
export const evmRoutes = (ctx: EvmCtx) => [
  on(prepareTx, ({ principal, body }) => prepareTransaction(ctx, principal, body)),
  on(broadcastTx, ({ principal, body }) =>
    broadcastTransaction(ctx, principal, { chain: body.chain, rawTx: body.raw_tx }),
  ),
]
