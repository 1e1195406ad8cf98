/** Runs, delegations and decisions of agents from inside. */
export type { Run } from '../features/agents/runs/agent-run.ts'
export { agentRunsStore } from '../features/agents/runs/agent-runs.store.ts'
export { type DelegatingRun, delegationKey, mintDelegation } from '../features/agents/runs/delegations.ts'
export { runJournalStore } from '../features/agents/runs/run-journal.store.ts'
export { agentSend, sentToWire } from '../features/agents/signing/agent-send.ts'
export type { DecisionRecord } from '../features/agents/signing/decision-record.ts'
export { decisionsStore } from '../features/agents/signing/decisions.store.ts'
export type { SigningCtx } from '../features/agents/signing/signing-ctx.ts'
