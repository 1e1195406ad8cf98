import { limits } from '@symbolon/api'
import type { Sql, Transaction } from '../../db/pool.ts'
import type { RateGrant, ReportRate } from '../../http/limiter.ts'
import type { Organization, UserPrincipal } from '../../http/principal.ts'
import type { Ids } from '../../ports/clock.ts'
import { clientBlock } from '../../runtime/client-block.ts'
import { type Failure, failure, rateLimited } from '../../runtime/failure.ts'
import type { Audit } from '../audit/index.ts'
import { type DevicesCtx, deviceHash, recordDeviceLogin } from '../devices/index.ts'
import { type CodesCtx, drawCode } from '../mailed-codes/index.ts'
import { authStore } from './auth.store.ts'
import { clientAddress } from './client-address.ts'
import { type CodeOwner, hashCode } from './email-code.ts'
import { type CodeHolder, type Guessed, loginCodesStore, type Started } from './login-codes.store.ts'
import { loginMail } from './login-mail.ts'
import { queueGuessAlarm, queueGuessNotice } from './login-notices.ts'
import { mailboxOf } from './mailbox.ts'
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
type Rate = ReportRate

/**
 * A login: whose it is (the email is normalized by the contract's `Email` schema), the device's `client_nonce`, and the request that it
 * came by.
 */
type Login = {
  organization: Organization
  email: string
  nonce?: string | undefined
  request: { address: string; userAgent: string | undefined }
}

const saltLength = 16
// Compared with when an address has no code: it costs the same time, and no code has this id.
const noCode = { codeId: '00000000-0000-0000-0000-000000000000', salt: new Uint8Array(saltLength) }

/** Emails a new code, in the same time whether or not the address is known. */
export async function startLogin(
  { sql, ids, devices, codes: { pepper, random } }: AuthCtx,
  login: Login,
  rate: Rate,
): Promise<undefined | Failure<'auth_mode_mismatch' | 'rate_limited'>> {
  if (login.organization.authMode !== 'service') return failure('auth_mode_mismatch')
  const holder = holderOf(devices, login)
  const [code, salt] = [drawCode(random), random(saltLength)]
  const hash = hashCode(pepper, ownerOf(holder), salt, code)
  const mail = devices.outbox.seal({ to: login.email, ...loginMail(code) })
  const address = clientAddress(login.request.address)
  const asked = { ...holder, address, codeId: ids.next(), salt, hash, mail }
  const started = await sql.alone((tx) => loginCodesStore.start(tx, asked))
  rate(rateOf(started))
  if (started.refusedBy !== null) return rateLimited(started)
  devices.outbox.nudge()
  return undefined
}

/** Trades the newest code of the device, or the one asked without a device, for a token. Each code allows five guesses; of parallel right ones, one wins. */
export async function verifyLogin(
  ctx: AuthCtx,
  { code, ...login }: Login & { code: string },
  rate: Rate,
): Promise<
  | { token: string; identityId: string; email: string }
  | Failure<'auth_mode_mismatch' | 'invalid_code' | 'rate_limited'>
