import type { KeyObject } from 'node:crypto'
import type { Curve } from '@symbolon/networks'
import type { Sql } from '../../../db/pool.ts'
import type { Organization } from '../../../http/principal.ts'
import type { Ids } from '../../../ports/clock.ts'
import type { RecoveryShareStore } from '../../../ports/recovery-share-store.ts'
import type { Audit } from '../../audit/index.ts'
import type { MailedCodes } from '../../mailed-codes/index.ts'
import type { Outbox } from '../../outbox/index.ts'
import type { ShareEnvelopes } from '../shares/share-envelopes.ts'
import type { ReadSharePair } from '../shares/share-pair.ts'
import type { SwitchShares } from '../shares/share-switch.ts'
import type { walletSharesStore } from '../shares/wallet-shares.store.ts'

/** What recovery stands on; `pepper` keys the hashes of what was offered. */
export type RecoveryPorts = {
  sql: Sql
  pepper: KeyObject
  ids: Ids
  audit: Audit
  outbox: Outbox
  codes: MailedCodes
  walletShares: typeof walletSharesStore
  provider: ShareEnvelopes
  recoveryShares: RecoveryShareStore
  readSharePair: ReadSharePair
  switchShares: SwitchShares
  enabledCurves: (organization: Organization) => ReadonlySet<Curve>
}
