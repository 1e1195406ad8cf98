import { evmChainsHttp, promMetrics, systemClock } from '@symbolon/server/testing/adapters'
import { auditWriter } from '@symbolon/server/testing/audit'
import type { UserToken } from '@symbolon/server/testing/http'
import { broadcaster, broadcastsStore } from '@symbolon/server/testing/transactions'
import { forgetRates } from '@symbolon/testing/app'
import { testIds, untilWaiting } from '@symbolon/testing/database'
import {
  codeOf,
  startTransactionFixture,
  stranger,
  type TransactionFixture,
  txEventTypes,
  type WalletOwner,
} from '@symbolon/testing/evm'
import { type Hex, keccak256 } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

let fixture: TransactionFixture

beforeAll(async () => {
  fixture = await startTransactionFixture()
})
afterAll(() => fixture?.stop())
beforeEach(async () => {
  fixture.proxy.heal()
  await forgetRates(fixture.app)
})

describe('an archived wallet', () => {
  const archive = ({ wallet }: WalletOwner) =>
    fixture.app.call('POST', `/v1/s2s/wallets/${wallet.id}/archive`, { sk: fixture.tenant.sk })

  test('neither prepares nor sends', async () => {
    const owner = await fixture.newOwner()
    const { raw } = await fixture.signedTransfer(owner)
    await archive(owner)
    expect(codeOf(await fixture.prepare(owner, { to: stranger.address }))).toBe('409 wallet_archived')
    expect(codeOf(await fixture.broadcast(owner, raw))).toBe('409 wallet_archived')
    expect(await fixture.node.call('eth_getTransactionCount', [owner.address, 'latest'])).toBe('0x0')
    const refused = (await fixture.eventsOf(owner)).filter(({ success }) => !success)
    expect(refused.map(({ type, error_code }) => [type, error_code])).toEqual([
      [txEventTypes.prepared, 'wallet_archived'],
      [txEventTypes.broadcast, 'wallet_archived'],
    ])
  })

  test('that is archived while the node is asked does not get its answer', async () => {
    const owner = await fixture.newOwner()
    fixture.proxy.fault('eth_getTransactionCount', { kind: 'delay', ms: 500 })
    const asked = fixture.proxy.calls('eth_getTransactionCount')
    const preparing = fixture.prepare(owner, { to: stranger.address })
    await expect.poll(() => fixture.proxy.calls('eth_getTransactionCount')).toBeGreaterThan(asked)
    await archive(owner)
    expect(codeOf(await preparing)).toBe('409 wallet_archived')
  })

  test('sends nothing that was not under way when the archiving began', async () => {
    const owner = await fixture.newOwner()
    const { raw } = await fixture.signedTransfer(owner)
    // The row that archiving waits for: as a broadcast stands in the database just before it is written.
    await fixture.app.sql
      .begin(async (tx) => {
        await tx`select 1 from wallets where id = ${owner.wallet.id} for update`
        const sending = fixture.broadcast(owner, raw)
        await untilWaiting(fixture.app)
        await tx`update wallets set status = 'archived', archived_at = now() where id = ${owner.wallet.id}`
        return { sending }
      })
      .then(async ({ sending }) => expect(codeOf(await sending)).toBe('409 wallet_archived'))
    expect((await fixture.eventsOf(owner)).at(-1)).toMatchObject({
      type: txEventTypes.broadcast,
      success: false,
      error_code: 'wallet_archived',
    })
    expect(await fixture.node.call('eth_getTransactionCount', [owner.address, 'latest'])).toBe('0x0')
  })
})

/** A broadcast as it is written before it is sent; due for others at once. */
async function writeBroadcast(owner: WalletOwner, raw: Hex, token: Partial<UserToken> = {}) {
  const broadcast = {
    id: testIds.next(),
    organizationId: fixture.tenant.id,
    walletId: owner.wallet.id,
    userIdentityId: owner.user.id,
    chain: 'local',
    txHash: keccak256(raw),
    rawTx: Buffer.from(raw.slice(2), 'hex'),
  }
  const alive = { hash: '00'.repeat(32), expiresAt: new Date(Date.now() + 60_000).toISOString() }
  return broadcastsStore.insert(
    fixture.app.sql,
    broadcast,
    { ...alive, ...token },
    { leaseMs: -1, holder: testIds.next() },
  )
}

