import { expect, test } from 'vitest'
import { type ErrorCode, errors } from './errors.ts'
import { errorsOf, type Route } from './route.ts'
import { routes } from './routes.ts'
import { type Documented, documentedAgents, memberRoutes } from './testing/documented-agents.ts'

/**
 * The HTTP API document and its decisions, written down a second time by hand: method, path, lane, status, own codes; `raw` among them for
 * routes that write the whole answer themselves.
 */
const documented: Documented[] = [
  ['GET', '/v1/health', 'public', 200, ''],
  ['GET', '/v1/ready', 'public', 200, 'unavailable enclave_ring_mismatch'],
  ['GET', '/v1/attestation', 'public', 200, 'unavailable rate_limited invalid_request'],
  ['GET', '/v1/attestation/keys/{kid}', 'public', 200, 'unavailable rate_limited not_found'],
  ['POST', '/v1/enclave/operator', 'public', 200, 'forbidden unavailable rate_limited'],
  ['GET', '/v1/openapi.json', 'public', 200, ''],
  ['GET', '/.well-known/jwks.json', 'public', 200, ''],
  ['POST', '/v1/wallets/auth/email-otp/start', 'publishable', 204, 'auth_mode_mismatch rate_limited'],
  [
    'POST',
    '/v1/wallets/auth/email-otp/verify',
    'publishable',
    200,
    'invalid_code auth_mode_mismatch rate_limited',
  ],
  ['POST', '/v1/wallets/identify', 'wallet', 200, 'unauthorized'],
  ['GET', '/v1/wallets/me', 'wallet', 200, 'wallet_not_found invalid_curve invalid_request'],
  ['GET', '/v1/wallets/me/all', 'wallet', 200, ''],
  [
    'POST',
    '/v1/wallets',
    'wallet',
    201,
    'wallet_exists signing_mode_mismatch invalid_curve address_mismatch invalid_share recovery_webhook_failed',
  ],
  [
    'POST',
    '/v1/wallets/me/shares/provider',
    'wallet',
    200,
    'signing_mode_mismatch invalid_curve wallet_not_found wallet_archived rate_limited export_disabled',
  ],
  [
    'POST',
    '/v1/wallets/me/recovery/initiate',
    'wallet',
    200,
    'signing_mode_mismatch invalid_curve no_email wallet_not_found wallet_archived rate_limited',
  ],
  [
    'POST',
    '/v1/wallets/me/recovery/{recovery_process_id}/verify',
    'wallet',
    200,
    'signing_mode_mismatch invalid_code wallet_not_found not_found wallet_archived process_state expired rate_limited recovery_webhook_failed recovery_delayed',
  ],
  [
    'POST',
    '/v1/wallets/me/recovery/{recovery_process_id}/complete',
    'wallet',
    204,
    'signing_mode_mismatch invalid_share wallet_not_found not_found wallet_archived process_state expired recovery_webhook_failed',
  ],
  [
    'GET',
    '/v1/wallets/me/recovery/{recovery_process_id}',
    'wallet',
    200,
    'signing_mode_mismatch wallet_not_found not_found',
  ],
  [
    'POST',
    '/v1/wallets/me/shares/refresh',
    'wallet',
    200,
    'signing_mode_mismatch invalid_curve invalid_share invalid_signature wallet_not_found wallet_archived process_state recovery_webhook_failed rate_limited token_revoked token_expired',
  ],
  [
    'POST',
    '/v1/wallets/me/export/initiate',
    'wallet',
    200,
    'signing_mode_mismatch invalid_curve no_email wallet_not_found wallet_archived rate_limited export_disabled',
  ],
  [
    'POST',
    '/v1/wallets/me/export/complete',
    'wallet',
    200,
    'signing_mode_mismatch invalid_code not_found wallet_archived process_state expired rate_limited export_delayed export_disabled',
  ],
  [
    'POST',
    '/v1/wallets/me/import/initiate',
    'wallet',
    200,
    'signing_mode_mismatch invalid_curve no_email wallet_exists rate_limited',
  ],
  [
    'POST',
    '/v1/wallets/me/import/complete',
    'wallet',
    201,
    'signing_mode_mismatch invalid_code invalid_payload not_found wallet_exists process_state expired rate_limited',
  ],
  ['POST', '/v1/wallets/me/logout', 'wallet', 204, 'token_revoked token_expired'],
  [
    'POST',
    '/v1/wallets/me/sign',
    'wallet',
    200,
    'signing_mode_mismatch invalid_payload invalid_curve chain_unsupported wallet_not_found wallet_archived state_rolled_back rate_limited',
  ],
  [
    'POST',
    '/v1/s2s/sign',
    'secret_or_agent',
    200,
    'signing_mode_mismatch invalid_payload invalid_curve chain_unsupported insufficient_scope wallet_not_found wallet_archived state_rolled_back policy_violation',
  ],
  ['GET', '/v1/s2s/receipts', 'secret', 200, 'rate_limited invalid_request'],
  ['GET', '/v1/wallets/me/receipts', 'wallet', 200, 'invalid_request'],
  ['GET', '/v1/s2s/wallets', 'secret', 200, 'rate_limited invalid_request'],
  ['GET', '/v1/s2s/wallets/{walletID}', 'secret', 200, 'wallet_not_found not_found rate_limited'],
  [
    'POST',
    '/v1/s2s/wallets',
    'secret',
    201,
    'wallet_exists invalid_curve signing_mode_mismatch insufficient_scope email_ambiguous',
  ],
  ['POST', '/v1/s2s/wallets/batch', 'secret', 200, 'signing_mode_mismatch insufficient_scope'],
  [
    'POST',
    '/v1/s2s/wallets/{walletID}/archive',
    'secret',
    204,
    'insufficient_scope wallet_not_found not_found',
  ],
  [
    'POST',
    '/v1/s2s/wallets/{walletID}/unarchive',
    'secret',
    204,
    'insufficient_scope wallet_not_found not_found',
  ],
  [
    'POST',
    '/v1/wallets/evm/prepare-tx',
    'wallet',
    200,
    'chain_unsupported bad_to wallet_not_found wallet_not_evm wallet_archived estimate_gas_reverted rpc_failed rate_limited',
  ],
  [
    'POST',
    '/v1/wallets/evm/broadcast-tx',
    'wallet',
    200,
    'chain_unsupported unsupported_tx_type bad_raw_tx wallet_not_found wallet_not_evm wallet_archived broadcast_failed rate_limited',
  ],
  ['GET', '/v1/wallets/me/smart-accounts', 'wallet', 200, 'wallet_not_found'],
  [
    'POST',
    '/v1/wallets/me/smart-accounts',
    'wallet',
    201,
    'chain_unsupported invalid_curve wallet_not_found wallet_archived rpc_failed',
  ],
  [
    'GET',
    '/v1/s2s/wallets/{walletID}/smart-accounts',
    'secret',
    200,
    'wallet_not_found not_found rate_limited',
  ],
  [
    'POST',
    '/v1/s2s/wallets/{walletID}/smart-accounts',
    'secret',
    201,
    'chain_unsupported invalid_curve wallet_not_found wallet_archived rpc_failed insufficient_scope not_found',
  ],
  [
    'POST',
    '/v1/userop/build',
    'wallet',
    200,
    'chain_unsupported bad_to gas_cap_exceeded wallet_not_found wallet_archived smart_account_not_provisioned estimate_gas_reverted bundler_rejected bundler_failed rpc_failed rate_limited',
  ],
  [
    'POST',
    '/v1/userop/submit',
    'wallet',
    200,
    'invalid_signature not_found wallet_archived expired bundler_rejected bundler_failed rpc_failed rate_limited',
  ],
  ['GET', '/v1/userop/{hash}', 'wallet', 200, 'not_found'],
  ['GET', '/v1/frame', 'public', 200, 'invalid_request unauthorized origin_not_allowed unavailable'],
  ['GET', '/v1/wallets/me/export/{export_id}', 'wallet', 200, 'signing_mode_mismatch not_found'],
  ...documentedAgents,
  ['GET', '/v1/chains', 'publishable_or_secret', 200, 'unauthorized origin_not_allowed ip_not_allowed'],
  ['GET', '/v1/auth/login', 'public', 302, 'invalid_request rate_limited'],
  ['GET', '/v1/auth/callback', 'public', 302, 'invalid_request'],
  ['GET', '/v1/auth/session', 'portal', 200, ''],
  ['POST', '/v1/auth/logout', 'portal', 204, ''],
  ['GET', '/v1/orgs', 'portal', 200, 'rate_limited'],
  ['POST', '/v1/orgs', 'portal', 201, 'slug_taken rate_limited'],
  ...memberRoutes([
    ['GET', '', 200, ''],
    ['PATCH', '', 200, 'forbidden'],
    ['PATCH', '/auth', 200, 'forbidden'],
    ['PATCH', '/recovery-mode', 200, 'forbidden'],
    ['PATCH', '/signing-mode', 200, 'forbidden organization_has_wallets'],
    ['GET', '/chains', 200, ''],
    ['GET', '/members', 200, ''],
    ['POST', '/members', 201, 'forbidden rate_limited'],
    ['PATCH', '/members/{memberID}', 200, 'forbidden last_owner'],
    ['DELETE', '/members/{memberID}', 204, 'forbidden last_owner'],
    ['GET', '/api-keys', 200, 'rate_limited'],
    ['POST', '/api-keys', 201, 'forbidden rate_limited'],
    ['DELETE', '/api-keys/{keyID}', 204, 'forbidden'],
    ['POST', '/api-keys/{keyID}/rotate', 201, 'forbidden rate_limited'],
    ['GET', '/webhook', 200, ''],
    ['PUT', '/webhook', 200, 'forbidden'],
    ['DELETE', '/webhook', 204, 'forbidden'],
    ['POST', '/webhook/test', 200, 'forbidden rate_limited'],
    ['POST', '/webhook/rotate-secret', 200, 'forbidden'],
    ['GET', '/webhook/deliveries', 200, ''],
    ['GET', '/wallets', 200, 'invalid_request'],
    ['GET', '/wallets/{walletID}', 200, 'wallet_not_found'],
    ['POST', '/wallets/{walletID}/archive', 204, 'forbidden wallet_not_found'],
    ['POST', '/wallets/{walletID}/unarchive', 204, 'forbidden wallet_not_found'],
    ['GET', '/users', 200, 'invalid_request'],
    ['GET', '/usage', 200, 'invalid_request'],
    ['GET', '/audit', 200, 'invalid_request'],
    ['GET', '/audit/checkpoint', 200, ''],
    ['GET', '/audit/{eventID}/proof', 200, 'invalid_request'],
    ['GET', '/audit/consistency', 200, 'invalid_request'],
    ['GET', '/audit/export', 200, 'invalid_request rate_limited'],
  ]),
]

