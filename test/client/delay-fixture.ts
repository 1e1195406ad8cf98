import { createECDH } from 'node:crypto'
import type { AuditEventType } from '@symbolon/api'
import {
  type Answer,
  login,
  mailedCode,
  mailsTo,
  makeTenant,
  makeWallet,
  type Tenant,
  type TestApp,
  type User,
} from '@symbolon/testing/app'
import { until } from '@symbolon/testing/wait'
import { makeClientWallet } from '@symbolon/testing/wallets'
import { expect } from 'vitest'

/** How long the organizations of these tests delay what takes keys out. */
export const delaySeconds = 1_200
/** A way to take a key out: how it is started and finished by a device, which may not name itself. */
export type Way = {
  mode: 'client' | 'tee'
  canceled: AuditEventType
  start(user: User, device?: string): Promise<Answer>
  idOf(answer: Answer): string
  finish(user: User, id: string, code: string, device?: string): Promise<Answer>
  path(id: string): string
}

const nonceOf = (name: string) => name.padEnd(22, '-')

/** The credentials of a user at a device, which may not name itself. */
export const as = (user: User, device: string | undefined) => ({
  pk: user.pk,
  token: user.token,
  ...(device !== undefined && { headers: { 'x-service-device': nonceOf(device) } }),
})
export const me = '/v1/wallets/me'
/** The text of an email without the soft breaks of its lines (RFC 2045, 6.7). */
export const unfolded = (raw: string) => raw.replaceAll(/=\r?\n/g, '')
export const readyOf = ({ error }: Answer) =>
  String((error?.details as { ready_at?: string } | undefined)?.ready_at)
const recipient = createECDH('prime256v1').generateKeys().toString('base64')

/** The two requests that wait for a delay: how a user starts, finishes and names one. */
function waysAt(appOf: () => TestApp): Record<'recovery' | 'export', Way> {
  return {
    recovery: {
      mode: 'client',
      canceled: 'recovery.canceled',
      start: (user, device) => appOf().call('POST', `${me}/recovery/initiate`, as(user, device)),
      idOf: ({ data }) => String(data['recovery_process_id']),
      finish: (user, id, code, device) =>
        appOf().call('POST', `${me}/recovery/${id}/verify`, { ...as(user, device), json: { code } }),
      path: (id) => `${me}/recovery/${id}`,
    },
    export: {
      mode: 'tee',
      canceled: 'export.canceled',
      start: (user, device) => appOf().call('POST', `${me}/export/initiate`, as(user, device)),
      idOf: ({ data }) => String(data['export_id']),
      finish: (user, id, code, device) =>
        appOf().call('POST', `${me}/export/complete`, {
          ...as(user, device),
          json: { export_id: id, code, recipient_public_key: recipient },
        }),
      path: (id) => `${me}/export/${id}`,
    },
  }
}

/** The devices that a user logs in from, and the links in the emails about them. */
function devicesAt(appOf: () => TestApp) {
  const linkIn = (mail: string) => {
    const [url = ''] = /https?:\/\/[^\s"]+\/links\/[0-9a-f]{64}/.exec(unfolded(mail)) ?? []
    return new URL(url).pathname
  }

  /** Logs the user in from a device; `link`: the one of the email about a new device. */
  async function loginFrom(
    tenant: Tenant,
    user: User,
    device: string,
  ): Promise<User & { link(): Promise<string> }> {
    const before = mailsTo(appOf(), user.email).length
    const notices = () => mailsTo(appOf(), user.email, 'Subject: New device logged in')
    // That of the user's first login comes some time after it.
    await until(() => notices().length > 0)
    const noticed = notices().length
    const mine = { email: user.email, client_nonce: nonceOf(device) }
    await appOf().call('POST', '/v1/wallets/auth/email-otp/start', { pk: tenant.pk, json: mine })
    const code = await mailedCode(appOf(), user.email, before)
    const json = { ...mine, code }
    const { data } = await appOf().call('POST', '/v1/wallets/auth/email-otp/verify', { pk: tenant.pk, json })
    const link = async () => {
      await until(() => notices().length > noticed)
      return linkIn(notices()[noticed]?.raw ?? '')
    }
    return { ...user, token: String(data['token']), link }
  }

  /** Makes a device of the user one that is known for long. */
  async function know(tenant: Tenant, user: User, device: string): Promise<void> {
    await loginFrom(tenant, user, device)
    const aged = await appOf().sql`
      update devices set mailed_at = app_now() - interval '3 days' where user_identity_id = ${user.id} and nonce_hash is not null`
    expect(aged.count).toBeGreaterThan(0)
  }

  return { linkIn, loginFrom, know }
}

/** Recoveries and exports, delays, devices and the links in emails, at an app, which may start later. */
export function delaysAt(appOf: () => TestApp) {
  async function ownerIn(
    mode: Way['mode'],
    delay = delaySeconds,
    of?: Tenant,
  ): Promise<{ tenant: Tenant; user: User }> {
    const tenant = of ?? (await makeTenant(appOf(), { signingMode: mode }))
    await appOf().sql`update organizations set high_risk_delay_seconds = ${delay} where id = ${tenant.id}`
    const user = await login(appOf(), tenant)
    await (mode === 'client' ? makeClientWallet(appOf(), user) : makeWallet(appOf(), user))
    return { tenant, user }
  }

  const press = (link: string) =>
    appOf().call('POST', link, { body: '', headers: { 'content-type': 'application/x-www-form-urlencoded' } })

  return { ways: waysAt(appOf), ownerIn, press, ...devicesAt(appOf) }
}
