import { join } from 'node:path'
import { errors, type Route } from '@symbolon/api'
import { openPool, type Sql } from '@symbolon/server/pool'
import { type EvmChainAddress, openSecretsFile, systemIds } from '@symbolon/server/testing/adapters'
import type { Organization } from '@symbolon/server/testing/http'
import { mintServiceToken, serviceTokens } from '@symbolon/server/testing/organizations'
import {
  type CallOptions,
  makeTenant,
  makeWalletFor,
  mintSecretKey,
  newMember,
  ownOrigin,
  type PortalUser,
  startTestApp,
  type Tenant,
  type TestApp,
  type TestAppOptions,
} from '@symbolon/testing/app'
import { sharedChain } from '@symbolon/testing/chain'
import { type JsonRpcProxy, jsonRpcProxy, type OidcIssuer, startOidcIssuer } from '@symbolon/testing/http'
import { completionBody, newClientKey } from '@symbolon/testing/wallets'
import { agentBodies } from './agent-bodies.ts'
import { type AgentFixture, makeAgentFixture } from './agent-fixture.ts'
import { portalBodies } from './portal-bodies.ts'
import { transferBodies } from './transfer-error-cases.ts'

/** An end user whose token was minted without an email, so that hundreds of them are cheap. */
export type FastUser = { pk: string; token: string; id: string; email: string }

/** The organizations, users and processes that error cases are made from. */
export type Fixture = {
  app: TestApp
  /** A process that cannot reach its database. */
  cutOff: TestApp
  /** A process whose database port throws what no port should. */
  faulty: TestApp
  /** A process whose first id after `trip()` cannot be made. */
  tripping: TestApp & { trip(): void }
  /** A process whose chain's node cannot be reached. */
  chainless: TestApp
  /** A process whose bundler is behind the proxy `bundler`, and the proxy. */
  bundlerFaults: TestApp
  bundler: JsonRpcProxy
  tenant: Tenant
  /** Without networks of ed25519. */
  evmOnly: Tenant
  client: Tenant
  /** In client mode, without networks of ed25519. */
  clientEvm: Tenant
  /** In client mode, with its own identity provider. */
  clientOidc: Tenant
  issuer: OidcIssuer
  oidc: Tenant
  /** A user of `tenant` with an active wallet. */
  owner: FastUser
  walletId: string
  /** A user whose only wallet is archived. */
  archived: FastUser
  archivedWalletId: string
  /** A user of `tenant` with a wallet and no smart account. */
  withoutAccount: FastUser
  /** A user whose only wallet is of ed25519. */
  solanaUser: FastUser
  solanaWalletId: string
  /** A key that only 10.0.0.0/8 may use. */
  distantKey: string
  /** Members of `tenant`, and a key of it that they may replace. */
  portal: { owner: PortalUser & { memberId: string }; viewer: PortalUser; keyId: string }
  agents: AgentFixture
  newUser(tenant: Tenant, options?: { issuedAtMs?: number }): Promise<FastUser>
  /** A further token of a user of `tenant`. */
  tokenOf(user: FastUser): string
  stop(): Promise<void>
}

/** Builds the fixture over one installation. */
export async function makeFixture(): Promise<Fixture> {
  const chain = await sharedChain()
  const chains = [
    {
      handle: chain.handle,
      rpcUrls: [chain.rpcUrl],
      bundlerUrl: chain.bundlerUrl,
      paymasterUrl: chain.paymasterUrl,
      confirmations: 2,
    },
  ]
  const app = await startTestApp({ chains })
  const [bundler, issuer] = await Promise.all([jsonRpcProxy(chain.bundlerUrl), startOidcIssuer()])
  const processes = await startFaultyProcesses(app, chains, bundler)
  const tenants = await makeTenants(app, issuer)
  const users = await makeUsers(app, tenants.tenant)
  const { tenant } = tenants
  return {
    app,
    ...processes,
    bundler,
    issuer,
    ...tenants,
    ...users,
    agents: await makeAgentFixture(app, { tenant, member: users.portal.owner, walletId: users.walletId }),
    async stop() {
      await Promise.all(Object.values(processes).map((process) => process.stop()))
      await bundler.stop()
      await issuer.stop()
      await app.stop()
    },
  }
}

