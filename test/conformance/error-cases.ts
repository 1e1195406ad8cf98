import { createHash, randomUUID } from 'node:crypto'
import type { ErrorCode, Route } from '@symbolon/api'
import { entryPoint } from '@symbolon/networks/evm'
import { idempotencyScope, idempotencyStore } from '@symbolon/server/testing/http'
import { readJwt, tokenName } from '@symbolon/server/testing/organizations'
import { type CallOptions, mailedCode, makeTenant, makeWalletFor, type Tenant } from '@symbolon/testing/app'
import { holdOrganization, untilWaiting } from '@symbolon/testing/database'
import { a2aErrorCases } from './a2a-error-cases.ts'
import { agentErrorCases } from './agent-error-cases.ts'
import { agentSigningErrorCases } from './agent-signing-error-cases.ts'
import { agentWorkErrorCases } from './agent-work-error-cases.ts'
import { type Changes, callRoute, fillBucket, loseAnswer, type Provoke } from './call-route.ts'
import { clientErrorCases } from './client-error-cases.ts'
import { byUserOfOlderState, withForeignRing, withWalletOfOlderState } from './enclave-states.ts'
import { bodyOf, credentialsOf, type Fixture, pathOf, strangersAddress } from './fixture.ts'
import { portalErrorCases } from './portal-error-cases.ts'
import { transferErrorCases } from './transfer-error-cases.ts'
import { useropErrorCases } from './userop-error-cases.ts'

export type { Provoke } from './call-route.ts'

/** What a POST sends; GET sends nothing. */
const sent = (fixture: Fixture, route: Route): CallOptions =>
  route.method === 'POST' ? { json: bodyOf(route, fixture) ?? {} } : {}

const withoutCredentials: Provoke = (fixture, route) =>
  fixture.app.call(route.method, pathOf(fixture, route), sent(fixture, route))

const createWith = (change: Record<string, unknown>, tenantOf: (fixture: Fixture) => Tenant): Provoke => {
  return async (fixture, route) => {
    const tenant = tenantOf(fixture)
    const user = await fixture.newUser(tenant)
    return callRoute(fixture, route, { tenant, user, json: { ...bodyOf(route, fixture), ...change } })
  }
}

const signWith = (change: Record<string, unknown>): Provoke => {
  return async (fixture, route) => {
    await fixture.app.sql`delete from rate_limits`
    return callRoute(fixture, route, { json: { ...bodyOf(route, fixture), ...change } })
  }
}

const attestationNonce = `?nonce=${'A'.repeat(22)}`

const tooManyOperatorFrames: Provoke = async (fixture, route) => {
  await fillBucket(fixture, 'enclave-operator:127.0.0.1')
  try {
    return await callRoute(fixture, route)
  } finally {
    await fixture.app.sql`delete from rate_limits`
  }
}

const tooManyAttestations: Provoke = async (fixture, route) => {
  await fillBucket(fixture, 'attestation:127.0.0.1')
  try {
    return await callRoute(fixture, route, route.query === undefined ? {} : { query: attestationNonce })
  } finally {
    await fixture.app.sql`delete from rate_limits`
  }
}

