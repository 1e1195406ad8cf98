/** Principals and what the HTTP layer stores. */
export { agentSessionsStore, type SessionRecord } from '../http/auth/agent-sessions.store.ts'
export { idempotencyStore } from '../http/idempotency.store.ts'
export { idempotencyScope } from '../http/idempotency.ts'
export { parseJsonBody } from '../http/json-body.ts'
export type { AgentSessionPrincipal, Organization, UserToken } from '../http/principal.ts'