/** Processes of the installation, each with one part that fails. */
async function startFaultyProcesses(
  installation: TestApp,
  chains: readonly EvmChainAddress[],
  bundler: JsonRpcProxy,
) {
  const unreachable = openPool('postgres://nobody@127.0.0.1:1/none', { connectionsMax: 1 })
  const thrown = () => {
    throw new TypeError('select secret from internals; /root/app.ts:1 postgres')
  }
  const throwing = Object.assign(thrown, { unsafe: thrown, begin: thrown }) as unknown as Sql
  let isTripped = false
  const ids = systemIds()
  const next = () => {
    if (!isTripped) return ids.next()
    isTripped = false
    throw new TypeError('No id can be made.')
  }
  const nowhere = 'http://127.0.0.1:1'
  const unwired = { rpcUrls: [nowhere], bundlerUrl: nowhere, paymasterUrl: nowhere }
  const start = (options: TestAppOptions) => startTestApp({ installation, chains, ...options })
  const [cutOff, faulty, tripping, chainless, bundlerFaults] = await Promise.all([
    start({ ports: { sql: unreachable } }),
    start({ ports: { sql: throwing } }),
    start({ ports: { ids: { next } } }),
    start({ chains: chains.map((one) => ({ ...one, ...unwired })) }),
    start({ chains: chains.map((one) => ({ ...one, bundlerUrl: bundler.url })) }),
  ])
  const trip = () => {
    isTripped = true
  }
  return { cutOff, faulty, tripping: { ...tripping, trip }, chainless, bundlerFaults }
}

async function makeTenants(app: TestApp, { issuer }: OidcIssuer) {
  return {
    tenant: await makeTenant(app),
    evmOnly: await makeTenant(app, { supportedNetworks: ['evm'] }),
    client: await makeTenant(app, { signingMode: 'client' }),
    clientEvm: await makeTenant(app, { signingMode: 'client', supportedNetworks: ['evm'] }),
    clientOidc: await makeTenant(app, { signingMode: 'client', oidc: { issuer, audience: 'app' } }),
    oidc: await makeTenant(app, { oidc: { issuer: 'https://issuer.example.test', audience: 'app' } }),
  }
}

/** Users of `tenant` with and without wallets, its members and its keys. */
async function makeUsers(app: TestApp, tenant: Tenant) {
  const { newUser, mint } = userMaker(app)
  const owner = await newUser(tenant)
  const archived = await newUser(tenant)
  const withoutAccount = await newUser(tenant)
  const solanaUser = await newUser(tenant)
  const wallet = await makeWalletFor(app, tenant, 'secp256k1', owner.email)
  await makeWalletFor(app, tenant, 'secp256k1', withoutAccount.email)
  const solanaWallet = await makeWalletFor(app, tenant, 'ed25519', solanaUser.email)
  const archivedWallet = await makeWalletFor(app, tenant, 'secp256k1', archived.email)
  await app.call('POST', `/v1/s2s/wallets/${archivedWallet.id}/archive`, { sk: tenant.sk })
  return {
    owner,
    archived,
    withoutAccount,
    solanaUser,
    walletId: wallet.id,
    archivedWalletId: archivedWallet.id,
    solanaWalletId: solanaWallet.id,
    distantKey: (await mintSecretKey(app, tenant, { ipAllowlist: ['10.0.0.0/8'] })).key,
    portal: {
      owner: await newMember(app, tenant.id, 'owner'),
      viewer: await newMember(app, tenant.id, 'viewer'),
      keyId: (await mintSecretKey(app, tenant)).id,
    },
    newUser,
    tokenOf: (user: FastUser) => mint(tenant.id, user),
  }
}

/** Makes users by what the login would leave: their row and a token of the installation's own secrets. */
function userMaker({ folder, sql }: TestApp) {
  const { masters } = openSecretsFile(join(folder, 'secrets.json'))
  const tokens = serviceTokens({ baseUrl: ownOrigin, masters })
  const ids = systemIds()
  const mint = (organizationId: string, { id, email }: { id: string; email: string }, nowMs = Date.now()) => {
    const organization = { id: organizationId, authMode: 'service', authChangedAtMs: 0 } as Organization
    return mintServiceToken(tokens, { organization, identityId: id, email, jti: ids.next(), nowMs })
  }
  const newUser: Fixture['newUser'] = async ({ id: organizationId, pk }, { issuedAtMs } = {}) => {
    const id = ids.next()
    const email = `${id}@example.test`
    await sql`insert into identities (id, organization_id, auth_provider, provider_user_id, email)
      values (${id}, ${organizationId}, 'service', ${email}, ${email})`
    return { pk, token: mint(organizationId, { id, email }, issuedAtMs), id, email }
  }
  return { newUser, mint }
}