/** What any route of a lane or method is provoked by. */
export const shared: Partial<Record<ErrorCode, Provoke>> = {
  unauthorized: withoutCredentials,

  token_expired: async (fixture, route) =>
    callRoute(fixture, route, {
      user: await fixture.newUser(fixture.tenant, { issuedAtMs: Date.now() - 3_601_000 }),
    }),

  token_revoked: async (fixture, route) => {
    const user = await fixture.newUser(fixture.tenant)
    await fixture.app.call('POST', '/v1/wallets/me/logout', { pk: user.pk, token: user.token })
    return callRoute(fixture, route, { user })
  },

  origin_not_allowed: async (fixture, route) => {
    const { pk } = fixture.tenant
    // The mixed lane knows origins only beside a publishable key.
    const credentials =
      route.lane === 'publishable_or_secret'
        ? { pk }
        : credentialsOf(route, fixture.tenant, fixture.owner, fixture.agents)
    return fixture.app.call(route.method, pathOf(fixture, route), {
      ...credentials,
      ...sent(fixture, route),
      headers: { origin: 'https://elsewhere.example.test' },
    })
  },

  ip_not_allowed: (fixture, route) => callRoute(fixture, route, { sk: fixture.distantKey }),

  insufficient_scope: (fixture, route) => callRoute(fixture, route, { sk: fixture.tenant.readKey }),

  rate_limited: async (fixture, route) => {
    const { owner, tenant } = fixture
    await fillBucket(fixture, route.lane === 'wallet' ? `${route.limit}:${owner.id}` : `s2s:${tenant.keyId}`)
    try {
      return await callRoute(fixture, route)
    } finally {
      await fixture.app.sql`delete from rate_limits`
    }
  },

  unavailable: (fixture, route) => callRoute(fixture, route, { process: fixture.cutOff }),

  internal: (fixture, route) => {
    if (route.lane !== 'public') return callRoute(fixture, route, { process: fixture.faulty })
    fixture.tripping.trip()
    return callRoute(fixture, route, { process: fixture.tripping })
  },

  invalid_request: async (fixture, route) => {
    const user = await fixture.newUser(fixture.tenant)
    if (route.method === 'GET') return callRoute(fixture, route, { user, query: '?unknown=1' })
    return callRoute(fixture, route, { user, json: { ...bodyOf(route, fixture), unknown: 1 } })
  },

  unsupported_media_type: async (fixture, route) => {
    const user = await fixture.newUser(fixture.tenant)
    return callRoute(fixture, route, { user, body: 'text', headers: { 'content-type': 'text/plain' } })
  },

  payload_too_large: async (fixture, route) => {
    const user = await fixture.newUser(fixture.tenant)
    return callRoute(fixture, route, { user, body: `"${'x'.repeat(256 * 1024)}"` })
  },

  not_found: (fixture, route) => callRoute(fixture, route, { walletId: 'not-a-uuid' }),

  idempotency_key_in_flight: async (fixture, route) => {
    const first = await begun(fixture, route)
    return callRoute(fixture, route, first)
  },

  idempotency_key_spent: async (fixture, route) => {
    const first = await begun(fixture, route)
    await loseAnswer(fixture, first.headers['idempotency-key'])
    return callRoute(fixture, route, first)
  },

  idempotency_key_reused: async (fixture, route) => {
    const user = await fixture.newUser(fixture.tenant)
    const headers = { 'idempotency-key': randomUUID() }
    // A logout that runs ends its credential: of it only a refusal is ever repeated.
    const body = JSON.stringify(route.id === 'auth.logout' ? { unknown: 1 } : (bodyOf(route, fixture) ?? {}))
    await callRoute(fixture, route, { user, body, headers })
    return callRoute(fixture, route, { user, body: `${body} `, headers })
  },
}

/** A request whose first one stands in the database as it does while it runs. */
async function begun(fixture: Fixture, route: Route) {
  const user = await fixture.newUser(fixture.tenant)
  const key = randomUUID()
  const body = JSON.stringify(bodyOf(route, fixture) ?? {})
  const path = pathOf(fixture, route)
  const credentialId = await credentialIdOf(fixture, route, user)
  const use = { scope: idempotencyScope(credentialId, 'POST', path), key }
  await idempotencyStore.take(fixture.app.sql, use, createHash('sha256').update(body).digest(), {
    attemptId: randomUUID(),
    processId: randomUUID(),
  })
  return { user, body, headers: { 'idempotency-key': key } }
}

async function credentialIdOf(
  { app, tenant }: Fixture,
  route: Route,
  user: { id: string; token: string },
): Promise<string> {
  const jwt = readJwt(user.token)
  if (route.lane === 'wallet' && jwt !== undefined) return `${user.id} ${tokenName(jwt)}`
  if (route.lane.includes('secret') && route.lane !== 'publishable_or_secret') return tenant.keyId
  const rows = await app.sql<
    { id: string }[]
  >`select id from api_keys where organization_id = ${tenant.id} and type = 'publishable'`
  const keyId = rows[0]?.id ?? ''
  // Callers of a public key are told apart by address and device: here one address, and no device.
  return route.lane === 'publishable' ? JSON.stringify([keyId, '127.0.0.1', null, null]) : keyId
}

const emailOf = (answerless: Record<string, unknown> | undefined) => String(answerless?.['email'])

const walletMissing: Provoke = async (fixture, route) =>
  callRoute(fixture, route, { user: await fixture.newUser(fixture.tenant), walletId: randomUUID() })

const signErrors: Partial<Record<ErrorCode, Provoke>> = {
  invalid_payload: signWith({ message: 'lone \ud800 surrogate' }),
  chain_unsupported: signWith({ chain: 'no-such-chain' }),
}

/** Calls the route with its usual body changed. */
const withFields = (
  change: Record<string, unknown>,
  changes: (fixture: Fixture) => Changes = () => ({}),
): Provoke => {
  return async (fixture, route) =>
    callRoute(fixture, route, { ...changes(fixture), json: { ...bodyOf(route, fixture), ...change } })
}