/** What the lane and the method alone bring. */
const everyLane: Record<string, string> = {
  public: '',
  publishable: 'unauthorized origin_not_allowed unavailable',
  wallet: 'unauthorized token_expired token_revoked origin_not_allowed unavailable',
  secret: 'unauthorized ip_not_allowed rate_limited unavailable',
  publishable_or_secret: 'unauthorized origin_not_allowed ip_not_allowed rate_limited unavailable',
  portal: 'unauthorized unavailable',
  agent: 'unauthorized token_expired token_revoked unavailable rate_limited',
  portal_or_secret: 'unauthorized ip_not_allowed rate_limited unavailable',
  secret_or_agent: 'unauthorized token_expired token_revoked ip_not_allowed rate_limited unavailable',
  agent_or_delegate: 'unauthorized token_expired token_revoked unavailable',
}
const everyBody = 'invalid_request payload_too_large unsupported_media_type'
const everyMethod: Record<string, string> = {
  POST: `${everyBody} idempotency_key_in_flight idempotency_key_spent idempotency_key_reused`,
  PUT: everyBody,
  PATCH: everyBody,
}

/** Statuses of the HTTP API document's "Errors" and of the decisions' table. */
const statuses: Record<number, string> = {
  400: 'signing_mode_mismatch invalid_curve chain_unsupported bad_to unsupported_tx_type bad_raw_tx invalid_request auth_mode_mismatch address_mismatch invalid_share invalid_signature invalid_payload',
  401: 'unauthorized token_expired token_revoked invalid_code',
  402: 'gas_cap_exceeded',
  403: 'insufficient_scope ip_not_allowed origin_not_allowed policy_violation forbidden export_disabled',
  404: 'not_found wallet_not_found',
  405: 'method_not_allowed',
  409: 'wallet_exists wallet_not_evm smart_account_not_provisioned process_state wallet_archived wallet_not_tee_mode agent_archived slug_taken idempotency_key_in_flight idempotency_key_spent organization_has_wallets last_owner email_ambiguous recovery_delayed export_delayed state_rolled_back',
  410: 'expired',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  422: 'estimate_gas_reverted insufficient_funds idempotency_key_reused',
  424: 'no_email',
  429: 'rate_limited',
  500: 'internal',
  502: 'rpc_failed broadcast_failed recovery_webhook_failed bundler_rejected bundler_failed',
  503: 'unavailable enclave_ring_mismatch',
}