> {
  const { organization, email } = login
  if (organization.authMode !== 'service') return failure('auth_mode_mismatch')
  const refused = await throttleVerify(ctx, login, rate)
  if (refused !== undefined) return refused
  const jti = ctx.ids.next()
  const { guessed, isMailQueued } = await guessCode(ctx, login, { code, jti })
  if (isMailQueued) ctx.devices.outbox.nudge()
  const { outcome, identityId, nowMs } = guessed
  if (outcome === 'limited') return refuseClient(guessed.retrySeconds, rate)
  if (outcome === 'wrong' || identityId === null) {
    await ctx.audit.write(loginEvent(organization.id, identityId ?? undefined, 'invalid_code'))
    return failure('invalid_code')
  }
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

/**
 * Bounds the work of verifications: those of one client address, which take nothing from others once they are refused, then those of one
 * device, or of one client address without a device, at one email, so that nobody else's keep its user out.
 */
async function throttleVerify(
  ctx: AuthCtx,
  login: Login,
  rate: Rate,
): Promise<undefined | Failure<'rate_limited'>> {
  const { organizationId, email, nonceHash } = holderOf(ctx.devices, login)
  const address = clientAddress(login.request.address)
  const retrySeconds = await loginCodesStore.clientPause(ctx.sql, { organizationId, address })
  if (retrySeconds > 0) return refuseClient(retrySeconds, rate)
  const by =
    nonceHash.length === 0 ? clientBlock(login.request.address) : Buffer.from(nonceHash).toString('hex')
  const grant = await ctx.codes.limiter.acquire('otp-verify', `${organizationId}:${email}:${by}`, rate.weight)
  rate(grant)
  return grant.isGranted ? undefined : rateLimited(grant)
}

function refuseClient(retrySeconds: number, rate: Rate): Failure<'rate_limited'> {
  const { burst } = limits['otp-failures']
  rate({ isGranted: false, burst, remaining: 0, retrySeconds, resetSeconds: retrySeconds })
  return rateLimited({ retrySeconds })
}

/** Compares and counts a guess, in the same time whether or not the address has a code. A right one logs in, a wrong one may cause emails. */
async function guessCode(
  ctx: AuthCtx,
  login: Login,
  { code, jti }: { code: string; jti: string },
): Promise<{ guessed: Guessed; isMailQueued: boolean }> {
  const { sql, ids, codes, devices } = ctx
  const holder = holderOf(devices, login)
  const living = await loginCodesStore.living(sql, holder)
  const hashes = (living.length === 0 ? [noCode] : living).map(({ codeId, salt }) => ({
    codeId,
    hash: hashCode(codes.pepper, ownerOf(holder), salt, code),
  }))
  const address = clientAddress(login.request.address)
  return sql.begin(async (tx) => {
    const guess = { ...holder, address, newIdentityId: ids.next(), hashes }
    const guessed = await loginCodesStore.guess(tx, guess)
    const { mustNotice, mustAlarm } = guessed
    if (mustNotice) await queueGuessNotice(devices.outbox, tx, holder)
    if (mustAlarm) await queueGuessAlarm(devices.outbox, tx, holder.organizationId)
    const isNewDevice =
      guessed.outcome === 'right' && (await recordLogin(ctx, tx, login, { holder, guessed, jti }))
    return { guessed, isMailQueued: mustNotice || mustAlarm || isNewDevice }
  })
}

/** Records a login with its event and its device: every holder of a token is in the log, and forgetting the device ends it. */
async function recordLogin(
  { audit, tokens, devices }: AuthCtx,
  tx: Transaction,
  { email, request }: Login,
  { holder, guessed, jti }: { holder: CodeHolder; guessed: Guessed; jti: string },
): Promise<boolean> {
  const { organizationId, nonceHash } = holder
  const identityId = guessed.identityId ?? ''
  await audit.append(tx, loginEvent(organizationId, identityId))
  return recordDeviceLogin(devices, tx, {
    organizationId,
    identityId,
    email,
    nonceHash: nonceHash.length === 0 ? null : nonceHash,
    token: {
      hash: tokenNameOf({ iss: tokens.baseUrl, jti }),
      // `iat` may be rounded up by a second.
      expiresAt: new Date(guessed.nowMs + tokenLifetimeMs + 1_000).toISOString(),
    },
    request,
  })
}

const holderOf = ({ pepper }: DevicesCtx, { organization: { id }, email, nonce }: Login): CodeHolder => ({
  organizationId: id,
  email,
  mailbox: mailboxOf(email),
  nonceHash: nonce === undefined ? new Uint8Array(0) : deviceHash(pepper, id, nonce),
})

const ownerOf = ({ organizationId, email }: CodeHolder): CodeOwner => ({
  organizationId,
  email,
  purpose: 'login',
})

const startLimits = { client: 'otp-start-client', mailbox: 'otp-start', alarm: 'otp-start-alarm' } as const

function rateOf({ refusedBy, retrySeconds, remaining }: Started): RateGrant {
  const { burst, periodMs } = limits[startLimits[refusedBy ?? 'mailbox']]
  const isGranted = refusedBy === null
  return {
    isGranted,
    burst,
    remaining,
    retrySeconds,
    resetSeconds: isGranted ? (burst * periodMs) / 1_000 : retrySeconds,
  }
}

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
