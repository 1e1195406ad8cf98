/**
 * Spending limits: the rules of organizations (`rules`), decisions and refusals as callers read them (`evaluation`), exact counters that are
 * reserved before a signature (`budgets`), and amounts as people read them (`amounts`). The evaluation itself is the enclave's.
 * @module
 */
export { amountText } from './amounts/amount-text.ts'
export { eurText } from './amounts/eur-text.ts'
export { type Budgets, checkBudget, countersOf, releaseBudget, spentBefore } from './budgets/budgets.ts'
export type { SessionCounter } from './budgets/session-counters.ts'
export { dryRunDecision, refusedDecision } from './evaluation/dry-run-decision.ts'
export { walletArchived, walletMismatch } from './evaluation/own-refusals.ts'
export type { PolicyVersions } from './evaluation/policy-versions.ts'
export { refusalMessage } from './evaluation/refusal-message.ts'
export { violationOf } from './evaluation/violation-of.ts'
export { checkPolicy } from './rules/check-policy.ts'
