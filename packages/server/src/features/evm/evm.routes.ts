import { broadcastTx, prepareTx } from '@symbolon/api'
import { on } from '../../http/handler.ts'
import type { Evm } from './evm.ts'

/** The routes of EVM transactions; mounted only where an EVM chain is wired. */
export const evmRoutes = (evm: Evm) => [
  on(prepareTx, ({ principal, body, fail }) => evm.prepareTx(principal, body, fail)),

  on(broadcastTx, ({ principal, body, fail }) => evm.broadcastTx(principal, body.chain, body.raw_tx, fail)),
]