const smallTransaction = {
  to: strangersAddress,
  nonce: '0x0',
  gas_limit: '0x5208',
  max_fee_per_gas: '0x77359400',
  max_priority_fee_per_gas: '0x1',
}

const evmErrors: Partial<Record<ErrorCode, Provoke>> = {
  chain_unsupported: withFields({ chain: 'base' }),
  wallet_not_found: walletMissing,
  wallet_not_evm: (fixture, route) => callRoute(fixture, route, { user: fixture.solanaUser }),
  wallet_archived: (fixture, route) => callRoute(fixture, route, { user: fixture.archived }),
}

const smartAccountErrors: Partial<Record<ErrorCode, Provoke>> = {
  chain_unsupported: withFields({ chain: 'base' }),
  wallet_not_found: walletMissing,
  invalid_curve: (fixture, route) =>
    callRoute(fixture, route, { user: fixture.solanaUser, walletId: fixture.solanaWalletId }),
  wallet_archived: (fixture, route) =>
    callRoute(fixture, route, { user: fixture.archived, walletId: fixture.archivedWalletId }),
  rpc_failed: async (fixture, route) => {
    const user = await fixture.newUser(fixture.tenant)
    const { id } = await makeWalletFor(fixture.app, fixture.tenant, 'secp256k1', user.email)
    return callRoute(fixture, route, { user, walletId: id, process: fixture.chainless })
  },
}

