import type { Wallet as WireWallet } from '@symbolon/api'
import type { Curve } from '@symbolon/networks'
import type { Queryable, Sql } from '../../../db/pool.ts'
import type { Identity, Organization, UserToken } from '../../../http/principal.ts'
import type { Ids } from '../../../ports/clock.ts'
import type { Enclave } from '../../../ports/enclave.ts'
import type { Audit } from '../../audit/index.ts'
import type { MailedCodes } from '../../mailed-codes/index.ts'
import type { Outbox, SealedRow } from '../../outbox/index.ts'
import type { SigningWallets } from '../core/signing-wallets.ts'
import type { MakeTeeWallet } from '../core/tee-wallet.ts'
import type { Wallet } from '../core/wallet.ts'
import type { NewWallet } from '../core/wallets.store.ts'

/** The user whose key it is. */
export type TransferCaller = { organization: Organization; identity: Identity; token: UserToken }

/** What key transfers stand on. */
export type KeyTransferPorts = {
  sql: Sql
  ids: Ids
  audit: Audit
  outbox: Outbox
  /** Inserts a sealed mail that leaves whenever it can. */
  queueMail: (tx: Queryable, mail: SealedRow) => Promise<void>
  codes: MailedCodes
  enclave: Enclave
  /** Wallets with the data key of their second share, as a signature needs them too. */
  readyWallets: SigningWallets
  makeTeeWallet: MakeTeeWallet
  /** Inserts the wallet unless its owner has one on the curve: then nothing. */
  insertWallet: (tx: Queryable, wallet: NewWallet) => Promise<Wallet | undefined>
  findWallet: (organizationId: string, identityId: string, curve: Curve) => Promise<Wallet | undefined>
  toWire: (wallet: Wallet) => WireWallet
  enabledCurves: (organization: Organization) => ReadonlySet<Curve>
}
