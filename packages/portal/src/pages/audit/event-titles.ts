import type { Answer } from '../../data/portal-client.ts'

/** An event of the audit log. */
export type AuditEvent = Answer<'GET /v1/orgs/{orgID}/audit'>['items'][number]

/** The titles of event types; the compiler checks that none is missing. */
export const eventTitles: Record<AuditEvent['event_type'], string> = {
  'wallet.created': 'Wallet created',
  'wallet.tx_prepared': 'Transaction prepared',
  'wallet.tx_broadcast': 'Transaction broadcast',
  'recovery.initiated': 'Recovery started',
  'recovery.verified': 'Recovery code accepted',
  'recovery.completed': 'Recovery completed',
  'recovery.canceled': 'Recovery canceled',
  'export.canceled': 'Key export canceled',
  'api_key.created': 'API key created',
  'api_key.revoked': 'API key revoked',
  'org.auth_updated': 'Authentication changed',
  'org.settings_updated': 'Settings changed',
  'org.recovery_mode_updated': 'Recovery mode changed',
  'webhook.updated': 'Webhook set',
  'webhook.removed': 'Webhook removed',
  'wallet.archived': 'Wallet archived',
  'wallet.unarchived': 'Wallet restored',
  'wallet.signed': 'Signature created',
  'wallet.sign_refused': 'Signature refused',
  'wallet.exported': 'Key exported',
  'wallet.imported': 'Key imported',
  'provider_share.released': 'Provider share released',
  'user.logged_in': 'User logged in',
  'user.logged_out': 'User logged out',
  'agent_session.created': 'Agent session created',
  'agent_session.revoked': 'Agent session revoked',
  'agent.created': 'Agent created',
  'agent.archived': 'Agent archived',
  'smart_account.created': 'Smart account created',
  'userop.submitted': 'User operation submitted',
  'member.added': 'Member added',
  'member.removed': 'Member removed',
  'audit.gap': 'Gap in the log',
  'audit.restored': 'Backup restored',
  'receipt.voided': 'Receipt number voided',
  'enclave.marks_stored': 'Enclave marks recorded',
  'wallet.shares_refreshed': 'Shares refreshed',
  'org.created': 'Company created',
  'org.signing_mode_updated': 'Signing mode changed',
  'member.updated': 'Member role changed',
  'agent.updated': 'Agent changed',
  'org.rules_updated': 'Rules for agents changed',
  'agent_hook.created': 'Inbound hook created',
  'agent_hook.removed': 'Inbound hook removed',
  'agent_hook.secret_rotated': 'Inbound hook secret rotated',
}

/** The names of actor types. */
export const actorNames: Record<AuditEvent['actor_type'], string> = {
  end_user: 'User',
  api_key: 'API key',
  agent: 'Agent',
  portal_user: 'Portal user',
  system: 'Platform',
}
