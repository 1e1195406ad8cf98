import { randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { keyRing } from '@symbolon/crypto/node'
import { enclaveSocket } from '@symbolon/server/testing/adapters'
import type { Enclave } from '@symbolon/server/testing/ports'
import {
  type EnclaveProcess,
  makeGrant,
  makeTeeWallet,
  startEnclaveProcess,
  type TeeWallet,
  transferIntent,
} from '@symbolon/testing/enclave'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

// What a host that lies about the state gets from the enclave, by the API's own channel.

const ring = keyRing({ purpose: 'tee-b', keyId: 'test', keys: [randomBytes(32)] })
let child: EnclaveProcess
let enclave: Enclave
let wallet: TeeWallet

beforeAll(async () => {
  child = await startEnclaveProcess()
  enclave = enclaveSocket(child.client)
})
beforeEach(async () => {
  wallet = await makeTeeWallet(enclave, ring, 'secp256k1')
})
afterAll(async () => {
  await enclave?.close()
  await child?.stop()
})

const transfer = (value: bigint) => transferIntent({ chain: 'base', to: `0x${'5e'.repeat(20)}`, value })
const shares = () => ({ shareA: wallet.shareA, shareB: wallet.shareB })
const older = (rolledBack: string) => expect.objectContaining({ code: 'state_rolled_back', rolledBack })

test('a clock of the request that is slow gives a session no more time than the enclave’s own', async () => {
  const session = { expires_at: new Date(Date.now() - 1000).toISOString() }
  const grant = await makeGrant(enclave, wallet, { session })
  const asked = { ...grant, intent: transfer(1n), nowMs: 1 }
  await expect(enclave.evaluate(asked)).rejects.toMatchObject({ code: 'expired' })
  await expect(enclave.agentSign({ ...asked, ...shares() })).rejects.toMatchObject({ code: 'expired' })
})

test('what was evaluated in time is not signed once the session is over by the enclave’s own clock', async () => {
  const endsMs = Date.now() + 1_000
  const grant = await makeGrant(enclave, wallet, { session: { expires_at: new Date(endsMs).toISOString() } })
  const asked = { ...grant, intent: transfer(1n), nowMs: 1 }
  expect((await enclave.evaluate(asked)).refusal).toBeNull()
  await setTimeout(endsMs - Date.now() + 1)
  await expect(enclave.agentSign({ ...asked, ...shares() })).rejects.toMatchObject({ code: 'expired' })
})

test('what was evaluated is not signed once the enclave saw later rules', async () => {
  const grant = await makeGrant(enclave, wallet)
  const under = (rules: number) => ({
    ...grant,
    versions: { rules, agentId: null, agent: 0 },
    intent: transfer(1n),
  })
  expect((await enclave.evaluate(under(6))).refusal).toBeNull()
  expect((await enclave.evaluate(under(7))).refusal).toBeNull()
  await expect(enclave.agentSign({ ...under(6), ...shares() })).rejects.toEqual(older('rules'))
  expect((await enclave.agentSign({ ...under(7), ...shares() })).refusal).toBeNull()
})

test('a host without a database gets no more signatures than the caps of a session allow in all', async () => {
  const grant = await makeGrant(enclave, wallet, { session: { max_tx_count: 3 } })
  const outcomes = await Promise.all(
    Array.from({ length: 40 }, (_, i) =>
      enclave.agentSign({ ...grant, ...shares(), intent: transfer(BigInt(i)) }).then(
        ({ refusal }) => refusal?.reason ?? 'signed',
        ({ rolledBack }) => rolledBack,
      ),
    ),
  )
  expect(outcomes.filter((outcome) => outcome === 'signed')).toHaveLength(3)
  expect(outcomes.filter((outcome) => outcome === 'budget')).toHaveLength(37)
})

test('notes end a session and stop a wallet in every lane, receipts included', async () => {
  const { organizationId, walletId } = wallet
  const grant = await makeGrant(enclave, wallet)
  const asked = { ...grant, ...shares(), intent: transfer(1n) }
  const receipt = { spentBefore: [] }
  expect((await enclave.agentSign(asked)).refusal).toBeNull()
  const note = (kind: 'wallet_archived' | 'wallet_active', order: number) =>
    enclave.note({ organizationId, kind, id: walletId, order, endsAtMs: null })
  await note('wallet_archived', 5)
  await expect(enclave.agentSign(asked)).rejects.toEqual(older('wallet'))
  await expect(enclave.agentSign({ ...asked, receipt })).rejects.toEqual(older('wallet'))
  await expect(enclave.sign({ ...wallet, intent: asked.intent })).rejects.toEqual(older('wallet'))
  await expect(enclave.sign({ ...wallet, intent: asked.intent, receipt: true })).rejects.toEqual(
    older('wallet'),
  )
  await note('wallet_active', 6)
  expect((await enclave.agentSign(asked)).refusal).toBeNull()
  const { sessionId: id } = grant
  await enclave.note({ organizationId, kind: 'session_revoked', id, order: 7, endsAtMs: null })
  for (const policyVersion of [1, 2]) {
    const rejected = policyVersion === 1 ? older('session') : expect.objectContaining({ code: 'refused' })
    await expect(enclave.agentSign({ ...asked, policyVersion })).rejects.toEqual(rejected)
    await expect(enclave.evaluate({ ...asked, policyVersion })).rejects.toEqual(rejected)
  }
})
