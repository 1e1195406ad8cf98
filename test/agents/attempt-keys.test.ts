import { join } from 'node:path'
import { fail } from '@symbolon/api'
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
import { type AgentGate, type Ports, wireAgentGate, wireTransactions } from '@symbolon/server/testing/app'
import { auditWriter } from '@symbolon/server/testing/audit'
import type { AgentSessionPrincipal, Organization } from '@symbolon/server/testing/http'
import { budgets } from '@symbolon/server/testing/spending'
import { signingWallets } from '@symbolon/server/testing/wallets'
import { anyAddress, mintSession, mySession } from '@symbolon/testing/agents'
import { makeTenant, makeWalletFor, startTestApp, type Tenant, type TestApp } from '@symbolon/testing/app'
import { type SharedChain, sharedChain } from '@symbolon/testing/chain'
import type { Hex } from 'viem'
import { parseEther } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'

let app: TestApp
let chain: SharedChain
let tenant: Tenant
let gates: AgentGate[]
let stopped: (() => Promise<void>)[]

beforeAll(async () => {
  ;[chain, app] = await Promise.all([sharedChain(), startTestApp()])
  tenant = await makeTenant(app)
  stopped = []
  gates = [newGate(), newGate()]
})
afterAll(async () => {
  for (const stop of stopped ?? []) await stop()
  await app?.stop()
})

/** The gate of a further process, as its runs use it. */
function newGate(): AgentGate {
  const { sql, log, enclaveProcess, folder } = app
  const { socketPath, policy } = enclaveProcess
  const enclave = enclaveSocket({ path: socketPath, policy })
  const wired = [{ handle: 'local', rpcUrls: [chain.rpcUrl], confirmations: 1 }]
  const chains = evmChainsHttp(wired, { metrics: promMetrics().chains, clock: systemClock, log })
  stopped.push(async () => {
    chains.close()
    await enclave.close()
  })
  const ids = systemIds()
  const ports = { sql, log, enclave, ids, random: systemRandom, evm: chains.evm } as unknown as Ports
  const wallets = signingWallets({ sql, kms: kmsLocal(join(folder, 'kms.json')) })
  const custody = { bound: [], wallets } as unknown as Parameters<typeof wireAgentGate>[0]['custody']
  const audit = auditWriter({ sql, ids, log })
  return wireAgentGate({
    ports,
    audit,
    custody,
    transactions: wireTransactions(ports, audit),
    budgets: budgets(sql),
  })
}

test('the same key is the same transaction, asked at once by two processes and again later', async () => {
  const wallet = await makeWalletFor(app, tenant)
  await chain.fund(wallet.address as Hex, parseEther('1'))
  const { token, id } = await mintSession(app, tenant, wallet.id)
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
  const send = (gate: AgentGate | undefined, attemptKey: string) =>
    gate?.signing.send({ organization, session }, input, { attemptKey }, fail)
  const answers = await Promise.all([...gates, ...gates].map((gate) => send(gate, 'step 1')))
  answers.push(await send(gates[1], 'step 1'))
  expect(new Set(answers.map((answer) => answer?.tx_hash)).size).toBe(1)
  expect((await send(gates[0], 'step 2'))?.nonce).toBe('0x1')
  expect(await mySession(app, token)).toMatchObject({
    spent_total_native: '10',
    reserved_native: '0',
    transactions: { count: 2, reserved: 0 },
  })
})
