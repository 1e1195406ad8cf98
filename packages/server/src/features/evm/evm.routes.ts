import { broadcastTx, prepareTx } from '@symbolon/api'
import { on } from '../../http/handler.ts'
import type { Evm } from './evm.ts'

/** The routes of EVM transactions; mounted only where an EVM chain is wired. */
export const evmRoutes = (evm: Evm) => [
  on(prepareTx, ({ caller, body, fail }) => evm.prepareTx(caller, body, fail)),

  on(broadcastTx, ({ caller, body, fail }) => evm.broadcastTx(caller, body.chain, body.raw_tx, fail)),
]
