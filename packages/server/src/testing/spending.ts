/** Budgets and refusals from inside. */
export { budgetsStore } from '../features/spending/budgets/budgets.store.ts'
export { budgets } from '../features/spending/budgets/budgets.ts'
export { refusalMessage } from '../features/spending/evaluation/refusal-message.ts'