/** The error cases of single routes, which come first. */
export const own: Record<string, Partial<Record<ErrorCode, Provoke>>> = {
  'health.ready': { enclave_ring_mismatch: withForeignRing },

  'attestation.get': {
    unavailable: (fixture, route) =>
      callRoute(fixture, route, { process: fixture.cutOff, query: attestationNonce }),
    internal(fixture, route) {
      fixture.tripping.trip()
      return callRoute(fixture, route, { process: fixture.tripping, query: attestationNonce })
    },
    rate_limited: tooManyAttestations,
  },

  'attestation.getKey': {
    not_found: (fixture, route) => callRoute(fixture, route),
    rate_limited: tooManyAttestations,
  },

  'enclave.operator': {
    forbidden: (fixture, route) => callRoute(fixture, route),
    rate_limited: tooManyOperatorFrames,
  },

  ...useropErrorCases,
  ...clientErrorCases,
  ...transferErrorCases,
  ...portalErrorCases,
  ...agentErrorCases,
  ...a2aErrorCases,
  ...agentSigningErrorCases,
  ...agentWorkErrorCases,
  'auth.startEmailOtp': {
    auth_mode_mismatch: (fixture, route) => callRoute(fixture, route, { tenant: fixture.oidc }),
    rate_limited: async (fixture, route) => {
      const json = bodyOf(route, fixture)
      for (let i = 0; i < 5; i++) await callRoute(fixture, route, { json })
      return callRoute(fixture, route, { json })
    },
  },
  'auth.verifyEmailOtp': {
    auth_mode_mismatch: (fixture, route) => callRoute(fixture, route, { tenant: fixture.oidc }),
    invalid_code: (fixture, route) => callRoute(fixture, route),
    rate_limited: async (fixture, route) => {
      const json = bodyOf(route, fixture)
      await fillBucket(fixture, `otp-verify:${fixture.tenant.id}:${emailOf(json)}:127.0.0.1`)
      return callRoute(fixture, route, { json })
    },
    idempotency_key_spent: async (fixture, route) => {
      const email = emailOf(bodyOf(route, fixture))
      await fixture.app.call('POST', '/v1/wallets/auth/email-otp/start', {
        pk: fixture.tenant.pk,
        json: { email },
      })
      const code = await mailedCode(fixture.app, email)
      const headers = { 'idempotency-key': randomUUID() }
      await callRoute(fixture, route, { json: { email, code }, headers })
      return callRoute(fixture, route, { json: { email, code }, headers })
    },
  },
  'wallets.getMine': {
    wallet_not_found: walletMissing,
    invalid_curve: async (fixture, route) => {
      const user = await fixture.newUser(fixture.evmOnly)
      return callRoute(fixture, route, { user, query: '?curve=ed25519' })
    },
  },
  'wallets.create': {
    wallet_exists: (fixture, route) => callRoute(fixture, route),
    invalid_curve: createWith({ curve: 'ed25519' }, ({ evmOnly }) => evmOnly),
    // The signing mode changes while the wallet is made.
    signing_mode_mismatch: async (fixture, route) => {
      const tenant = await makeTenant(fixture.app)
      const user = await fixture.newUser(tenant)
      const release = await holdOrganization(fixture.app, tenant.id)
      const creation = callRoute(fixture, route, { user })
      await untilWaiting(fixture.app)
      await release(`update organizations set signing_mode = 'client' where id = '${tenant.id}'`)
      return creation
    },
    ...clientErrorCases['wallets.create'],
  },
  'wallets.createFor': {
    wallet_exists: (fixture, route) => callRoute(fixture, route, { json: { email: fixture.owner.email } }),
    email_ambiguous: async (fixture, route) => {
      const { app, oidc } = fixture
      for (const subject of ['one', 'other'])
        await app.sql`insert into identities (id, organization_id, auth_provider, issuer, provider_user_id, email)
          values (gen_random_uuid(), ${oidc.id}, 'oidc', 'https://issuer.example.test', ${subject}, 'both@example.test')`
      return callRoute(fixture, route, { tenant: oidc, json: { email: 'both@example.test' } })
    },
    invalid_curve: createWith({ curve: 'ed25519' }, ({ evmOnly }) => evmOnly),
    signing_mode_mismatch: createWith({}, ({ client }) => client),
  },
  'wallets.createBatch': { signing_mode_mismatch: createWith({}, ({ client }) => client) },
  'wallets.get': { wallet_not_found: walletMissing },
  'wallets.archive': { wallet_not_found: walletMissing },
  'wallets.unarchive': { wallet_not_found: walletMissing },
  'signing.signMine': {
    ...signErrors,
    invalid_curve: async (fixture, route) => {
      const user = await fixture.newUser(fixture.evmOnly)
      return callRoute(fixture, route, { user, json: { type: 'message', message: 'hi', curve: 'ed25519' } })
    },
    signing_mode_mismatch: async (fixture, route) =>
      callRoute(fixture, route, { user: await fixture.newUser(fixture.client) }),
    wallet_not_found: walletMissing,
    wallet_archived: (fixture, route) => callRoute(fixture, route, { user: fixture.archived }),
    state_rolled_back: byUserOfOlderState,
    rate_limited: async (fixture, route) => {
      const user = await fixture.newUser(fixture.tenant)
      await fillBucket(fixture, `user-sign:${user.id}`)
      return callRoute(fixture, route, { user })
    },
  },
  'evm.prepareTx': {
    ...evmErrors,
    bad_to: withFields({ to: '0x1234' }),
    // The EntryPoint knows no such function.
    estimate_gas_reverted: withFields({ to: entryPoint, data: '0xdeadbeef', gas_limit: undefined }),
    rpc_failed: withFields({}, ({ chainless }) => ({ process: chainless })),
  },
  'evm.broadcastTx': {
    ...evmErrors,
    unsupported_tx_type: withFields({ raw_tx: '0x01c0' }),
    bad_raw_tx: withFields({ raw_tx: 'no hex' }),
    broadcast_failed: async (fixture, route) => {
      const { data } = await fixture.app.call('POST', '/v1/s2s/sign', {
        sk: fixture.tenant.sk,
        json: {
          type: 'transaction',
          chain: 'local',
          transaction: smallTransaction,
          wallet_id: fixture.walletId,
        },
      })
      return withFields({ raw_tx: data['signed_transaction'] }, ({ chainless }) => ({ process: chainless }))(
        fixture,
        route,
      )
    },
  },
  'smartAccounts.listMine': { wallet_not_found: walletMissing },
  'smartAccounts.createMine': smartAccountErrors,
  'smartAccounts.list': { wallet_not_found: walletMissing },
  'smartAccounts.createFor': smartAccountErrors,
  'signing.sign': {
    policy_violation: (fixture, route) =>
      callRoute(fixture, route, {
        token: fixture.agents.session.token,
        json: { type: 'message', message: 'hello', chain: 'ethereum', wallet_id: fixture.walletId },
      }),
    ...signErrors,
    invalid_curve: async (fixture, route) => {
      const { id } = await makeWalletFor(fixture.app, fixture.evmOnly)
      const json = { type: 'message', message: 'hi', curve: 'ed25519', wallet_id: id }
      return callRoute(fixture, route, { tenant: fixture.evmOnly, json })
    },
    signing_mode_mismatch: (fixture, route) => callRoute(fixture, route, { tenant: fixture.client }),
    wallet_not_found: signWith({ wallet_id: randomUUID() }),
    wallet_archived: (fixture, route) =>
      callRoute(fixture, route, { json: { ...bodyOf(route, fixture), wallet_id: fixture.archivedWalletId } }),
    state_rolled_back: withWalletOfOlderState,
  },
}
