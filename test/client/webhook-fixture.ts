import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPool, type Sql } from '@symbolon/server/pool'
import {
  kmsLocal,
  makeLocalKeys,
  outboundHttp,
  systemClock,
  systemRandom,
} from '@symbolon/server/testing/adapters'
import { auditWriter } from '@symbolon/server/testing/audit'
import { type PlatformKey, platformKey } from '@symbolon/server/testing/organizations'
import type { Kms, RecoveryShareRef, RecoveryShareStore } from '@symbolon/server/testing/ports'
import {
  deliverNotice,
  type OutboxWorker,
  orThrow,
  outbox,
  outboxWorker,
  setWebhook,
  type WebhookMessage,
  type WebhooksCtx,
  webhookShares,
} from '@symbolon/server/testing/webhooks'
import { testIds as ids, seedOrganization, testDatabase, testLog } from '@symbolon/testing/database'
import { type ReceivedCall, startWebhookReceiver, type WebhookReceiver } from '@symbolon/testing/http'

/** Who configures, in these tests. */
export const actor = { type: 'system', id: 'test' } as const
/** Where all shares of these tests are. */
export const place = { at: 'webhook' } as const
/** How long a receiver has for the store that is in a hurry. */
export const timeoutMs = 400

/** The webhook half of recovery on real parts, with one organization whose receiver it is. */
export type WebhookFixture = {
  sql: Sql
  log: ReturnType<typeof testLog>
  receiver: WebhookReceiver
  settings: WebhooksCtx
  store: RecoveryShareStore<{ at: 'webhook' }>
  /** The same, which waits no longer than `timeoutMs`. */
  hurriedStore: RecoveryShareStore<{ at: 'webhook' }>
  worker: OutboxWorker
  signing: PlatformKey
  organizationId: string
  /** The signing secret as it was answered when the webhook was made. */
  secret: string
  /** Sets the address again; the secret stays. */
  configure(url: string, encryptionKey?: Record<string, unknown>): Promise<void>
  refOf(changes?: Partial<RecoveryShareRef>): RecoveryShareRef
  lastCall(): ReceivedCall
  stop(): Promise<void>
}

/** Starts it; the worker of notices only when a test starts it. */
export async function makeWebhookFixture(): Promise<WebhookFixture> {
  const [database, receiver] = await Promise.all([testDatabase(), startWebhookReceiver()])
  const folder = mkdtempSync(join(tmpdir(), 'symbolon-webhook-'))
  const sql = openPool(database.url, { connectionsMax: 4 })
  const log = testLog()
  const keyFile = join(folder, 'kms.json')
  makeLocalKeys(keyFile)
  const kms = kmsLocal(keyFile)
  const { settings, store, hurriedStore, worker, signing } = webhookParts(sql, kms, log)
  const { id: organizationId } = await seedOrganization(sql)
  const input = { url: receiver.url }
  const { signingSecret = '' } = orThrow(await setWebhook(settings, organizationId, input, actor))
  return {
    sql,
    log,
    receiver,
    settings,
    store,
    hurriedStore,
    worker,
    signing,
    organizationId,
    secret: signingSecret,
    async configure(url, encryptionKey) {
      const input = { url, ...(encryptionKey && { encryptionKey }) }
      orThrow(await setWebhook(settings, organizationId, input, actor))
    },
    refOf: (changes = {}) => ({
      organizationId,
      userIdentityId: ids.next(),
      walletId: ids.next(),
      curve: 'secp256k1',
      polynomialVersion: 1,
      shareIndex: 3,
      ...changes,
    }),
    lastCall() {
      const call = receiver.calls.at(-1)
      if (call === undefined) throw new Error('The receiver was not called.')
      return call
    },
    async stop() {
      await worker.stop()
      await receiver.close()
      await sql.end({ timeout: 5 })
      await database.drop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The settings of webhooks, the store behind them, and the worker of their notices, as the wiring joins them. */
function webhookParts(sql: Sql, kms: Kms, log: WebhookFixture['log']) {
  const outbound = outboundHttp({ isLoopbackAllowed: true })
  const master: KeyObject = createSecretKey(randomBytes(32))
  const signing = platformKey(master)
  const sender = { outbound, sign: signing.sign }
  const calls = { sql, kms, clock: systemClock, ids, log, sender }
  const notices = outbox<WebhookMessage>({ master, kind: 'webhook', ids, onNudge: () => worker.nudge() })
  const worker = outboxWorker({
    sql,
    kind: 'webhook',
    deliver: (row) => deliverNotice(calls, notices.open(row)),
    log,
    random: () => 0,
  })
  const settings = {
    sql,
    audit: auditWriter({ sql, ids, log }),
    // Nobody owns this organization.
    notices: { queue: async () => {}, nudge() {} },
    random: systemRandom,
    calls,
  }
  const hurried = { ...calls, sender: { ...sender, timeoutMs } }
  return {
    settings,
    store: webhookShares({ calls, notices }),
    hurriedStore: webhookShares({ calls: hurried, notices }),
    worker,
    signing,
  }
}
