import { createHash } from 'node:crypto'
import type { Sql } from '@symbolon/server/pool'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { firstOwner } from './first-owner.ts'
import { providerPath } from './identity-environment.ts'
import { failurePage, loginPage, loginStyle } from './login-page.ts'
import { providerKey } from './provider-key.ts'
import { prepareProviderStore, providerStore } from './provider-store.ts'

const loginPath = '/dev/idp-login'
const bodyBytesMax = 4_096
const hourSeconds = 3_600
const sessionSeconds = 14 * 24 * hourSeconds

type Provider = import('oidc-provider').default

type IdentityProviderOptions = { sql: Sql; baseUrl: string; client: { id: string; secret: string } }

/**
 * Adds an OpenID Connect provider (`oidc-provider`, a certified one) that accepts any email address typed in. For
 * development alone. It is loaded at the first login: nobody else waits for it.
 */
export function mountIdentityProvider(app: FastifyInstance, options: IdentityProviderOptions): void {
  const { baseUrl, client } = options
  let made: Promise<Provider> | undefined
  const provider = () => {
    made ??= makeProvider(options).catch((error: unknown) => {
      made = undefined
      throw error
    })
    return made
  }

  app.register(async (scope) => {
    // The provider reads its forms itself, from the stream.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))

    scope.all(`${providerPath}/*`, async (request, reply) => {
      const callback = (await provider()).callback()
      reply.hijack()
      reply.raw.setHeader('content-security-policy', policy)
      const raw = request.raw as typeof request.raw & { originalUrl?: string }
      raw.originalUrl = raw.url ?? ''
      raw.url = raw.originalUrl.slice(providerPath.length)
      await callback(raw, reply.raw)
    })

    scope.get<{ Params: { uid: string } }>(`${loginPath}/:uid`, async (request, reply) => {
      const details = await (await provider()).interactionDetails(request.raw, reply.raw)
      const hint = details.params['login_hint']
      const email = typeof hint === 'string' ? hint : firstOwner
      return page(reply, loginPage(`${loginPath}/${details.uid}`, email))
    })

    scope.post<{ Params: { uid: string } }>(`${loginPath}/:uid`, async (request, reply) => {
      if (request.headers.origin !== new URL(baseUrl).origin) return reply.code(403).send()
      const email = (await readForm(request)).get('email')?.trim().toLowerCase() ?? ''
      if (!/^[^\s@]+@[^\s@]+$/.test(email)) return reply.code(400).send()
      return reply.redirect(
        await logIn(await provider(), request, reply, { email, clientId: client.id }),
        303,
      )
    })
  })
}

/** Ends an interaction as the person with that address. Returns the URL where the browser continues. */
async function logIn(
  idp: Provider,
  { raw: request }: FastifyRequest,
  { raw: reply }: FastifyReply,
  { email, clientId }: { email: string; clientId: string },
): Promise<string> {
  const { params } = await idp.interactionDetails(request, reply)
  const grant = new idp.Grant({ accountId: email, clientId })
  grant.addOIDCScope(String(params['scope']))
  return idp.interactionResult(request, reply, {
    login: { accountId: email, remember: false },
    consent: { grantId: await grant.save() },
  })
}

async function makeProvider({ sql, baseUrl, client }: IdentityProviderOptions): Promise<Provider> {
  const { default: Provider, interactionPolicy } = await import('oidc-provider')
  const { Check, base } = interactionPolicy
  const policy = base()
  // Who logs out of the portal wants to come back as somebody else.
  policy
    .get('login')
    ?.checks.add(
      new Check('always_asked', 'whoever comes is asked who they are', ({ oidc }) =>
        oidc.result?.login === undefined ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT,
      ),
    )
  await prepareProviderStore(sql)
  const key = await providerKey(sql)
  await keepPeople(sql, `${baseUrl}${providerPath}`)
  return new Provider(`${baseUrl}${providerPath}`, {
    adapter: (model: string) => providerStore(sql, model),
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [`${baseUrl}/v1/auth/callback`],
        id_token_signed_response_alg: 'ES256',
      },
    ],
    jwks: { keys: [key as never] },
    cookies: { keys: [createHash('sha256').update(client.secret).digest('hex')] },
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: false } },
    renderError: (context, { error, error_description: text }) => {
      context.type = 'html'
      context.body = failurePage(text ?? error)
    },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    // The provider's own values; it writes a line to the log for each that is not set.
    ttl: {
      AccessToken: hourSeconds,
      IdToken: hourSeconds,
      Interaction: hourSeconds,
      Session: sessionSeconds,
      Grant: sessionSeconds,
    },
    clientBasedCORS: () => false,
    interactions: {
      policy,
      url: (_context, interaction) => `${loginPath}/${interaction.uid}`,
    },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({ sub: id, email: id, email_verified: true, name: nameOf(id) }),
    }),
  })
}

/** The provider's name has the port in it: a person who logged in at another port is still the same one. */
async function keepPeople(sql: Sql, issuer: string): Promise<void> {
  await sql`
    update portal_users u set issuer = ${issuer}
    where issuer like ${`http://%${providerPath}`} and issuer <> ${issuer}
      and not exists (select from portal_users o where o.issuer = ${issuer} and o.subject = u.subject)`
}

/** "Ada Lovelace" of ada.lovelace@…: enough of a name to be greeted by. */
const nameOf = (email: string) =>
  (email.split('@')[0] ?? '')
    .split(/[._-]+/)
    .filter((part) => part !== '')
    .map((part) => part.slice(0, 1).toUpperCase() + part.slice(1))
    .join(' ')

/** `form-action` holds for where the form leads on, too: back to the portal, on this origin. */
const policy = `default-src 'none'; style-src ${loginStyle}; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'`

function page(reply: FastifyReply, html: string): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('content-security-policy', policy)
    .send(html)
}

async function readForm({ raw }: FastifyRequest): Promise<URLSearchParams> {
  let text = ''
  for await (const chunk of raw) {
    text += String(chunk)
    if (text.length > bodyBytesMax) break
  }
  return new URLSearchParams(text)
}
