import { policyReasonRows } from '@symbolon/policy/reasons'

/** What happened, and what to do about it. */
export type Reason = { what: string; fix: string }

const others: Record<string, Reason> = {
  session_revoked: {
    what: 'The session was already revoked.',
    fix: 'Someone still uses its token: give them a new one, or find out who has it.',
  },
  run_ended: {
    what: 'The run ended before this was signed.',
    fix: 'If you didn’t cancel it, start the run again.',
  },
  session_expired: { what: 'The session had expired.', fix: 'Mint a new one.' },
  invalid_payload: { what: 'The payload wasn’t valid.', fix: 'Check the code that builds it.' },
  invalid_request: { what: 'The request wasn’t valid.', fix: 'Check its fields in the API reference.' },
  invalid_curve: {
    what: 'The wallet’s key can’t sign for this chain.',
    fix: 'Use a wallet with the chain’s curve.',
  },
  chain_unsupported: {
    what: 'The chain is unknown, or this platform has no node for it.',
    fix: 'The Networks page lists all chains and which of them have a node.',
  },
  wallet_not_evm: { what: 'Only EVM wallets can send transactions.', fix: 'Use a secp256k1 wallet.' },
  bad_to: { what: 'The recipient isn’t a valid address on this chain.', fix: 'Check the address.' },
  estimate_gas_reverted: {
    what: 'The chain would have refused the transaction.',
    fix: 'Check the wallet’s balance and what the contract expects.',
  },
  insufficient_funds: {
    what: 'The wallet can’t cover the amount and the fee.',
    fix: 'Fund the wallet or send less. Nothing was signed or spent.',
  },
  rpc_failed: { what: 'The chain’s node didn’t respond.', fix: 'Try again. Nothing was signed.' },
  broadcast_failed: {
    what: 'The transaction was signed, but the chain rejected it.',
    fix: 'Check the wallet’s balance. The budget stays spent, because the signature exists.',
  },
  unavailable: { what: 'The enclave was restarting.', fix: 'Try again in a few seconds.' },
  objective_not_understood: {
    what: 'The agent doesn’t understand this sentence.',
    fix: 'Use one of the sentences under “Start run”, or switch the agent to the language model.',
  },
  runner_unavailable: {
    what: 'The language model isn’t configured or doesn’t respond.',
    fix: 'Check the configuration (AGENT_LLM_…), or switch the agent to plain sentences.',
  },
  model_refused: { what: 'The model declined.', fix: 'Rephrase the objective, or check the journal.' },
  step_limit: { what: 'The run reached its step limit.', fix: 'Split the objective into smaller ones.' },
  time_limit: {
    what: 'The run reached its time limit.',
    fix: 'Split the objective, or start the run again.',
  },
  nobody_to_ask: {
    what: 'The agent asked a question that nobody could answer.',
    fix: 'Start the run again with the answer in the objective. Only A2A callers can answer a run.',
  },
  payment_unconfirmed: {
    what: 'A payment was given to a seller, and its outcome is unknown.',
    fix: 'Look up its nonce on the chain before you pay again.',
  },
  failed_by_agent: { what: 'The agent gave up.', fix: 'The result says why.' },
  delegate_canceled: {
    what: 'The run it delegated to was canceled.',
    fix: 'Start the run again if you still need it.',
  },
  agent_not_found: { what: 'The agent to delegate to doesn’t exist.', fix: 'Check the agent ID.' },
  agent_archived: { what: 'The agent was archived.', fix: 'Use another agent.' },
  session_ended: { what: 'The caller’s session ended.', fix: 'Mint a new one.' },
  depth_limit: { what: 'The run delegated too deep.', fix: 'Use at most 3 agents in a chain.' },
  children_limit: { what: 'The run delegated too often.', fix: 'Delegate at most 8 times per run.' },
  internal: { what: 'Something went wrong on the platform.', fix: 'Send this ID to its operator.' },
}

/** A reason code in plain words; an unknown code without its underscores. */
export function reasonOf(code: string): Reason {
  const ofPolicy = policyReasonRows.find((row) => row.code === code)
  if (ofPolicy !== undefined) return { what: ofPolicy.what, fix: ofPolicy.fix.replaceAll('`', '') }
  return others[code] ?? { what: code.replaceAll('_', ' '), fix: '' }
}
