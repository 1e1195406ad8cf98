/**
 * Audit event types: stable strings (http-api.md "Events", decisions.md 10). A type's position is stored with each event,
 * so new ones go to the end and none is ever moved.
 */
export const auditEventTypes = [
  'wallet.created',
  'wallet.tx_prepared',
  'wallet.tx_broadcast',
  'recovery.initiated',
  'recovery.verified',
  'recovery.completed',
  'api_key.created',
  'api_key.revoked',
  'org.auth_updated',
  'org.settings_updated',
  'org.recovery_mode_updated',
  'webhook.updated',
  'webhook.removed',
  'wallet.archived',
  'wallet.unarchived',
  'wallet.signed',
  'wallet.sign_refused',
  'wallet.exported',
  'wallet.imported',
  'provider_share.released',
  'user.logged_in',
  'user.logged_out',
  'agent_session.created',
  'agent_session.revoked',
  'agent.created',
  'agent.archived',
  'smart_account.created',
  'userop.submitted',
  'member.added',
  'member.removed',
  'audit.gap',
  'wallet.shares_refreshed',
  'org.created',
  'org.signing_mode_updated',
  'member.updated',
  'agent.updated',
  'org.rules_updated',
  'agent_hook.created',
  'agent_hook.removed',
  'agent_hook.secret_rotated',
  'audit.restored',
  'recovery.canceled',
  'export.canceled',
  'receipt.voided',
  'enclave.marks_stored',
] as const

/** The name of an audit event. */
export type AuditEventType = (typeof auditEventTypes)[number]

/** Who caused an event; `actor_id` is the identity, key, session or portal user id. */
export const actorTypes = ['end_user', 'api_key', 'agent', 'portal_user', 'system'] as const

/** Who did it. */
export type ActorType = (typeof actorTypes)[number]
