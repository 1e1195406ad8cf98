import { createHmac, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  createRecoveryReceiver,
  nodeListener,
  postgresRecoveryShares,
  type RecoveryReceiverOptions,
  recoveryShareTables,
} from '@symbolon/sdk/server'
import { orThrow, setWebhook } from '@symbolon/server/testing/webhooks'
import { makeTenant, startTestApp, type Tenant, type TestApp } from '@symbolon/testing/app'

/** Who configures, in these tests. */
export const actor = { type: 'system', id: 'test' } as const

/** A call as it reached the receiver, to be looked at and sent again. */
export type SeenCall = {
  headers: Record<string, string>
  body: string
  type: string
  status: number
  answer: string
}

/** A platform with one customer-managed organization, whose receiver is the SDK's own over HTTP and PostgreSQL. */
export type ReceiverFixture = {
  app: TestApp
  tenant: Tenant
  url: string
  calls: SeenCall[]
  errors: unknown[]
  store: ReturnType<typeof postgresRecoveryShares>
  /** Replaces the receiver's settings from now on. */
  serve(options: Partial<RecoveryReceiverOptions>): void
  /** What the platform would send with this body. */
  signed(message: unknown): Pick<SeenCall, 'headers' | 'body'>
  /** Sends a call as it came. */
  send(call: Pick<SeenCall, 'headers' | 'body'>): Promise<Response>
  stop(): Promise<void>
}

/** Starts it. */
export async function makeReceiverFixture(): Promise<ReceiverFixture> {
  const app = await startTestApp()
  const tenant = await makeTenant(app, { signingMode: 'client' })
  await app.sql.unsafe(recoveryShareTables)
  const store = postgresRecoveryShares((text, values) => app.sql.unsafe(text, values))
  const calls: SeenCall[] = []
  const errors: unknown[] = []
  let options: RecoveryReceiverOptions
  const listener = nodeListener(async (request) => {
    const body = await request.clone().text()
    const response = await createRecoveryReceiver(options)(request)
    const answer = await response.clone().text()
    const headers = Object.fromEntries(request.headers)
    const type = /^{"type":"([a-z_.]+)"/.exec(body)?.[1] ?? ''
    calls.push({ headers, body, type, status: response.status, answer })
    return response
  })
  const server = createServer((request, response) => void listener(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/recovery`
  const { signingSecret = '' } = orThrow(await setWebhook(app.app.webhooks, tenant.id, { url }, actor))
  await app.app.orgs.setRecoveryMode(tenant.id, 'customer_managed', actor)
  options = {
    secrets: signingSecret,
    store,
    organizationId: tenant.id,
    onError: (error) => errors.push(error),
  }
  return {
    app,
    tenant,
    url,
    calls,
    errors,
    store,
    serve(changes) {
      options = { ...options, ...changes }
    },
    signed(message) {
      const body = JSON.stringify(message)
      const id = `msg_${randomUUID()}`
      const seconds = String(Math.floor(Date.now() / 1000))
      const [secret = ''] = [options.secrets].flat()
      const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
      const mac = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')
      const headers = { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': `v1,${mac}` }
      return { headers, body }
    },
    send: ({ headers, body }) => {
      const sent = Object.entries(headers).filter(([name]) => name.startsWith('webhook-'))
      return fetch(url, { method: 'POST', headers: Object.fromEntries(sent), body })
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await app.stop()
    },
  }
}
