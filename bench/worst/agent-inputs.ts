import { signInputs } from './sign-inputs.ts'
import { times } from './worst-body.ts'
import { all, bodies, nothing, padded, query } from './worst-input.ts'

const id = '01890000-0000-7000-8000-000000000000'
const addressOf = (n: number) => `0x${n.toString(16).padStart(40, '0')}`
const page = { limit: '200', offset: '9007199254740991' }
const text = (bytes: number) => 'x'.repeat(bytes)
const session = {
  wallet_id: id,
  name: 'Payer',
  max_spend_per_tx_native: '1000',
  max_spend_total_native: '10000',
  allowed_chains: ['local', 'base'],
  allowed_methods: ['signMessage', 'sendTransaction'],
  expires_at: '2099-01-01T00:00:00.000Z',
}
const solanaAddress = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const recipients = () => ({ allowed_recipients: times(256, addressOf) })
const rpc = (method: string, params: unknown, at = 1) => ({ jsonrpc: '2.0', id: at, method, params })
const call = (name: string, args: unknown, at = 1) => rpc('tools/call', { name, arguments: args }, at)

/** Agents, their sessions, runs, hooks and protocols. */
export const agentInputs = {
  mintAgentSession: all(
    padded(session),
    bodies(() => ({
      '256 recipients': { ...session, ...recipients() },
      '256 recipients in base58': { ...session, allowed_recipients: times(256, () => solanaAddress) },
    })),
  ),
  listAgentSessions: query({ ...page, agent_id: id, wallet_id: id, status: 'active' }),
  getAgentSession: nothing,
  getMyAgentSession: nothing,
  signAsAgent: all(signInputs(), signInputs({ dry_run: true })),
  sendAsAgent: bodies(() => ({
    '128 KiB of calldata': {
      chain: 'local',
      to: addressOf(1),
      value: '1',
      data: `0x${'07'.repeat(130_900)}`,
    },
  })),
  getAgentCard: nothing,
  getLegacyAgentCard: nothing,
  callAgent: bodies(() => ({
    'a message of 250 KiB': rpc('message/send', {
      message: {
        role: 'user',
        kind: 'message',
        messageId: id,
        parts: [{ kind: 'text', text: text(250_000) }],
      },
    }),
    'metadata of 16,000 values': rpc('message/send', {
      message: {
        role: 'user',
        kind: 'message',
        messageId: id,
        parts: [{ kind: 'text', text: 'policy' }],
        metadata: { list: times(16_000, () => 1) },
      },
    }),
    'data of 30 levels': rpc('message/send', {
      message: {
        role: 'user',
        kind: 'message',
        messageId: id,
        parts: [{ kind: 'data', data: { list: JSON.parse(`${'['.repeat(24)}${']'.repeat(24)}`) } }],
      },
    }),
  })),
  callAgentTools: bodies(() => ({
    'a message of 250 KiB': call('sign_message', { message: text(250_000), chain: 'local' }),
    '60 messages of 4 KiB': times(60, (i) =>
      call('sign_message', { message: text(4_000), chain: 'local' }, i + 1),
    ),
    'arguments of 16,000 values': call('sign_message', { list: times(16_000, () => 1) }),
  })),
  listAgents: query({ ...page, status: 'active' }),
  createAgent: all(
    padded({ name: 'Buyer', wallet_id: id }),
    bodies(() => ({ '256 recipients': { name: 'Buyer', wallet_id: id, policy: recipients() } })),
  ),
  getAgent: nothing,
  changeAgent: all(
    padded({ name: 'Buyer' }),
    bodies(() => ({ '256 recipients': { policy: recipients() } })),
  ),
  archiveAgent: padded(),
  getRules: nothing,
  putRules: all(
    padded(),
    bodies(() => ({ '256 recipients': { blocked_recipients: times(256, addressOf) } })),
  ),
  listOrgAgentSessions: query({ ...page, agent_id: id, wallet_id: id, status: 'active' }),
  getOrgAgentSession: nothing,
  revokeAgentSession: padded(),
  listAgentSessionEvents: query({ ...page, outcome: 'rejected' }),
  listAgentRuns: query({ ...page, state: 'completed' }),
  startAgentRun: padded({ objective: 'policy' }),
  getAgentRun: nothing,
  cancelAgentRun: padded(),
  listAgentRunEvents: query({ ...page, outcome: 'rejected' }),
  listAgentHooks: nothing,
  createAgentHook: padded({ name: 'Invoices', objective_template: 'policy' }),
  removeAgentHook: nothing,
  rotateAgentHookSecret: padded(),
  deliverToAgentHook: bodies(() => ({
    'an event of 250 KiB': { type: 'paid', data: text(250_000) },
    'an event of 16,000 values': { type: 'paid', data: times(16_000, () => 1) },
  })),
}
