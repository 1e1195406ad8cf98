import { randomUUID } from 'node:crypto'
import { type App, ConfigError, type RunningServer, readConfig, startServer } from '@symbolon/server'
import { simulatedMeasurements } from './attestation/index.ts'
import { mailboxStore } from './mail/mailbox.store.ts'
import { type DevOrganization, devRoutes } from './routes/dev-routes.ts'

export { ConfigError }

/** The server as in production, with the development interface added and the simulated enclave's measurements accepted. */
export async function startDevServer(environment: NodeJS.ProcessEnv): Promise<RunningServer> {
  const measurements = Object.fromEntries(
    [...simulatedMeasurements].map(([index, value]) => [index, Buffer.from(value).toString('hex')]),
  )
  return startServer(readConfig(environment, 'development'), {
    simulatedMeasurements: [measurements],
    async extend(http, { app, sql }) {
      await mailboxStore.prepare(sql)
      devRoutes(http, { sql, createOrganization: (input) => devOrganization(app.orgs, input) })
    },
  })
}

/** An organization with the three keys that a developer needs. */
async function devOrganization(
  orgs: App['orgs'],
  { name, signingMode }: { name: string; signingMode: 'client' | 'tee' },
): Promise<DevOrganization> {
  const { id } = await orgs.create({ name, slug: `dev-${randomUUID()}`, signingMode })
  const shared = { ipAllowlist: [], expiresAt: null }
  const [publishable, secret, read] = await Promise.all([
    orgs.mintKey(id, { ...shared, name: 'publishable', type: 'publishable', scope: null }),
    orgs.mintKey(id, { ...shared, name: 'secret', type: 'secret', scope: 'full' }),
    orgs.mintKey(id, { ...shared, name: 'read', type: 'secret', scope: 'read' }),
  ])
  return { id, publishable_key: publishable.key, secret_key: secret.key, read_key: read.key }
}
