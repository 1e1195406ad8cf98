/** The service and parts of its wiring, for tests that start it in their own process. */
export { type App, createApp, type Ports } from '../app.ts'
export { serveAlsoAt } from '../http/serve-also-at.ts'
export { wireAuthorizer } from '../wiring/authorizer.ts'
export { wireTransactions } from '../wiring/transactions.ts'
