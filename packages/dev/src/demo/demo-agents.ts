import { formatEther, type Hex, type PublicClient, parseEther, verifyMessage } from 'viem'
import { httpCall } from '../start/http-call.ts'
import { demoAgentCrash } from './demo-agent-crash.ts'
import { demoAgentTalk } from './demo-agent-talk.ts'
import type { AgentAnswer, DemoClient } from './demo-client.ts'
import type { DemoPlatform } from './demo-platform.ts'
import { insist, step } from './demo-step.ts'
import { sessionEnd } from './session-end.ts'

const vendor: Hex = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const chain = 'local'
const minedWithinMs = 10_000
/** Two payments of 0.1 ETH and one of 0.05, and room for the fees of the three. */
const total = parseEther('0.26')

type Session = { id: string; token: string }
type Own = { spent: { asset: string; spent: string; reserved: string; remaining: string }[] }
type Events = {
  items: { outcome: string; reason_code: string | null; value: string | null }[]
  total: number
}

type Wallet = { id: string; address: Hex }
/** The agent as its token lets it act. */
type Agent = {
  wallet: Wallet
  call<data>(method: string, path: string, body?: unknown): Promise<AgentAnswer<data>>
  pay(to: Hex, ether: string): Promise<AgentAnswer<{ tx_hash: Hex }>>
}

/** The steps of the demo with agents: a token under limits, a refusal that says why, a budget that a crash leaves exact, agents that talk. */
export async function demoAgents(
  platform: DemoPlatform,
  client: DemoClient,
  node: PublicClient,
): Promise<void> {
  const wallet = await makeWallet(platform, client)
  const session = await mintSession(platform, client, wallet)
  const agent = agentOf(client, wallet, session)
  await signWithinPolicy(agent)
  await payInvoice(agent, node)
  await beRefused(agent)
  await demoAgentCrash(platform, client, wallet)
  await demoAgentTalk(platform, client, node)
  await spendAll(agent)
  await seeEvents(platform, client, session)
}

function agentOf({ callAsAgent }: DemoClient, wallet: Wallet, { token }: Session): Agent {
  return {
    wallet,
    call: (method, path, body) => callAsAgent(token, method, path, body),
    pay: (to, ether) =>
      callAsAgent(token, 'POST', '/v1/agents/me/transactions', {
        chain,
        to,
        value: String(parseEther(ether)),
      }),
  }
}

function makeWallet(platform: DemoPlatform, { callAsBackend }: DemoClient): Promise<Wallet> {
  return step('create a wallet without a login', async () => {
    const name = `demo-agent-${Date.now()}`
    const made = await callAsBackend<Wallet>('POST', '/v1/s2s/wallets', {
      provider_user_id: name,
      curve: 'secp256k1',
    })
    const body = { address: made.address, amount_wei: String(parseEther('1')) }
    const { status } = await httpCall(`${platform.file.base_url}/dev/faucet`, { method: 'POST', body })
    insist(status === 200, 'the faucet answers')
    return [made, `${made.address} of ${name}, no email`]
  })
}

function mintSession(
  platform: DemoPlatform,
  { callAsBackend }: DemoClient,
  wallet: Wallet,
): Promise<Session> {
  return step('mint an agent session', async () => {
    const made = await callAsBackend<Session>('POST', '/v1/s2s/agent-sessions', {
      wallet_id: wallet.id,
      name: 'Demo: invoices',
      max_spend_per_tx_native: String(parseEther('0.1')),
      max_spend_total_native: String(total),
      allowed_chains: [chain],
      allowed_methods: ['signMessage', 'sendTransaction'],
      allowed_recipients: [vendor],
      expires_at: await sessionEnd(platform.file.base_url),
    })
    return [made, '0.1 ETH per transaction, 0.26 in all with fees, to one vendor']
  })
}

async function signWithinPolicy({ call, wallet }: Agent): Promise<void> {
  await step('agent: sign within its policy', async () => {
    const message = 'I am an agent'
    const { data } = await call<{ signature: Hex }>('POST', '/v1/agents/me/sign', {
      type: 'message',
      message,
      chain,
    })
    insist(data !== null, 'the policy allows a message')
    const signature = data?.signature ?? '0x'
    insist(await verifyMessage({ address: wallet.address, message, signature }), 'viem verifies it')
    return [undefined, `${signature.slice(0, 18)}…  verified by viem`]
  })
}

async function payInvoice({ pay }: Agent, node: PublicClient): Promise<void> {
  await step('agent: pay an invoice', async () => {
    const before = await node.getBalance({ address: vendor })
    const { data } = await pay(vendor, '0.1')
    insist(data !== null, 'the policy allows the invoice')
    const hash = data?.tx_hash ?? '0x'
    await node.waitForTransactionReceipt({ hash, timeout: minedWithinMs })
    insist(
      (await node.getBalance({ address: vendor })) - before === parseEther('0.1'),
      'the vendor has 0.1 ETH more',
    )
    return [undefined, `${hash.slice(0, 18)}…  0.1 ETH at the vendor`]
  })
}

async function beRefused({ pay, wallet }: Agent): Promise<void> {
  for (const [title, to, ether, reason] of [
    ['agent: refused, too much at once', vendor, '0.11', 'per_tx_cap_exceeded'],
    ['agent: refused, unknown recipient', wallet.address, '0.01', 'recipient_not_allowed'],
  ] as const)
    await step(title, async () => {
      const { refusal } = await pay(to, ether)
      insist(refusal?.reason === reason, `the reason is ${reason}, not ${refusal?.reason}`)
      return [undefined, `${reason}: ${refusal?.layer}'s ${refusal?.rule}`]
    })
}

async function spendAll({ call, pay }: Agent): Promise<void> {
  await step('agent: spend the whole budget', async () => {
    await pay(vendor, '0.1')
    const { refusal } = await pay(vendor, '0.1')
    insist(refusal?.reason === 'total_cap_exceeded', `the total refuses, not ${refusal?.reason}`)
    insist((await pay(vendor, '0.05')).data !== null, 'the rest may be spent')
    const { data } = await call<Own>('GET', '/v1/agents/me')
    const row = data?.spent[0]
    const spent = BigInt(row?.spent ?? 0)
    insist(spent > parseEther('0.25') && spent <= total, 'three payments and their fees are spent')
    insist(row?.reserved === '0', 'nothing is reserved')
    return [undefined, `${formatEther(spent)} of ${formatEther(total)} ETH, then total_cap_exceeded`]
  })
}

async function seeEvents(
  { file, isOurs }: DemoPlatform,
  { callAsOwner }: DemoClient,
  session: Session,
): Promise<void> {
  const organization = `/v1/orgs/${file.organizations.tee.id}`
  await step('the owner sees every attempt', async () => {
    const path = `${organization}/agent-sessions/${session.id}/events`
    const { items, total } = await callAsOwner<Events>('GET', path)
    const reasons = items.flatMap(({ reason_code }) => reason_code ?? [])
    insist(
      total === 7 && reasons.length === 3,
      `7 attempts with 3 refusals, not ${total} with ${reasons.length}`,
    )
    return [undefined, `${total} attempts, refused: ${reasons.join(', ')}`]
  })

  // A platform of the demo's own ends with it: there would be nothing to look at.
  if (isOurs) return
  const { slug } = await callAsOwner<{ slug: string }>('GET', organization)
  console.log(
    `  (see them in the portal, as ${file.portal.email}:\n` +
      `   ${file.portal_url}/o/${slug}/agent-sessions/${session.id})`,
  )
}
