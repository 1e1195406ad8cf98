import { ApiError, type Route } from '@symbolon/api'
import { expect, test } from 'vitest'
import type { AuthCtx, AuthRequest } from './auth-scheme.ts'
import { authenticatePortalSession } from './portal-session.ts'

const ownOrigin = 'https://wallets.example.com'

/** The refusal of a change that bears a session's cookie and this origin. */
async function refusal(origin: string | undefined): Promise<unknown> {
  const ctx = { originRules: { ownOrigin } } as AuthCtx
  const route = { method: 'POST', lane: 'portal' } as Route
  const request = { route, weight: 1, credentials: { sessionToken: 'x', origin } } as AuthRequest
  return authenticatePortalSession(ctx, request).catch((error: unknown) => error)
}

test('a change without an Origin is refused with the header that it needs', async () => {
  const refused = await refusal(undefined)
  expect(refused).toBeInstanceOf(ApiError)
  expect(refused).toMatchObject({
    code: 'origin_not_allowed',
    status: 403,
    message: `This call needs the header \`Origin: ${ownOrigin}\`.`,
  })
  expect(await refusal('https://elsewhere.example')).toMatchObject({
    code: 'origin_not_allowed',
    message: `Portal calls are taken from pages of ${ownOrigin} only, whatever origins an organization allows.`,
  })
})

test('a key in place of a session is called what it is, and never repeated', async () => {
  const ctx = { originRules: { ownOrigin } } as AuthCtx
  const secret = 'x1'.repeat(25)
  const takes = 'but this call takes the session of a person, in a cookie. Sign in to the portal first.'
  for (const [given, message] of [
    [{ authorization: `Bearer sk_live_${secret}` }, `This is a secret key, ${takes}`],
    [{ authorization: `bearer as_live_${secret}` }, `This is the token of an agent session, ${takes}`],
    [{ publishableKey: `pk_live_${secret}` }, `This is a publishable key, ${takes}`],
    [{ authorization: `Bearer ${secret}` }, 'Sign in to the portal first.'],
    [{}, 'Sign in to the portal first.'],
  ] as const) {
    const request = { route: { method: 'GET', lane: 'portal' }, weight: 1, credentials: given }
    const refused = await authenticatePortalSession(ctx, request as never).catch((error: unknown) => error)
    expect(refused).toMatchObject({ code: 'unauthorized', status: 401, message })
  }
})
