import { randomBytes } from 'node:crypto'
import { type Client, type ClientOptions, unwrap } from '@symbolon/sdk'
import { client, type Ports } from '@symbolon/sdk/testing'
import { mailedCode, makeTenant, type Tenant, type TestApp } from '@symbolon/testing/app'

/** The ports of a program without a page. */
export const noPage = {
  sessionStorage: undefined,
  localStorage: undefined,
  locks: undefined,
  isOffline: () => false,
  document: undefined,
} as const

/** The SDK's client against a running service, as a program without a page has it. */
export function sdkClient(
  app: Pick<TestApp, 'url'>,
  { pk }: Pick<Tenant, 'pk'>,
  options: Partial<ClientOptions> = {},
  ports: Partial<Ports> = {},
): Client {
  return client(
    { publishableKey: pk, baseUrl: app.url, ...options },
    { ...noPage, fetch, now: () => Date.now(), ...ports },
  )
}

/** Logs a new user in through the SDK, with the code that came by email. */
export async function logInBySdk(app: TestApp, { auth }: Client): Promise<string> {
  const email = `sdk-${randomBytes(6).toString('hex')}@example.test`
  unwrap(await auth.sendCode(email))
  const code = await mailedCode(app, email)
  unwrap(await auth.verifyCode(email, code))
  return email
}

/** A client with a logged-in user of an organization of its own. */
export async function loggedIn(
  app: TestApp,
  options: Partial<ClientOptions> = {},
  signingMode: 'client' | 'tee' = 'tee',
): Promise<Client & { readonly email: string; readonly tenant: Tenant }> {
  const tenant = await makeTenant(app, { signingMode })
  const made = sdkClient(app, tenant, options)
  const email = await logInBySdk(app, made)
  return { ...made, email, tenant }
}