const words = (text: string) => text.split(' ').filter((word) => word !== '')
const all = Object.values<Route>(routes)

test('every documented route exists, and no other', () => {
  expect(all.map((route) => `${route.method} ${route.path}`).sort()).toEqual(
    documented.map(([method, path]) => `${method} ${path}`).sort(),
  )
})

test.each(documented)('%s %s answers as documented', (method, path, lane, status, codes) => {
  const route = all.find((one) => one.method === method && one.path === path)
  expect(route).toMatchObject({ lane, status })
  // A route that writes its whole answer itself keeps none to repeat, and reads its body itself.
  const hasRawHandler = words(codes).includes('raw')
  // Nobody's key: there is no caller whose keys they would be.
  const isKeyless = (code: string) => lane === 'public' && code.startsWith('idempotency_key_')
  const expected = [
    ...words(codes).filter((word) => word !== 'raw'),
    ...words(everyLane[lane] ?? 'no such lane'),
    ...words(hasRawHandler ? (method === 'POST' ? 'payload_too_large' : '') : (everyMethod[method] ?? '')),
    ...(lane.startsWith('portal') && method !== 'GET' ? ['origin_not_allowed'] : []),
    'internal',
  ]
  const codesOf = [...new Set(expected)].filter((code) => !isKeyless(code))
  expect(route && [...errorsOf(route)].sort()).toEqual(codesOf.sort())
})

