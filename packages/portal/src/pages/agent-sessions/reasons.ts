import { policyReasonRows } from '@symbolon/policy/reasons'

/** What happened, and what to change. */
export type Reason = { what: string; fix: string }

const others: Record<string, Reason> = {
  session_revoked: {
    what: 'The session was revoked before.',
    fix: 'Nothing, if you revoked it. Its holder still tries: give it a new token, or find out who has it.',
  },
  run_ended: {
    what: 'Its run had ended before it was signed.',
    fix: 'Nothing, if you canceled it. Start the run again, if it was meant.',
  },
  session_expired: { what: 'The session had ended.', fix: 'Mint a new one.' },
  invalid_payload: { what: 'The bytes were not what they claimed to be.', fix: 'Look at how they are made.' },
  invalid_request: { what: 'The request had a wrong shape.', fix: 'Look at the fields in the reference.' },
  invalid_curve: {
    what: 'The wallet’s kind of key does not sign for this chain.',
    fix: 'Use a wallet of the chain’s curve.',
  },
  chain_unsupported: {
    what: 'There is no such chain, or none that this installation reaches.',
    fix: 'The Networks page has their handles, and which ones have a node.',
  },
  wallet_not_evm: { what: 'Transactions are sent on EVM chains only.', fix: 'Use a secp256k1 wallet.' },
  bad_to: { what: 'The recipient is not an address of this chain.', fix: 'Look at the address.' },
  estimate_gas_reverted: {
    what: 'The chain would have refused the transaction.',
    fix: 'Check the balance of the wallet and what the contract expects.',
  },
  insufficient_funds: {
    what: 'The wallet has less than the amount and its fee.',
    fix: 'Fund the wallet, or send less. Nothing was signed or spent.',
  },
  rpc_failed: { what: 'The chain’s node did not answer.', fix: 'Try again; nothing was signed.' },
  broadcast_failed: {
    what: 'It was signed, but the chain did not take it.',
    fix: 'Check the wallet’s balance. Its budget stays spent, since the signature exists.',
  },
  unavailable: { what: 'The enclave was restarting.', fix: 'Try again in a few seconds.' },
  objective_not_understood: {
    what: 'The intent runner does not understand this sentence.',
    fix: 'Write it like one of the sentences that “Start a run” shows, or give the agent the llm runner.',
  },
  runner_unavailable: {
    what: 'The agent’s runner does not work here, or its model does not answer.',
    fix: 'Check the model’s configuration (AGENT_LLM_…), or choose another runner.',
  },
  model_refused: { what: 'The model declined.', fix: 'Say it in other words, or look at the journal.' },
  step_limit: { what: 'It took more steps than a run may.', fix: 'Split the objective into smaller ones.' },
  time_limit: { what: 'It took longer than a run may.', fix: 'Split the objective, or start it again.' },
  nobody_to_ask: {
    what: 'It has a question, and nobody was there to answer.',
    fix: 'Start it again with what it asks for. Only callers over A2A can answer a run.',
  },
  payment_unconfirmed: {
    what: 'A payment was shown to a seller, and it is not known what became of it.',
    fix: 'Look for its nonce on the chain before paying again.',
  },
  failed_by_agent: { what: 'The agent gave up.', fix: 'Its result says why.' },
  delegate_canceled: {
    what: 'The run it had delegated to was canceled.',
    fix: 'Start it again, if it was meant.',
  },
  agent_not_found: { what: 'There is no such agent to delegate to.', fix: 'Look at the agent’s id.' },
  agent_archived: { what: 'The agent was archived.', fix: 'Use another agent.' },
  session_ended: { what: 'The caller’s session ended meanwhile.', fix: 'Mint a new one.' },
  depth_limit: { what: 'Delegations went too deep.', fix: 'At most 3 agents in a row.' },
  children_limit: { what: 'It delegated too often.', fix: 'A run may delegate 8 times.' },
  internal: { what: 'Something went wrong in the platform.', fix: 'Tell whoever runs it the id of this.' },
}

/** A reason in plain words; what is unknown is told as it is. */
export function reasonOf(code: string): Reason {
  const ofPolicy = policyReasonRows.find((row) => row.code === code)
  if (ofPolicy !== undefined) return { what: ofPolicy.what, fix: ofPolicy.fix.replaceAll('`', '') }
  return others[code] ?? { what: code.replaceAll('_', ' '), fix: '' }
}
