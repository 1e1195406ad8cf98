import { mintBody } from '@symbolon/testing/agents'
import type { Fixture } from './fixture.ts'

const token = { chain: 'local', token: `0x${'11'.repeat(20)}`, max_per_tx: '5', max_total: '50' }
const contract = { chain: 'local', address: `0x${'22'.repeat(20)}`, selectors: ['0x095ea7b3'] }

/** A policy with all its fields, but for those that every mint has. */
const policy = {
  allowed_recipients: [`0x${'33'.repeat(20)}`],
  allowed_tokens: [token],
  allowed_contracts: [contract],
  max_fee_per_tx_native: '7',
  max_tx_count: 9,
}

/** Bodies of the agents' routes. */
export const agentBodies: Record<string, (fixture: Fixture) => Record<string, unknown>> = {
  'agentSessions.mint': ({ walletId, agents }) =>
    mintBody(walletId, { ...policy, agent_id: agents.agent.id }),
  'agents.create': ({ walletId }) => ({
    name: 'Buyer',
    wallet_id: walletId,
    description: 'Buys things.',
    runner: 'intent',
    objective_template: 'Do it: {{objective}}',
    policy,
    skills: [{ id: 'buy', name: 'Buy', description: 'Buys.', tags: ['shop'], examples: ['Buy a book'] }],
  }),
  'agents.change': () => ({
    name: 'Buyer',
    description: 'Sells things.',
    policy: { ...policy, allowed_methods: ['signMessage'] },
  }),
  'rules.put': () => ({
    blocked_chains: ['near'],
    blocked_recipients: [`0x${'44'.repeat(20)}`],
    max_native_per_tx_cap: '1000000000000000000',
    max_native_total_cap: '100000000000000000000',
    token_mode: 'allowlist',
    allow_raw_hash: false,
    max_session_ttl_seconds: 31_536_000,
  }),
  'agentLane.send': () => ({ chain: 'local', to: `0x${'5e'.repeat(20)}`, value: '1' }),
  'agentLane.sign': () => ({ type: 'message', message: 'hello', chain: 'local' }),
  'agentRuns.start': () => ({ objective: 'policy' }),
  'agentHooks.create': () => ({ name: 'Invoices', objective_template: 'policy' }),
}
