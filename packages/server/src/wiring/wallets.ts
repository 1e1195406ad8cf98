import type { Audit } from '../features/audit/audit.ts'
import type { LinksCtx } from '../features/mailed-links/index.ts'
import { recoveryModeOf } from '../features/orgs/index.ts'
import type { HeldReceiptsCtx } from '../features/receipts/index.ts'
import type { UserSigningCtx } from '../features/signing/index.ts'
import { orgWalletsRoutes } from '../features/wallets/core/org-wallets.routes.ts'
import { type SigningWallets, signingWallets } from '../features/wallets/core/signing-wallets.ts'
import { walletsRoutes } from '../features/wallets/core/wallets.routes.ts'
import { localRecoveryShares } from '../features/wallets/recovery/local-recovery-shares.ts'
import { recoveryRoutes } from '../features/wallets/recovery/recovery.routes.ts'
import { recoveryShares } from '../features/wallets/recovery/recovery-shares.ts'
import { sharesRoutes } from '../features/wallets/shares/shares.routes.ts'
import { keyTransferRoutes } from '../features/wallets/transfer/key-transfer.routes.ts'
import { webhookShares } from '../features/webhooks/webhook-shares.ts'
import type { Bound } from '../http/handler.ts'
import type { Limiter } from '../http/limiter.ts'
import type { FairTurns } from '../runtime/fair-turns.ts'
import type { AppOptions, Ports } from './app-ports.ts'
import type { Outboxes } from './outbox.ts'

/** What the custody of keys is wired from. */
export type CustodyParts = {
  ports: Ports
  audit: Audit
  limiter: Limiter
  turns: FairTurns
  receipts: HeldReceiptsCtx
  outboxes: Outboxes
  links: LinksCtx
  processId: string
} & { options: Pick<AppOptions, 'claimedFrame'> }

/** The custody's routes; what users and backends sign with, and the wallets that sign, which agents use too. */
export type Custody = { bound: Bound[]; signing: UserSigningCtx; wallets: SigningWallets }

/** Wires what makes, keeps and uses keys: wallets, shares, recovery, transfers, signatures. */
export function wireCustody(parts: CustodyParts): Custody {
  const { ports, audit, limiter, turns, outboxes, links, processId: holder } = parts
  const { claimedFrame } = parts.options
  const { sql, kms, enclave, ids, random } = ports
  const { pepper } = ports.secrets
  const { mails, calls, notices } = outboxes
  const stores = recoveryShares({
    modeOf: (organizationId) => recoveryModeOf(sql, organizationId),
    local: localRecoveryShares({ sql, ids, kms }),
    webhook: webhookShares({ calls, notices }),
  })
  const wallets = signingWallets({ sql, kms })
  const codes = { sql, pepper, random, limiter }
  const delay = { sql, pepper, links, outbox: mails }
  const shares = { sql, pepper, attempts: { ids, holder }, audit, kms, recoveryShares: stores }
  return {
    bound: [
      ...walletsRoutes({ sql, audit, ids, kms, enclave, recoveryShares: stores, claimedFrame }),
      ...orgWalletsRoutes({ sql, audit, enclave }),
      ...sharesRoutes(shares),
      ...recoveryRoutes({ shares, codes, outbox: mails, delay }),
      ...keyTransferRoutes({ sql, audit, codes, tee: { enclave, kms, ids }, wallets, delay }),
    ],
    signing: { sql, wallets, enclave, ledger: { audit, receipts: parts.receipts }, random, turns },
    wallets,
  }
}
