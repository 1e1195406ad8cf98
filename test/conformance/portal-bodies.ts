import { randomUUID } from 'node:crypto'

/** Bodies of the portal's routes. */
export const portalBodies: Record<string, () => Record<string, unknown>> = {
  'orgs.create': () => ({ name: 'Company', slug: `s-${randomUUID()}`, country: 'de' }),
  'orgs.update': () => ({ name: 'Company' }),
  'orgs.updateAuth': () => ({ auth_config: { mode: 'service' } }),
  'orgs.updateRecoveryMode': () => ({ mode: 'service_managed' }),
  'orgs.updateSigningMode': () => ({ signing_mode: 'tee' }),
  'members.add': () => ({ email: `${randomUUID()}@example.test`, role: 'viewer' }),
  'members.change': () => ({ role: 'viewer' }),
  'apiKeys.mint': () => ({ name: 'key', type: 'secret' }),
  'apiKeys.rotate': () => ({}),
  'webhook.put': () => ({ url: 'http://127.0.0.1:1/recovery' }),
}
