import type { Audit } from '../features/audit/audit.ts'
import { chainsRoutes } from '../features/chains/chains.routes.ts'
import { evmRoutes } from '../features/evm/evm.routes.ts'
import { smartAccountsRoutes } from '../features/smart-accounts/smart-accounts.routes.ts'
import type { SmartAccountsCtx } from '../features/smart-accounts/smart-accounts.ts'
import { useropsRoutes } from '../features/userops/userops.routes.ts'
import { evmWalletsStore } from '../features/wallets/core/evm-wallets.store.ts'
import type { Bound } from '../http/handler.ts'
import type { FairTurns } from '../runtime/fair-turns.ts'
import type { AppOptions, Ports } from './app-ports.ts'
import type { Transactions } from './transactions.ts'
import { type UserOps, wireUserOps } from './userops.ts'

/** The service's part for EVM chains; agents use its accounts and operations too. */
export type Evm = { bound: Bound[]; accounts: SmartAccountsCtx; operations: UserOps }

/** Builds what users and backends do on EVM chains: transactions, smart accounts, user operations. */
export function wireEvm(parts: {
  ports: Ports
  options: AppOptions
  audit: Audit
  transactions: Transactions
  processId: string
  turns: FairTurns
}): Evm {
  const { ports, options, audit, transactions, turns } = parts
  const { sql, ids, evm: chains } = ports
  const wallets = evmWalletsStore(sql)
  const operations = wireUserOps(ports, parts, options.userOpTimes)
  const accounts = { sql, ids, wallets, chains, audit }
  const { broadcaster } = transactions
  return {
    bound: [
      // Without a configured chain, these paths are 404 (HTTP API "EVM transactions").
      ...(chains.size === 0 ? [] : evmRoutes({ chains, wallets, audit, broadcaster, ids, turns })),
      ...smartAccountsRoutes(accounts),
      ...useropsRoutes(operations),
      ...chainsRoutes(chains),
    ],
    accounts,
    operations,
  }
}
