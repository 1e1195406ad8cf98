import type { Curve } from '@symbolon/networks'
import type { Audit } from '../features/audit/audit.ts'
import { drawCode } from '../features/auth/email-code.ts'
import { mailedCodes } from '../features/mailed-codes/mailed-codes.ts'
import type { RecoveryModes } from '../features/orgs/recovery-mode.ts'
import type { Signing } from '../features/signing/index.ts'
import { signing } from '../features/signing/signing.ts'
import { clientWalletMaker } from '../features/wallets/core/client-wallet.ts'
import { enabledCurves } from '../features/wallets/core/enabled-curves.ts'
import { orgWalletsRoutes } from '../features/wallets/core/org-wallets.routes.ts'
import { signingWalletsStore } from '../features/wallets/core/signing-wallets.store.ts'
import { type SigningWallets, signingWallets } from '../features/wallets/core/signing-wallets.ts'
import { teeWalletMaker } from '../features/wallets/core/tee-wallet.ts'
import { walletToWire } from '../features/wallets/core/wallet.ts'
import { walletById } from '../features/wallets/core/wallet-by-id.ts'
import { walletOwners } from '../features/wallets/core/wallet-owners.ts'
import { walletsRoutes } from '../features/wallets/core/wallets.routes.ts'
import { walletsStore } from '../features/wallets/core/wallets.store.ts'
import { wallets } from '../features/wallets/core/wallets.ts'
import { localRecoveryShares } from '../features/wallets/recovery/local-recovery-shares.ts'
import { recoveryRoutes } from '../features/wallets/recovery/recovery.routes.ts'
import { recoveryStore } from '../features/wallets/recovery/recovery.store.ts'
import { recovery } from '../features/wallets/recovery/recovery.ts'
import { recoveryShares } from '../features/wallets/recovery/recovery-shares.ts'
import { shareRefresh } from '../features/wallets/shares/refresh-shares.ts'
import { shareEnvelopes } from '../features/wallets/shares/share-envelopes.ts'
import { readSharePair } from '../features/wallets/shares/share-pair.ts'
import { shareSwitch } from '../features/wallets/shares/share-switch.ts'
import { sharesRoutes } from '../features/wallets/shares/shares.routes.ts'
import { shares } from '../features/wallets/shares/shares.ts'
import { walletSharesStore } from '../features/wallets/shares/wallet-shares.store.ts'
import { keyExport } from '../features/wallets/transfer/key-export.ts'
import { keyImport } from '../features/wallets/transfer/key-import.ts'
import { keyTransferRoutes } from '../features/wallets/transfer/key-transfer.routes.ts'
import { webhookShares } from '../features/webhooks/webhook-shares.ts'
import type { Bound } from '../http/handler.ts'
import type { Limiter } from '../http/limiter.ts'
import type { Ports } from './app-ports.ts'
import type { Mailroom } from './outbox.ts'

/** What the custody of keys is wired from. */
export type CustodyParts = {
  ports: Ports
  audit: Audit
  limiter: Limiter
  mailroom: Mailroom
  mode: RecoveryModes
}

/** The custody's routes; the signatures of users and backends, and the wallets that sign, which agents use too. */
export type Custody = { bound: Bound[]; signing: Signing; wallets: SigningWallets }

/** Wires what makes, keeps and uses keys: wallets, shares, recovery, transfers, signatures. */
export function wireCustody({ ports, audit, limiter, mailroom, mode }: CustodyParts): Custody {
  const { sql, kms, enclave, clock, ids, random } = ports
  const { pepper } = ports.secrets
  const { mails, calls, notices } = mailroom
  const provider = shareEnvelopes(kms, 'provider')
  const stores = recoveryShares({
    modeOf: mode.of,
    local: localRecoveryShares({ sql, ids, envelopes: shareEnvelopes(kms, 'recovery') }),
    webhook: webhookShares({ calls, notices, ids, clock }),
  })
  const switchShares = shareSwitch({ sql, pepper, ids, audit, provider, recoveryShares: stores })
  const makeTeeWallet = teeWalletMaker({ enclave, kms, ids })
  const readyWallets = signingWallets({ sql, kms })
  const codes = mailedCodes({ sql, pepper, random, limiter, drawCode: () => drawCode(random) })
  const transfers = {
    sql,
    ids,
    audit,
    outbox: mails,
    queueMail: recoveryStore.queueMail,
    codes,
    enclave,
    readyWallets,
    makeTeeWallet,
    insertWallet: walletsStore.insert,
    findWallet: async (organizationId: string, identityId: string, curve: Curve) =>
      (await walletsStore.byOwnerAndCurve(sql, organizationId, identityId, curve))?.wallet,
    toWire: walletToWire,
    enabledCurves,
  }
  const all = wallets({
    sql,
    audit,
    makeTeeWallet,
    makeClientWallet: clientWalletMaker({ ids, provider, recoveryShares: stores, readSharePair }),
    insertShares: walletSharesStore.insert,
    findOwner: walletOwners({ sql, ids }),
  })

  const bound = [
    ...walletsRoutes(all),
    ...orgWalletsRoutes(all),
    ...sharesRoutes(
      shares({ sql, audit, provider, enabledCurves }),
      shareRefresh({
        sql,
        audit,
        readSharePair,
        switchShares,
        enabledCurves,
        endRecoveries: recoveryStore.endAll,
        readWallet: walletById,
      }),
    ),
    ...recoveryRoutes(
      recovery({
        sql,
        pepper,
        ids,
        audit,
        outbox: mails,
        codes,
        walletShares: walletSharesStore,
        provider,
        recoveryShares: stores,
        readSharePair,
        switchShares,
        enabledCurves,
      }),
    ),
    ...keyTransferRoutes({ exports: keyExport(transfers), imports: keyImport(transfers) }),
  ]
  const signatures = signing({
    walletIds: {
      of: (organization, identity, curve) => signingWalletsStore.idOf(sql, organization, identity, curve),
    },
    wallets: readyWallets,
    enclave,
    audit,
    random,
  })
  return { bound, signing: signatures, wallets: readyWallets }
}
