import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import path from 'node:path'
import {
  type App,
  ConfigError,
  LostKeysError,
  makeFirstKeys,
  type RunningServer,
  readConfig,
  SchemaError,
  startServer,
} from '@symbolon/server'
import { simulatedRegisters } from './attestation/index.ts'
import { firstOwner } from './identity/first-owner.ts'
import { providerPath } from './identity/identity-environment.ts'
import { mountIdentityProvider } from './identity/identity-provider.ts'
import { mailboxStore } from './mail/mailbox.store.ts'
import { chainProbe } from './routes/chain-probe.ts'
import { demoAppRoutes } from './routes/demo-app.ts'
import { devChainAccess } from './routes/dev-chain.ts'
import { devPortalRoutes } from './routes/dev-portal.ts'
import { devRecoveryRoutes } from './routes/dev-recovery.ts'
import { type DevOrganization, devRoutes } from './routes/dev-routes.ts'
import { leadToOneHost } from './routes/one-host.ts'
import { readDevFile } from './start/dev-file.ts'

export { ConfigError, LostKeysError, SchemaError }

/** The server as in production, with the development interface added and the simulated enclave's measurements accepted. */
export async function startDevServer(environment: NodeJS.ProcessEnv): Promise<RunningServer> {
  const chains = localChainsOf(environment).map(devChainAccess)
  const devFile = environment['SYMBOLON_DEV_FILE']
  const config = readConfig(environment, 'development')
  const { baseUrl, identityProvider } = config
  await makeFirstKeys(config)
  const server = await startServer(config, {
    simulatedMeasurements: [simulatedRegisters],
    probes: { chain: chainProbe(chains), ...(devFile !== undefined && { dev_file: devFileProbe(devFile) }) },
    async extend(http, { app, sql }) {
      await mailboxStore.prepare(sql)
      devRoutes(http, {
        sql,
        chains,
        createOrganization: (input) => devOrganization(app, input),
      })
      devRecoveryRoutes(http, app)
      devPortalRoutes(http, app)
      leadToOneHost(http, baseUrl)
      if (identityProvider?.issuer === `${baseUrl}${providerPath}`) {
        const { clientId: id, clientSecret: secret } = identityProvider
        mountIdentityProvider(http, { sql, baseUrl, client: { id, secret } })
      }
      demoAppRoutes(http, {
        devFile: () => (devFile === undefined ? undefined : readDevFile(path.dirname(devFile))),
      })
    },
  })
  return {
    ...server,
    async stop() {
      await server.stop()
      for (const chain of chains) chain.close()
    },
  }
}

/** A client that waits until the platform is ready finds its keys there. */
function devFileProbe(file: string): () => Promise<{ status: 'up' | 'starting' }> {
  return async () => ({ status: existsSync(file) ? 'up' : 'starting' })
}

/** The local chains that the start wired this process to; none when they are off or the developer's own. */
function localChainsOf(environment: NodeJS.ProcessEnv): Parameters<typeof devChainAccess>[0][] {
  return JSON.parse(environment['SYMBOLON_LOCAL_CHAINS'] || '[]') as Parameters<typeof devChainAccess>[0][]
}

/** An organization with the three keys that a developer needs, and its owner. */
async function devOrganization(
  { orgs, portal }: Pick<App, 'orgs' | 'portal'>,
  { name, signingMode }: { name: string; signingMode: 'client' | 'tee' },
): Promise<DevOrganization> {
  const { id } = await orgs.create({ name, slug: `dev-${randomUUID()}`, signingMode })
  await portal.adopt(id, firstOwner)
  const shared = { ipAllowlist: [], expiresAt: null }
  const [publishable, secret, read] = await Promise.all([
    orgs.mintKey(id, { ...shared, name: 'publishable', type: 'publishable', scope: null }),
    orgs.mintKey(id, { ...shared, name: 'secret', type: 'secret', scope: 'full' }),
    orgs.mintKey(id, { ...shared, name: 'read', type: 'secret', scope: 'read' }),
  ])
  return { id, publishable_key: publishable.key, secret_key: secret.key, read_key: read.key }
}
