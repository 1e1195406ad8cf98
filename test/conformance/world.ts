import { join } from 'node:path'
import { errors, type Route } from '@symbolon/api'
import { openSecretsFile } from '../../packages/server/src/adapters/secrets-file.ts'
import { systemIds } from '../../packages/server/src/adapters/system.ts'
import { openPool, type Sql } from '../../packages/server/src/db/pool.ts'
import { serviceTokens } from '../../packages/server/src/features/auth/service-token.ts'
import type { Organization } from '../../packages/server/src/http/caller.ts'
import { type CallOptions, ownOrigin, startTestApp, type TestApp } from '../support/app.ts'
import { makeTenant, makeWalletFor, mintSecretKey, type Tenant } from '../support/tenant.ts'

/** An end user whose token was minted without a mail, so that hundreds of them are cheap. */
export type FastUser = { pk: string; token: string; id: string; email: string }

/** The organizations, users and processes that provocations are made from. */
export type World = {
  app: TestApp
  /** A process that cannot reach its database. */
  cutOff: TestApp
  /** A process whose database port throws what no port should. */
  faulty: TestApp
  /** A process whose first id after `trip()` cannot be made. */
  tripping: TestApp & { trip(): void }
  tenant: Tenant
  /** Without networks of ed25519. */
  evmOnly: Tenant
  client: Tenant
  oidc: Tenant
  /** A user of `tenant` with an active wallet. */
  owner: FastUser
  walletId: string
  /** A user whose only wallet is archived. */
  archived: FastUser
  archivedWalletId: string
  /** A key that only 10.0.0.0/8 may use. */
  distantKey: string
  newUser(tenant: Tenant, options?: { issuedAtMs?: number }): Promise<FastUser>
  /** A further token of a user of `tenant`. */
  tokenOf(user: FastUser): string
  stop(): Promise<void>
}

/** Builds the world over one installation. */
export async function makeWorld(): Promise<World> {
  const app = await startTestApp()
  const unreachable = openPool('postgres://nobody@127.0.0.1:1/none', { connectionsMax: 1 })
  const thrown = () => {
    throw new TypeError('select secret from internals; /root/app.ts:1 postgres')
  }
  let isTripped = false
  const ids = systemIds()
  const next = () => {
    if (!isTripped) return ids.next()
    isTripped = false
    throw new TypeError('No id can be made.')
  }
  const cutOff = await startTestApp({ installation: app, ports: { sql: unreachable } })
  const faulty = await startTestApp({
    installation: app,
    ports: { sql: Object.assign(thrown, { unsafe: thrown, begin: thrown }) as unknown as Sql },
  })
  const tripping = await startTestApp({ installation: app, ports: { ids: { next } } })

  const { newUser, mint } = userMaker(app)
  const tenant = await makeTenant(app)
  const world = {
    app,
    cutOff,
    faulty,
    tripping: {
      ...tripping,
      trip() {
        isTripped = true
      },
    },
    tenant,
    evmOnly: await makeTenant(app, { supportedNetworks: ['evm'] }),
    client: await makeTenant(app, { signingMode: 'client' }),
    oidc: await makeTenant(app, { oidc: { issuer: 'https://issuer.example.test', audience: 'app' } }),
    owner: await newUser(tenant),
    archived: await newUser(tenant),
    distantKey: (await mintSecretKey(app, tenant, { ipAllowlist: ['10.0.0.0/8'] })).key,
    newUser,
    tokenOf: (user: FastUser) => mint(tenant.id, user),
  }
  const wallet = await makeWalletFor(app, tenant, 'secp256k1', world.owner.email)
  const archivedWallet = await makeWalletFor(app, tenant, 'secp256k1', world.archived.email)
  await app.call('POST', `/v1/s2s/wallets/${archivedWallet.id}/archive`, { sk: tenant.sk })
  return {
    ...world,
    walletId: wallet.id,
    archivedWalletId: archivedWallet.id,
    async stop() {
      await Promise.all([cutOff, faulty, tripping].map((process) => process.stop()))
      await app.stop()
    },
  }
}

/** Makes users by what the login would leave: their row and a token of the installation's own secrets. */
function userMaker({ folder, sql }: TestApp) {
  const { masters } = openSecretsFile(join(folder, 'secrets.json'))
  const tokens = serviceTokens({ baseUrl: ownOrigin, masters })
  const ids = systemIds()
  const mint = (organizationId: string, { id, email }: { id: string; email: string }, nowMs = Date.now()) => {
    const organization = { id: organizationId, authMode: 'service', authChangedAtMs: 0 } as Organization
    return tokens.mint({ organization, identityId: id, email, jti: ids.next(), nowMs })
  }
  const newUser: World['newUser'] = async ({ id: organizationId, pk }, { issuedAtMs } = {}) => {
    const id = ids.next()
    const email = `${id}@example.test`
    await sql`insert into identities (id, organization_id, auth_provider, provider_user_id, email)
      values (${id}, ${organizationId}, 'service', ${email}, ${email})`
    return { pk, token: mint(organizationId, { id, email }, issuedAtMs), id, email }
  }
  return { newUser, mint }
}

/** The credentials that the lane of a route asks for. */
export function credentialsOf(route: Route, tenant: Tenant, user: FastUser): CallOptions {
  switch (route.lane) {
    case 'publishable':
      return { pk: tenant.pk }
    case 'wallet':
      return { pk: user.pk, token: user.token }
    case 'secret':
    case 'publishable_or_secret':
      return { sk: tenant.sk }
    default:
      return {}
  }
}

/** The route's path with its parameters put in. */
export const pathOf = (route: Route, walletId: string): string => route.path.replace('{walletID}', walletId)

/** A body that the route's schema takes; `undefined` for a route without one. */
export function bodyOf(route: Route, world: World): Record<string, unknown> | undefined {
  const email = `${systemIds().next()}@example.test`
  switch (route.id) {
    case 'auth.startEmailOtp':
      return { email }
    case 'auth.verifyEmailOtp':
      return { email, code: '123456' }
    case 'wallets.create':
      return { curve: 'secp256k1' }
    case 'wallets.createFor':
      return { email, curve: 'secp256k1' }
    case 'wallets.createBatch':
      return { items: [{ email }] }
    case 'signing.signMine':
      return { type: 'message', message: 'hello' }
    case 'signing.sign':
      return { type: 'message', message: 'hello', wallet_id: world.walletId }
    default:
      return undefined
  }
}

/** Words of our insides that no message may carry. */
export const internals =
  /postgres|sql|select |insert |relation|column|constraint|node_modules|\.ts\b|\.js\b| at \/|stack|ECONN|TypeError|zod|fastify|\/work\/|\/root\/|\/tmp\//i

/** The statuses of the catalogue, for comparison. */
export const statusOf = (code: string): number | undefined => errors[code as keyof typeof errors]?.status
