import { join } from 'node:path'
import { agentTokenKey } from '@symbolon/crypto/node'
import {
  enclaveSocket,
  evmChainsHttp,
  kmsLocal,
  promMetrics,
  systemClock,
  systemIds,
  systemRandom,
} from '@symbolon/server/testing/adapters'
import { agentSend, receiptKeys, type SigningCtx, sentToWire } from '@symbolon/server/testing/agents'
import { type Ports, wireAuthorizer, wireTransactions } from '@symbolon/server/testing/app'
import { auditWriter } from '@symbolon/server/testing/audit'
import type { AgentSessionPrincipal, Organization } from '@symbolon/server/testing/http'
import { signingWallets } from '@symbolon/server/testing/wallets'
import { anyAddress, mintSession, mySession, roomForFees } from '@symbolon/testing/agents'
import { makeTenant, makeWalletFor, startTestApp, type Tenant, type TestApp } from '@symbolon/testing/app'
import { type SharedChain, sharedChain } from '@symbolon/testing/chain'
import type { Hex } from 'viem'
import { parseEther } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'

let app: TestApp
let chain: SharedChain
let tenant: Tenant
let authorizers: SigningCtx[]
let stopped: (() => Promise<void>)[]

beforeAll(async () => {
  ;[chain, app] = await Promise.all([sharedChain(), startTestApp()])
  tenant = await makeTenant(app)
  stopped = []
  authorizers = [newAuthorizer(), newAuthorizer()]
})
afterAll(async () => {
  for (const stop of stopped ?? []) await stop()
  await app?.stop()
})

/** The authorizer of a further process, as its runs use it. */
function newAuthorizer(): SigningCtx {
  const { sql, log, enclaveProcess, folder } = app
  const enclave = enclaveSocket(enclaveProcess.client)
  const wired = [{ handle: 'local', rpcUrls: [chain.rpcUrl], confirmations: 1 }]
  const chains = evmChainsHttp(wired, { metrics: promMetrics().chains, clock: systemClock, log })
  stopped.push(async () => {
    chains.close()
    await enclave.close()
  })
  const ids = systemIds()
  const ports = { sql, log, enclave, ids, random: systemRandom, evm: chains.evm } as unknown as Ports
  const wallets = signingWallets({ sql, kms: kmsLocal(join(folder, 'kms.json')) })
  const audit = auditWriter({ sql, ids, log })
  return wireAuthorizer({
    ports,
    audit,
    custody: { wallets },
    transactions: wireTransactions(ports, audit, ids.next()),
    attempts: { current: () => undefined },
    receipts: { audit, keys: receiptKeys({ sql, enclave }) },
    turns: { run: async (_, work) => work() },
  })
}

test('the same key is the same transaction, asked at once by two processes and again later', async () => {
  const wallet = await makeWalletFor(app, tenant)
  await chain.fund(wallet.address as Hex, parseEther('1'))
  const { token, id } = await mintSession(app, tenant, wallet.id, roomForFees)
  const organization = { id: tenant.id, supportedNetworks: ['evm'] } as unknown as Organization
  const session: AgentSessionPrincipal = {
    id,
    agentId: null,
    walletId: wallet.id,
    state: 'active',
    tokenKey: agentTokenKey(token),
    nowMs: Date.now(),
  }
  const input = { chain: 'local', to: anyAddress(), value: '5' }
  const [first, second] = authorizers as [SigningCtx, SigningCtx]
  const send = async (authorizer: SigningCtx, key: string) => {
    const sent = await agentSend(authorizer, { actor: { organization, session }, input, key })
    expect(sent.kind).toBe('sent')
    return sent.kind === 'sent' ? sentToWire(sent) : undefined
  }
  const answers = await Promise.all(
    [first, second, first, second].map((authorizer) => send(authorizer, 'step 1')),
  )
  answers.push(await send(second, 'step 1'))
  expect(new Set(answers.map((answer) => answer?.tx_hash)).size).toBe(1)
  expect((await send(first, 'step 2'))?.nonce).toBe('0x1')
  const [{ spent } = { spent: '0' }] = await app.sql<{ spent: string }[]>`
    select sum(cost)::text as spent from (
      select distinct on (payload_sha256) value + fee as cost from agent_events where session_id = ${id}) events`
  expect(BigInt(spent)).toBeGreaterThan(10n)
  expect(await mySession(app, token)).toMatchObject({
    spent_total_native: spent,
    reserved_native: '0',
    transactions: { count: 2, reserved: 0 },
  })
})
