import type { Audit } from '../features/audit/audit.ts'
import { chainsRoutes } from '../features/chains/chains.routes.ts'
import { evmRoutes } from '../features/evm/evm.routes.ts'
import { evm } from '../features/evm/evm.ts'
import { smartAccountsRoutes } from '../features/smart-accounts/smart-accounts.routes.ts'
import { type SmartAccounts, smartAccounts } from '../features/smart-accounts/smart-accounts.ts'
import { sponsorSpending } from '../features/userops/sponsorship.store.ts'
import { monthlyCapMicro } from '../features/userops/sponsorship.ts'
import { useropsRoutes } from '../features/userops/userops.routes.ts'
import { type UserOps, userops } from '../features/userops/userops.ts'
import { evmWalletsStore } from '../features/wallets/core/evm-wallets.store.ts'
import type { Bound } from '../http/handler.ts'
import type { AppOptions, Ports } from './app-ports.ts'
import type { Transactions } from './transactions.ts'

/** The service's part for EVM chains; agents use its accounts and operations too. */
export type Evm = { bound: Bound[]; accounts: SmartAccounts; operations: UserOps }

/** Builds what users and backends do on EVM chains: transactions, smart accounts, user operations. */
export function wireEvm(parts: {
  ports: Ports
  options: AppOptions
  audit: Audit
  transactions: Transactions
}): Evm {
  const { ports, options, audit, transactions } = parts
  const { sql, ids, random, log, prices, evm: chains, chainMetrics: metrics } = ports
  const wallets = evmWalletsStore(sql)
  const operations = userops({
    sql,
    evm: chains,
    prices,
    random,
    ids,
    audit,
    metrics,
    log,
    ...(options.userOpTimes && { times: options.userOpTimes }),
  })
  const spending = { spending: sponsorSpending, capMicro: monthlyCapMicro }
  const accounts = smartAccounts({ sql, ids, wallets, chains, audit, ...spending })
  const { broadcaster } = transactions
  return {
    bound: [
      // Without a configured chain, these paths are 404 (HTTP API "EVM transactions").
      ...(chains.size === 0 ? [] : evmRoutes(evm({ chains, wallets, audit, broadcaster, ids }))),
      ...smartAccountsRoutes(accounts),
      ...useropsRoutes(operations),
      ...chainsRoutes(chains),
    ],
    accounts,
    operations,
  }
}
