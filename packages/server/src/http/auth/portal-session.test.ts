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
    message: 'This origin is not allowed.',
  })
})