/** The credentials that the lane of a route asks for. */
export function credentialsOf(
  route: Route,
  tenant: Tenant,
  user: FastUser,
  agents: AgentFixture,
): CallOptions {
  switch (route.lane) {
    case 'publishable':
      return { pk: tenant.pk }
    case 'wallet':
      return { pk: user.pk, token: user.token }
    case 'secret':
    case 'publishable_or_secret':
    case 'portal_or_secret':
    case 'secret_or_agent':
      return { sk: tenant.sk }
    case 'agent':
    case 'agent_or_delegate':
      return { token: agents.session.token }
    default:
      return {}
  }
}

/** The route's path with its parameters put in; a member is nobody unless named. */
export const pathOf = (
  { tenant, walletId, portal, agents }: Fixture,
  { path }: Route,
  other: { tenant?: Tenant; walletId?: string; memberId?: string } = {},
): string =>
  path
    .replace(/\{(walletID|recovery_process_id|export_id)\}/, other.walletId ?? walletId)
    .replace('{orgID}', (other.tenant ?? tenant).id)
    .replace('{memberID}', other.memberId ?? nobodysId)
    .replace('{keyID}', portal.keyId)
    .replace('{agentID}', agents.agent.id)
    .replace('{sessionID}', agents.spareId)
    .replace('{id}', agents.session.id)
    .replace(/\{(eventID|runID|hookID)\}/, nobodysId)
    .replace('{hash}', nobodysHash)
    .replace('{kid}', 'k'.repeat(43))
    .replace(/\{\w+\}/, (name) => {
      throw new Error(`Nothing fills ${name} of ${path}: add it to pathOf.`)
    })

/** A body that the route's schema takes; `undefined` for a route without one. */
export function bodyOf(route: Route, fixture: Fixture): Record<string, unknown> | undefined {
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
    case 'recovery.verify':
      return { code: '123456' }
    case 'recovery.complete':
      return completionBody(newClientKey())
    case 'shares.refresh':
      return {
        ...completionBody(newClientKey()),
        polynomial_version: 1,
        signature: `0x${'11'.repeat(64)}`,
      }
    case 'signing.signMine':
      return { type: 'message', message: 'hello' }
    case 'enclave.operator':
      return { frame: Buffer.alloc(200, 1).toString('base64url') }
    case 'evm.prepareTx':
      return { chain: 'local', to: strangersAddress, data: '0x', value: '0', gas_limit: '21000' }
    case 'evm.broadcastTx':
      return { chain: 'local', raw_tx: strangersTx }
    case 'smartAccounts.createMine':
    case 'smartAccounts.createFor':
      return { chain: 'local' }
    case 'userops.build':
      return { chain: 'local', calls: [{ to: strangersAddress }] }
    case 'userops.submit':
      return { user_op_hash: nobodysHash, signature: '0x' }
    case 'signing.sign':
      return { type: 'message', message: 'hello', wallet_id: fixture.walletId }
    default:
      return (transferBodies[route.id] ?? portalBodies[route.id] ?? agentBodies[route.id])?.(fixture)
  }
}

const nobodysId = '01890000-0000-7000-8000-000000000000'
const nobodysHash = `0x${'11'.repeat(32)}`

/** Somebody whom no wallet of ours belongs to: the address of the private key 1. */
export const strangersAddress = '0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf'

/** A transaction on `local` that the stranger has signed: nonce 0, nothing to itself. */
export const strangersTx =
  '0x02f86c827a6980843b9aca008477359400825208947e5f4552091a69125d5dfcb7b8c2659029395bdf8080c080a0abf4b1b10af17a1ad02429b1c589a59c6cc26c359b24b0e042d1084d56b84da1a033501c91b7e3496e52c6369948930709593cb22e82fd6e7ab4a3f8bda747de25'

/** Words of our insides that no message may carry. */
export const internals =
  /postgres|sql|select |insert |relation|column|constraint|node_modules|\.ts\b|\.js\b| at \/|stack|ECONN|TypeError|zod|fastify|\/work\/|\/root\/|\/tmp\//i

/** The statuses of the catalogue, for comparison. */
export const statusOf = (code: string): number | undefined => errors[code as keyof typeof errors]?.status