test('a token that was ended or is past begins no broadcast', async () => {
  const owner = await fixture.newOwner()
  const { raw } = await fixture.signedTransfer(owner)
  const hash = 'ab'.repeat(32)
  await fixture.app
    .sql`insert into revoked_tokens values (${fixture.tenant.id}, decode(${hash}, 'hex'), now() + interval '1 hour')`
  expect(await writeBroadcast(owner, raw, { hash })).toBe('token_revoked')
  expect(await writeBroadcast(owner, raw, { expiresAt: new Date().toISOString() })).toBe('token_expired')
  expect(await fixture.app.sql`select 1 from broadcasts where wallet_id = ${owner.wallet.id}`).toEqual([])
})

describe('a process that died while it sent', () => {
  async function leftBehind(owner: WalletOwner) {
    const { raw } = await fixture.signedTransfer(owner)
    expect(await writeBroadcast(owner, raw)).toBe(undefined)
    return { raw, txHash: keccak256(raw) }
  }
  async function takeOver() {
    const { sql, log } = fixture.app
    const { evm, close } = evmChainsHttp(fixture.wired(), {
      metrics: promMetrics().chains,
      clock: systemClock,
      log,
    })
    const others = [0, 1, 2].map(() => {
      const audit = auditWriter({ sql, ids: testIds, log })
      return broadcaster({ sql, chains: evm, audit, log, holder: testIds.next() })
    })
    await Promise.all(others.map((other) => other.takeOver()))
    close()
  }
  const broadcastEvents = async (owner: WalletOwner) =>
    (await fixture.eventsOf(owner)).filter(({ type }) => type === txEventTypes.broadcast)

  test('leaves what others send, once, and report once', async () => {
    const owner = await fixture.newOwner()
    const { txHash } = await leftBehind(owner)
    const sends = fixture.proxy.calls('eth_sendRawTransaction')
    await takeOver()
    expect(fixture.proxy.calls('eth_sendRawTransaction')).toBe(sends + 1)
    expect(await fixture.receiptOf(txHash)).toMatchObject({ status: '0x1' })
    expect(await broadcastEvents(owner)).toMatchObject([
      { success: true, payload: { chain: 'local', tx_hash: txHash } },
    ])
    await takeOver()
    expect(await broadcastEvents(owner)).toHaveLength(1)
  })

  test('leaves what had arrived already, reported as sent', async () => {
    const owner = await fixture.newOwner()
    const { raw } = await leftBehind(owner)
    await fixture.node.call('eth_sendRawTransaction', [raw])
    await takeOver()
    expect(await broadcastEvents(owner)).toMatchObject([{ success: true }])
  })

  test('leaves it until a node answers', async () => {
    const owner = await fixture.newOwner()
    await leftBehind(owner)
    fixture.proxy.fault('eth_sendRawTransaction', { kind: 'cut' })
    await takeOver()
    expect(await broadcastEvents(owner)).toEqual([])
    fixture.proxy.heal()
    await fixture.app.sql`update broadcasts set next_attempt_at = now()`
    await takeOver()
    expect(await broadcastEvents(owner)).toMatchObject([{ success: true }])
  })

  test('leaves nothing to be sent for a wallet that is archived since', async () => {
    const owner = await fixture.newOwner()
    await leftBehind(owner)
    await fixture.app.call('POST', `/v1/s2s/wallets/${owner.wallet.id}/archive`, { sk: fixture.tenant.sk })
    await takeOver()
    expect(await fixture.node.call('eth_getTransactionCount', [owner.address, 'latest'])).toBe('0x0')
    expect(await broadcastEvents(owner)).toMatchObject([{ success: false, error_code: 'wallet_archived' }])
  })

  test('is reported once, also if it was only slow and another one took over', async () => {
    const owner = await fixture.newOwner()
    await leftBehind(owner)
    fixture.proxy.fault('eth_sendRawTransaction', { kind: 'delay', ms: 500 }, 1)
    const sends = fixture.proxy.calls('eth_sendRawTransaction')
    const slow = takeOver()
    await expect.poll(() => fixture.proxy.calls('eth_sendRawTransaction')).toBeGreaterThan(sends)
    await fixture.app.sql`update broadcasts set next_attempt_at = now()`
    await Promise.all([takeOver(), slow])
    expect(await broadcastEvents(owner)).toMatchObject([{ success: true }])
  })
})
