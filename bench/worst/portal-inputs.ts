import { times } from './worst-body.ts'
import { all, bodies, nothing, padded, query } from './worst-input.ts'

const id = '01890000-0000-7000-8000-000000000000'
const page = { limit: '200', offset: '9007199254740991' }
const range = { from: '2026-01-01T00:00:00.000Z', to: '2026-12-31T23:59:59.999Z' }
const address = `0x${'22'.repeat(20)}`
const email = `${'a'.repeat(60)}@${'b'.repeat(60)}.example`

/** The portal, and what an organization's backend reads of it. */
export const portalInputs = {
  beginPortalLogin: query({ return_to: `/${'x'.repeat(500)}` }),
  finishPortalLogin: query({ code: 'x'.repeat(500), state: 'x'.repeat(43) }),
  getPortalSession: nothing,
  endPortalSession: padded(),
  listOrganizations: nothing,
  createOrganization: padded({ name: 'Company', slug: 'company', country: 'de' }),
  getOrganization: nothing,
  updateOrganization: all(
    padded({ name: 'Company' }),
    bodies(() => ({
      '100 origins': { allowed_origins: times(100, (i) => `https://a${i}.${'b'.repeat(60)}.example`) },
    })),
  ),
  updateOrganizationAuth: padded({ auth_config: { mode: 'service' } }),
  updateRecoveryMode: padded({ mode: 'service_managed' }),
  updateSigningMode: padded({ signing_mode: 'tee' }),
  listOrganizationChains: nothing,
  listMembers: nothing,
  addMember: padded({ email, role: 'viewer' }),
  changeMember: padded({ role: 'viewer' }),
  removeMember: nothing,
  listApiKeys: nothing,
  mintApiKey: padded({ name: 'key', type: 'secret' }),
  revokeApiKey: nothing,
  rotateApiKey: padded(),
  getWebhook: nothing,
  putWebhook: padded({ url: 'https://company.example/recovery' }),
  deleteWebhook: nothing,
  testWebhook: padded(),
  rotateWebhookSecret: padded(),
  listWebhookDeliveries: nothing,
  listOrganizationWallets: query({
    ...page,
    status: 'active',
    curve: 'secp256k1',
    user_identity_id: id,
    email,
    address,
  }),
  getOrganizationWallet: nothing,
  archiveOrganizationWallet: padded(),
  unarchiveOrganizationWallet: padded(),
  listEndUsers: query({ ...page, email }),
  getUsage: query({ from: '2026-01-01', to: '2026-01-31' }),
  listAuditEvents: query({
    ...page,
    event_type: 'wallet.signed',
    success: 'false',
    actor_id: id,
    wallet_id: id,
    ...range,
  }),
  getAuditCheckpoint: nothing,
  getAuditProof: query({ tree_size: '1000000' }),
  getAuditConsistency: query({ from: '1', to: '1000000' }),
  exportAuditLog: query({ tree_size: '1000000' }),
}
