import { setTimeout as sleep } from 'node:timers/promises'
import { type Hex, type PublicClient, parseEther } from 'viem'
import { httpCall } from '../start/http-call.ts'
import type { DemoClient } from './demo-client.ts'
import type { DemoPlatform } from './demo-platform.ts'
import { insist, step } from './demo-step.ts'
import { sessionEnd } from './session-end.ts'

const recipient: Hex = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const doneWithinMs = 30_000

type Task = {
  status: { state: string; message?: { parts: { text?: string }[] } }
  metadata?: { run_id?: string }
}
type Run = { state: string; children: string[]; result: unknown }

/** Two agents of their own wallets: the one is asked over A2A and has the other pay. */
export async function demoAgentTalk(
  platform: DemoPlatform,
  { callAsBackend, callAsOwner }: DemoClient,
  node: PublicClient,
): Promise<void> {
  const { base_url: baseUrl, organizations } = platform.file
  const agents = `/v1/orgs/${organizations.tee.id}/agents`
  const chain = 'local'

  const makeAgent = async (name: string, policy: object) => {
    const wallet = await callAsBackend<{ id: string; address: Hex }>('POST', '/v1/s2s/wallets', {
      // No address: nobody logs in to an agent's wallet.
      provider_user_id: `${name.toLowerCase()}-${Date.now()}`,
      curve: 'secp256k1',
    })
    const agent = await callAsOwner<{ id: string }>('POST', agents, { name, wallet_id: wallet.id, policy })
    return { ...agent, wallet }
  }

  await step('one agent asks another (A2A)', async () => {
    const payer = await makeAgent('Payer', {
      allowed_chains: [chain],
      allowed_recipients: [recipient],
      max_spend_per_tx_native: String(parseEther('0.01')),
      max_spend_total_native: String(parseEther('0.01')),
    })
    const buyer = await makeAgent('Buyer', { allowed_methods: [] })
    const body = { address: payer.wallet.address, amount_wei: String(parseEther('0.1')) }
    await httpCall(`${baseUrl}/dev/faucet`, { method: 'POST', body })
    const { token } = await callAsBackend<{ token: string }>('POST', '/v1/s2s/agent-sessions', {
      wallet_id: buyer.wallet.id,
      agent_id: buyer.id,
      name: 'Demo: A2A',
      max_spend_per_tx_native: '0',
      max_spend_total_native: '0',
      allowed_chains: [chain],
      allowed_methods: [],
      expires_at: await sessionEnd(baseUrl),
    })
    const rpc = async (method: string, params: object) => {
      const answer = await httpCall(`${baseUrl}/v1/agents/${buyer.id}/a2a`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: { jsonrpc: '2.0', id: 1, method, params },
      })
      const { result, error } = answer.body as { result?: Task; error?: { message: string } }
      if (result === undefined) throw new Error(`${method}: ${answer.status} ${error?.message}`)
      return result
    }

    const before = await node.getBalance({ address: recipient })
    const objective = {
      tool: 'send_transaction',
      arguments: { chain, to: recipient, value: String(parseEther('0.01')) },
    }
    const data = { tool: 'delegate', arguments: { agent_id: payer.id, objective } }
    let task = await rpc('tasks/send', {
      id: 'invoice-1',
      message: { role: 'user', parts: [{ type: 'data', data }] },
    })
    const deadline = performance.now() + doneWithinMs
    while (!['completed', 'failed', 'canceled'].includes(task.status.state)) {
      if (performance.now() > deadline) throw new Error(`The task is still ${task.status.state}`)
      await sleep(50)
      task = await rpc('tasks/get', { id: 'invoice-1' })
    }
    const said = task.status.message?.parts[0]?.text
    insist(task.status.state === 'completed', `the task is completed, not ${task.status.state} ${said}`)
    while ((await node.getBalance({ address: recipient })) === before && performance.now() < deadline)
      await sleep(50)
    insist(
      (await node.getBalance({ address: recipient })) - before === parseEther('0.01'),
      'exactly one payment of 0.01 ETH arrived',
    )
    const run = await callAsOwner<Run>('GET', `${agents}/${buyer.id}/runs/${task.metadata?.run_id}`)
    insist(run.children.length === 1, 'the portal shows the child run')
    return [undefined, 'Buyer (may sign nothing) delegated, Payer paid 0.01 ETH']
  })
}
