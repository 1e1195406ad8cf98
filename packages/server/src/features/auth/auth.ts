import { limits } from '@symbolon/api'
import { equalBytes } from '@symbolon/crypto'
import type { Sql } from '../../db/pool.ts'
import type { RateGrant } from '../../http/limiter.ts'
import type { Organization, UserPrincipal } from '../../http/principal.ts'
import type { Ids } from '../../ports/clock.ts'
import { type Failure, failure, rateLimited } from '../../runtime/failure.ts'
import type { Audit } from '../audit/index.ts'
import { type DevicesCtx, deviceHash, recordDeviceLogin } from '../devices/index.ts'
import { type CodesCtx, drawCode } from '../mailed-codes/index.ts'
import { authStore, type CountedAttempt } from './auth.store.ts'
import { type CodeOwner, hashCode } from './email-code.ts'
import { loginMail } from './login-mail.ts'
import { mintServiceToken, type ServiceTokens, tokenLifetimeMs } from './service-token.ts'
import { tokenNameOf } from './token-name.ts'

/** The context for logins of end users in `service` mode, by an emailed code. */
export type AuthCtx = {
  sql: Sql
  ids: Ids
  audit: Audit
  codes: Omit<CodesCtx, 'sql'>
  tokens: ServiceTokens
  devices: DevicesCtx
}

/** Reports a rate, granted or not, to the headers of the answer. */
type Rate = (grant: RateGrant) => void

/** Whose login it is; the email is normalized by the contract's `Email` schema. */
type Address = { organization: Organization; email: string }

/** The device that logs in: its `client_nonce`, and the request that it sent. */
type LoginDevice = {
  nonce?: string | undefined
  request: { address: string; userAgent: string | undefined }
}

const saltLength = 16
// Compared with when an address has no code: it costs the same time, and no code has this hash.
const noCode = { salt: new Uint8Array(saltLength), hash: new Uint8Array(32) }

/** Emails a new code, in the same time whether or not the address is known. */
export async function startLogin(
  { sql, ids, devices: { outbox }, codes: { pepper, random } }: AuthCtx,
  { organization, email }: Address,
  rate: Rate,
): Promise<undefined | Failure<'auth_mode_mismatch' | 'rate_limited'>> {
  if (organization.authMode !== 'service') return failure('auth_mode_mismatch')
  const owner = ownerOf(organization, email)
  const code = drawCode(random)
  const salt = random(saltLength)
  const hash = hashCode(pepper, owner, salt, code)
  const mail = outbox.seal({ to: email, ...loginMail(code) })
  const issued = await authStore.issueCode(sql, { ...owner, codeId: ids.next(), salt, hash, mail })
  const { burst } = limits['otp-start']
  if (issued === undefined) {
    const retrySeconds = await authStore.secondsUntilNextCode(sql, owner)
    rate({ isGranted: false, burst, remaining: 0, retrySeconds, resetSeconds: retrySeconds })
    return rateLimited({ retrySeconds })
  }
  const { count, windowSeconds } = issued
  rate({ isGranted: true, burst, remaining: burst - count, retrySeconds: 0, resetSeconds: windowSeconds })
  outbox.nudge()
  return undefined
}

/** Trades the newest code for a token. Each code allows five guesses; of parallel right ones, one wins. */
export async function verifyLogin(
  ctx: AuthCtx,
  { organization, email, code, nonce, request }: Address & { code: string } & LoginDevice,
  rate: Rate,
): Promise<
  | { token: string; identityId: string; email: string }
  | Failure<'auth_mode_mismatch' | 'invalid_code' | 'rate_limited'>
> {
  if (organization.authMode !== 'service') return failure('auth_mode_mismatch')
  const owner = ownerOf(organization, email)
  const grant = await ctx.codes.limiter.acquire('otp-verify', `${organization.id}:${email}`)
  rate(grant)
  if (!grant.isGranted) return rateLimited(grant)
  const guess = await authStore.countAttempt(ctx.sql, owner)
  const isRight = isRightCode(ctx, owner, guess, code)
  const jti = ctx.ids.next()
  const login =
    guess.code && isRight
      ? await consumeCode(ctx, owner, { codeId: guess.code.codeId, jti, nonce, request })
      : undefined
  if (login === undefined) {
    await ctx.audit.write(loginEvent(organization.id, guess.identityId, 'invalid_code'))
    return failure('invalid_code')
  }
  const { identityId, nowMs, isMailQueued } = login
  if (isMailQueued) ctx.devices.outbox.nudge()
  const token = mintServiceToken(ctx.tokens, { organization, identityId, email, jti, nowMs })
  return { token, identityId, email }
}

/** Revokes the token. Once it resolves, no process accepts it and no signature asked with it is released. */
export async function logout(
  { sql, audit }: Pick<AuthCtx, 'sql' | 'audit'>,
  { organization: { id: organizationId }, identity, token }: UserPrincipal,
): Promise<undefined> {
  await sql.begin(async (tx) => {
    await authStore.lockOrganization(tx, organizationId)
    if (!(await authStore.revoke(tx, organizationId, token))) return
    const event = { ...endUserEvent(organizationId, identity.id), type: 'user.logged_out' } as const
    await audit.append(tx, { ...event, success: true })
  })
}

/** Compares in the same time whether or not the address has a code. */
function isRightCode(
  { codes: { pepper } }: AuthCtx,
  owner: CodeOwner,
  guess: CountedAttempt,
  code: string,
): boolean {
  const { salt, hash } = guess.code ?? noCode
  return equalBytes(hashCode(pepper, owner, salt, code), hash)
}

/** Logs in with its event and its device or not at all: every holder of a token is in the log, and forgetting the device ends it. */
const consumeCode = (
  { sql, ids, audit, tokens, devices }: AuthCtx,
  owner: CodeOwner,
  { codeId, jti, nonce, request }: { codeId: string; jti: string } & LoginDevice,
) =>
  sql.begin(async (tx) => {
    const login = await authStore.consumeLogin(tx, owner, { codeId, newIdentityId: ids.next() })
    if (login === undefined) return undefined
    const { organizationId, email } = owner
    const { identityId, nowMs } = login
    await audit.append(tx, loginEvent(organizationId, identityId))
    const isMailQueued = await recordDeviceLogin(devices, tx, {
      organizationId,
      identityId,
      email,
      nonceHash: nonce === undefined ? null : deviceHash(devices.pepper, organizationId, nonce),
      token: {
        hash: tokenNameOf({ iss: tokens.baseUrl, jti }),
        // `iat` may be rounded up by a second.
        expiresAt: new Date(nowMs + tokenLifetimeMs + 1_000).toISOString(),
      },
      request,
    })
    return { ...login, isMailQueued }
  })

const ownerOf = ({ id }: Organization, email: string): CodeOwner => ({
  organizationId: id,
  email,
  purpose: 'login',
})

const endUserEvent = (organizationId: string, identityId: string | undefined) =>
  ({
    organizationId,
    ...(identityId !== undefined && { userIdentityId: identityId }),
    actorType: 'end_user',
    actorId: identityId ?? '',
  }) as const

const loginEvent = (organizationId: string, identityId: string | undefined, errorCode?: 'invalid_code') =>
  ({
    ...endUserEvent(organizationId, identityId),
    type: 'user.logged_in',
    payload: { auth_provider: 'service' },
    success: errorCode === undefined,
    ...(errorCode !== undefined && { errorCode }),
  }) as const
