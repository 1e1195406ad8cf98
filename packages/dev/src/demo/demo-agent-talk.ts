import { setTimeout as sleep } from 'node:timers/promises'
import { type Hex, type PublicClient, parseEther } from 'viem'
import { httpCall } from '../start/http-call.ts'
import type { DemoClient } from './demo-client.ts'
import type { DemoPlatform } from './demo-platform.ts'
import { insist, step } from './demo-step.ts'
import { sessionEnd } from './session-end.ts'

const recipient: Hex = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const chain = 'local'
const doneWithinMs = 30_000

type Task = {
  status: { state: string; message?: { parts: { text?: string }[] } }
  metadata?: { run_id?: string }
}
type Run = { state: string; children: string[]; result: unknown }

/** The steps share the platform's address, its owner's agents, and the chain's node to check the platform's answers. */
type Talk = DemoClient & { baseUrl: string; agents: string; node: PublicClient }
type Agent = { id: string; wallet: { id: string; address: Hex } }

/** Two agents of their own wallets: the one is asked over A2A and has the other pay. */
export async function demoAgentTalk(
  platform: DemoPlatform,
  client: DemoClient,
  node: PublicClient,
): Promise<void> {
  const { base_url: baseUrl, organizations } = platform.file
  const talk: Talk = { ...client, baseUrl, agents: `/v1/orgs/${organizations.tee.id}/agents`, node }
  await step('one agent asks another (A2A)', async () => {
    const payer = await makePayer(talk)
    const buyer = await makeAgent(talk, 'Buyer', { allowed_methods: [] })
    const before = await node.getBalance({ address: recipient })
    const deadline = performance.now() + doneWithinMs
    const task = await delegatedPayment(talk, { buyer, payer, deadline })
    const said = task.status.message?.parts[0]?.text
    insist(task.status.state === 'completed', `the task is completed, not ${task.status.state} ${said}`)
    while ((await node.getBalance({ address: recipient })) === before && performance.now() < deadline)
      await sleep(50)
    insist(
      (await node.getBalance({ address: recipient })) - before === parseEther('0.01'),
      'exactly one payment of 0.01 ETH arrived',
    )
    const path = `${talk.agents}/${buyer.id}/runs/${task.metadata?.run_id}`
    const run = await client.callAsOwner<Run>('GET', path)
    insist(run.children.length === 1, 'the portal shows the child run')
    return [undefined, 'Buyer (may sign nothing) delegated, Payer paid 0.01 ETH']
  })
}

async function makePayer(talk: Talk): Promise<Agent> {
  const payer = await makeAgent(talk, 'Payer', {
    allowed_chains: [chain],
    allowed_recipients: [recipient],
    max_spend_per_tx_native: String(parseEther('0.01')),
    // Fees count against the total: there is room for those of one payment.
    max_spend_total_native: String(parseEther('0.011')),
  })
  const body = { address: payer.wallet.address, amount_wei: String(parseEther('0.1')) }
  await httpCall(`${talk.baseUrl}/dev/faucet`, { method: 'POST', body })
  return payer
}

async function makeAgent(
  { callAsBackend, callAsOwner, agents }: Talk,
  name: string,
  policy: object,
): Promise<Agent> {
  const wallet = await callAsBackend<Agent['wallet']>('POST', '/v1/s2s/wallets', {
    // No address: nobody logs in to an agent's wallet.
    provider_user_id: `${name.toLowerCase()}-${Date.now()}`,
    curve: 'secp256k1',
  })
  const agent = await callAsOwner<{ id: string }>('POST', agents, { name, wallet_id: wallet.id, policy })
  return { ...agent, wallet }
}

/** Asks the buyer over A2A to have the payer pay, and follows the task to its end or the deadline. */
async function delegatedPayment(
  talk: Talk,
  { buyer, payer, deadline }: { buyer: Agent; payer: Agent; deadline: number },
): Promise<Task> {
  const call = await a2aClient(talk, buyer)
  const objective = {
    tool: 'send_transaction',
    arguments: { chain, to: recipient, value: String(parseEther('0.01')) },
  }
  const data = { tool: 'delegate', arguments: { agent_id: payer.id, objective } }
  let task = await call('tasks/send', {
    id: 'invoice-1',
    message: { role: 'user', parts: [{ type: 'data', data }] },
  })
  while (!['completed', 'failed', 'canceled'].includes(task.status.state)) {
    if (performance.now() > deadline) throw new Error(`The task is still ${task.status.state}`)
    await sleep(50)
    task = await call('tasks/get', { id: 'invoice-1' })
  }
  return task
}

async function a2aClient(
  { baseUrl, callAsBackend }: Talk,
  { id, wallet }: Agent,
): Promise<(method: string, params: object) => Promise<Task>> {
  const { token } = await callAsBackend<{ token: string }>('POST', '/v1/s2s/agent-sessions', {
    wallet_id: wallet.id,
    agent_id: id,
    name: 'Demo: A2A',
    max_spend_per_tx_native: '0',
    max_spend_total_native: '0',
    allowed_chains: [chain],
    allowed_methods: [],
    expires_at: await sessionEnd(baseUrl),
  })
  return async (method, params) => {
    const answer = await httpCall(`${baseUrl}/v1/agents/${id}/a2a`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: { jsonrpc: '2.0', id: 1, method, params },
    })
    const { result, error } = answer.body as { result?: Task; error?: { message: string } }
    if (result === undefined) throw new Error(`${method}: ${answer.status} ${error?.message}`)
    return result
  }
}
