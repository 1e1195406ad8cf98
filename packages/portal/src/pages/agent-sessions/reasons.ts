import type { PolicyReason } from '@symbolon/sdk/portal'

/** What happened, and what to change. */
export type Reason = { what: string; fix: string }

const policy: Record<PolicyReason, Reason> = {
  wallet_archived: {
    what: 'The wallet is archived.',
    fix: 'Take it out of the archive on the Wallets page, if it should sign again.',
  },
  wallet_mismatch: {
    what: 'It named another wallet than the session’s.',
    fix: 'Leave wallet_id out, or mint a session for that wallet.',
  },
  method_not_allowed: {
    what: 'The session may not do this kind of thing.',
    fix: 'Allow the method (messages, or transactions) in the session and its agent.',
  },
  chain_blocked: {
    what: 'Your rules block this chain.',
    fix: 'Take the chain off the blocked ones in Rules.',
  },
  chain_not_allowed: {
    what: 'The chain is not on the list of allowed chains.',
    fix: 'Add it to the agent and mint a session that lists it.',
  },
  recipient_not_allowed: {
    what: 'The recipient is not on the list of allowed recipients.',
    fix: 'Check who it was. If it is meant, add the address to the list.',
  },
  recipient_blocked: {
    what: 'Your rules block this recipient.',
    fix: 'Check why it was blocked; take it off the list in Rules only then.',
  },
  contract_creation_not_allowed: {
    what: 'It would have deployed a contract. Agents never may.',
    fix: 'Deploy from your backend with a secret key.',
  },
  contract_call_not_allowed: {
    what: 'The contract, or this method of it, is on no list.',
    fix: 'Add the contract and its selector to the allowed contracts, if you know what the method does.',
  },
  token_transfers_disabled: {
    what: 'Your rules let no token move.',
    fix: 'Set tokens to “Listed ones” in Rules.',
  },
  token_not_allowed: {
    what: 'The token is on no list of allowed tokens.',
    fix: 'Add it, with caps in its smallest unit, to the agent or the session.',
  },
  approval_not_allowed: {
    what: 'It would have let somebody take tokens without a limit.',
    fix: 'Approve a finite amount within the token’s caps.',
  },
  account_admin_not_allowed: {
    what: 'It would have changed who owns or controls an account. Agents never may.',
    fix: 'Change owners and permissions from your backend.',
  },
  authorization_not_allowed: {
    what: 'It would have given the account’s code away (EIP-7702). Agents never may.',
    fix: 'Authorize from your backend with a secret key.',
  },
  typed_data_not_allowed: {
    what: 'The typed data could move value in a way that nobody can price.',
    fix: 'Use a kind that is known (permits, transfers with authorization), or sign from your backend.',
  },
  raw_hash_not_allowed: {
    what: 'It asked to sign a bare hash, which could be anything.',
    fix: 'Send the message or transaction itself. Rules can allow bare hashes; think twice.',
  },
  message_is_transaction: {
    what: 'The message was a transaction or an operation in disguise.',
    fix: 'Send it as what it is, so that it counts against the budget. If nobody meant that: look into the agent.',
  },
  payload_undecodable: {
    what: 'Nobody can tell what the bytes would do.',
    fix: 'Use a plain transfer, a known call, or list the contract that it calls.',
  },
  org_per_tx_cap_exceeded: {
    what: 'It would have sent more at once than the cap of your rules for one transaction.',
    fix: 'Send less at once, or raise the cap in Rules.',
  },
  per_tx_cap_exceeded: {
    what: 'It would have sent more at once than the cap for one transaction.',
    fix: 'Send less at once, or raise the cap per transaction.',
  },
  fee_cap_exceeded: {
    what: 'The fee could get higher than allowed.',
    fix: 'Wait for a calmer network, or raise the cap on fees.',
  },
  token_cap_exceeded: {
    what: 'More of this token than its cap allows.',
    fix: 'Raise the token’s cap, or mint a session with a fresh budget.',
  },
  total_cap_exceeded: {
    what: 'It would have gone beyond the budget of the session.',
    fix: 'Mint a session with a fresh budget, or a larger one.',
  },
  org_total_cap_exceeded: {
    what: 'It would have gone beyond what your rules allow a session in all.',
    fix: 'Mint another session, or raise the cap in Rules.',
  },
  tx_count_exceeded: {
    what: 'The number of transactions is used up.',
    fix: 'Mint another session, or one that may send more.',
  },
}

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
  const known: Reason | undefined = (policy as Record<string, Reason>)[code] ?? others[code]
  return known ?? { what: code.replaceAll('_', ' '), fix: '' }
}