test('every documented code exists with its status, and no other', () => {
  const expected = Object.entries(statuses).flatMap(([status, codes]) =>
    words(codes).map((code) => [code, Number(status)]),
  )
  expect(Object.fromEntries(Object.entries(errors).map(([code, { status }]) => [code, status]))).toEqual(
    Object.fromEntries(expected),
  )
})

test('a message is one sentence or two for a user: no code, path, placeholder or internal word', () => {
  for (const [code, { message }] of Object.entries(errors) as [ErrorCode, { message: string }][]) {
    expect(message, code).toMatch(/^[A-Z][^_{}$\n]{8,100}\.$/)
    expect(message, code).not.toMatch(/sql|postgres|enclave|null|undefined|stack|exception/i)
  }
})

test('only lanes of secret keys have scopes, and each of their routes names one', () => {
  const lanes = ['secret', 'secret_or_agent', 'portal_or_secret']
  for (const route of all) expect(route.scope !== undefined, route.path).toBe(lanes.includes(route.lane))
})

test('only lanes of the portal have roles, and each of their routes below a company names one', () => {
  for (const { lane, role, path } of all)
    expect(role !== undefined, path).toBe(lane.startsWith('portal') && path.startsWith('/v1/orgs/{orgID}'))
})

test('an answer without a body is 204 or 302, every other one has a schema or is a stream', () => {
  for (const { data, status, stream, path } of all)
    expect(data === undefined, path).toBe(status === 204 || status === 302 || stream !== undefined)
})
