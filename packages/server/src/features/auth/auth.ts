import type { KeyObject } from 'node:crypto'
import { type Fail, limits } from '@symbolon/api'
import { equalBytes } from '@symbolon/crypto'
import type { Sql } from '../../db/pool.ts'
import type { Limiter, RateGrant } from '../../http/limiter.ts'
import type { Identity, Organization, UserToken } from '../../http/principal.ts'
import type { Ids } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import type { Audit } from '../audit/index.ts'
import { drawCode } from '../mailed-codes/index.ts'
import type { Outbox } from '../outbox/index.ts'
import { authStore } from './auth.store.ts'
import { type CodeOwner, hashCode } from './email-code.ts'
import { loginMail } from './login-mail.ts'
import type { ServiceTokens } from './service-token.ts'

/** Told what the rate of the call said, granted or not. */
type TellRate = (grant: RateGrant) => void

type Login = { token: string; identityId: string; email: string }

/** Login by mailed code, and logout. Emails come normalised by the contract's `Email` schema. */
export type Auth = {
  /** Mails a new code, in the same time whether or not the email is known. */
  startLogin(
    input: { organization: Organization; email: string },
    fail: Fail<'auth_mode_mismatch' | 'rate_limited'>,
    rate: TellRate,
  ): Promise<void>
  /** Trades the newest code for a token; five guesses per code, one winner among many right ones. */
  verifyLogin(
    input: { organization: Organization; email: string; code: string },
    fail: Fail<'auth_mode_mismatch' | 'invalid_code' | 'rate_limited'>,
    rate: TellRate,
  ): Promise<Login>
  /** Revokes the token. Once it resolves, no process accepts it and no signature asked with it is released. */
  logout(input: { organization: Organization; identity: Identity; token: UserToken }): Promise<void>
}

/** What login stands on; `pepper` keys the hashes of the codes. */
export type AuthPorts = {
  sql: Sql
  pepper: KeyObject
  random: Random
  ids: Ids
  audit: Audit
  outbox: Outbox
  limiter: Limiter
  serviceTokens: ServiceTokens
}

const saltLength = 16
// Compared with when there is no code to compare with: the same work, and no code has this hash.
const noCode = { codeId: '', salt: new Uint8Array(saltLength), hash: new Uint8Array(32) }

/** Makes the login of all organizations in `service` mode. */
export function auth(ports: AuthPorts): Auth {
  const { sql, pepper, random, ids, audit, outbox, limiter, serviceTokens } = ports
  const ownerOf = (organization: Organization, email: string): CodeOwner => ({
    organizationId: organization.id,
    email,
    purpose: 'login',
  })

  return {
    async startLogin({ organization, email }, fail, rate) {
      if (organization.authMode !== 'service') throw fail('auth_mode_mismatch')
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
        throw fail('rate_limited', { retryAfterSeconds: retrySeconds })
      }
      const { count, windowSeconds } = issued
      rate({ isGranted: true, burst, remaining: burst - count, retrySeconds: 0, resetSeconds: windowSeconds })
      outbox.nudge()
    },

    async verifyLogin({ organization, email, code }, fail, rate) {
      if (organization.authMode !== 'service') throw fail('auth_mode_mismatch')
      const owner = ownerOf(organization, email)
      const grant = await limiter.acquire('otp-verify', `${organization.id}:${email}`)
      rate(grant)
      if (!grant.isGranted) {
        throw fail('rate_limited', { retryAfterSeconds: Math.max(1, Math.ceil(grant.retrySeconds)) })
      }
      const attempt = await authStore.countAttempt(sql, owner)
      const stored = attempt.code ?? noCode
      const isRight = equalBytes(hashCode(pepper, owner, stored.salt, code), stored.hash)
      // With its event or not at all: whoever holds a token is in the log.
      const login =
        attempt.code !== undefined && isRight
          ? await sql.begin(async (tx) => {
              const consumed = await authStore.consumeLogin(tx, owner, {
                codeId: stored.codeId,
                newIdentityId: ids.next(),
              })
              if (consumed !== undefined)
                await audit.append(tx, loginEvent(organization, consumed.identityId))
              return consumed
            })
          : undefined
      if (login === undefined) {
        await audit.write(loginEvent(organization, attempt.identityId, 'invalid_code'))
        throw fail('invalid_code')
      }
      const { identityId, nowMs } = login
      const token = serviceTokens.mint({ organization, identityId, email, jti: ids.next(), nowMs })
      return { token, identityId, email }
    },

    async logout({ organization, identity, token }) {
      const event = {
        ...endUserEvent(organization, identity.id),
        type: 'user.logged_out',
        success: true,
      } as const
      await sql.begin(async (tx) => {
        await authStore.lockOrganization(tx, organization.id)
        if (!(await authStore.revoke(tx, organization.id, token))) return
        await audit.append(tx, event)
      })
    },
  }
}

function endUserEvent(organization: Organization, identityId: string | undefined) {
  return {
    organizationId: organization.id,
    ...(identityId !== undefined && { userIdentityId: identityId }),
    actorType: 'end_user',
    actorId: identityId ?? '',
  } as const
}

function loginEvent(organization: Organization, identityId: string | undefined, errorCode?: 'invalid_code') {
  return {
    ...endUserEvent(organization, identityId),
    type: 'user.logged_in',
    payload: { auth_provider: 'service' },
    success: errorCode === undefined,
    ...(errorCode !== undefined && { errorCode }),
  } as const
}
