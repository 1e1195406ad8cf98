import type { Curve } from '@symbolon/networks'
import type { Ports } from './app-ports.ts'
import type { Audit } from './features/audit/audit.ts'
import { drawCode } from './features/auth/email-code.ts'
import { keyExport } from './features/key-transfer/key-export.ts'
import { keyImport } from './features/key-transfer/key-import.ts'
import { keyTransferRoutes } from './features/key-transfer/key-transfer.routes.ts'
import { mailedCodes } from './features/mailed-codes/mailed-codes.ts'
import type { RecoveryModes } from './features/orgs/recovery-mode.ts'
import { localRecoveryShares } from './features/recovery/local-recovery-shares.ts'
import { recoveryRoutes } from './features/recovery/recovery.routes.ts'
import { recoveryStore } from './features/recovery/recovery.store.ts'
import { recovery } from './features/recovery/recovery.ts'
import { recoveryShares } from './features/recovery/recovery-shares.ts'
import { shareRefresh } from './features/shares/refresh-shares.ts'
import { shareEnvelopes } from './features/shares/share-envelopes.ts'
import { readSharePair } from './features/shares/share-pair.ts'
import { shareSwitch } from './features/shares/share-switch.ts'
import { sharesRoutes } from './features/shares/shares.routes.ts'
import { shares } from './features/shares/shares.ts'
import { walletSharesStore } from './features/shares/wallet-shares.store.ts'
import { type Signing, signing } from './features/signing/signing.ts'
import { signingWalletsStore } from './features/signing/signing-wallets.store.ts'
import { type SigningWallets, signingWallets } from './features/signing/signing-wallets.ts'
import { clientWalletMaker } from './features/wallets/client-wallet.ts'
import { enabledCurves } from './features/wallets/enabled-curves.ts'
import { orgWalletsRoutes } from './features/wallets/org-wallets.routes.ts'
import { teeWalletMaker } from './features/wallets/tee-wallet.ts'
import { walletToWire } from './features/wallets/wallet.ts'
import { walletById } from './features/wallets/wallet-by-id.ts'
import { walletOwners } from './features/wallets/wallet-owners.ts'
import { walletsRoutes } from './features/wallets/wallets.routes.ts'
import { walletsStore } from './features/wallets/wallets.store.ts'
import { wallets } from './features/wallets/wallets.ts'
import { webhookShares } from './features/webhooks/webhook-shares.ts'
import type { Bound } from './http/handler.ts'
import type { Limiter } from './http/limiter.ts'
import type { Mailroom } from './mailroom.ts'

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
