import { auditEventTypes } from '@symbolon/api'
import {
  forgetRates,
  login,
  mailedCode,
  mailsTo,
  mailTo,
  otherCode,
  startClock,
  startTestApp,
  stopClock,
  type TestApp,
  type User,
} from '@symbolon/testing/app'
import { completionBody, newClientKey } from '@symbolon/testing/wallets'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { as, delaySeconds, delaysAt, me, readyOf, unfolded } from './delay-fixture.ts'

let app: TestApp
const at = delaysAt(() => app)

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())
afterEach(async () => {
  await startClock(app)
  await forgetRates(app)
})

const dayMs = 24 * 3_600_000

describe.each(['recovery', 'export'] as const)('a %s from a new device', (name) => {
  const way = at.ways[name]
  const delayed = `${name}_delayed`
  const begin = async (user: User, device?: string) => {
    const before = mailsTo(app, user.email).length
    const id = way.idOf(await way.start(user, device))
    return { id, code: await mailedCode(app, user.email, before) }
  }
  const stateOf = async (user: User, id: string) =>
    (await app.call('GET', way.path(id), as(user, undefined))).data
  const words = name === 'recovery' ? 'recovered' : 'exported'
  const startMail = (user: User) => mailTo(app, user.email, `is being ${words}`)
  const readyMails = (user: User) => mailsTo(app, user.email, `can now be ${words}`)

  test('waits after the right code, which works again then, for 24 hours; early it counts no attempt', async () => {
    const { user } = await at.ownerIn(way.mode)
    const { id, code } = await begin(user, 'laptop')
    const first = await way.finish(user, id, code, 'laptop')
    expect(first).toMatchObject({ status: 409, error: { code: delayed } })
    const readyAt = readyOf(first)
    expect(Math.abs(Date.parse(readyAt) - Date.now() - delaySeconds * 1_000)).toBeLessThan(30_000)
    for (let i = 0; i < 6; i++)
      expect((await way.finish(user, id, code, 'laptop')).error).toMatchObject({
        code: delayed,
        details: { ready_at: readyAt },
      })
    expect(await stateOf(user, id)).toMatchObject({
      state: 'delayed',
      ready_at: readyAt,
      expires_at: new Date(Date.parse(readyAt) + dayMs).toISOString(),
    })
    expect(unfolded(await startMail(user))).toContain(readyAt)
    await stopClock(app, Date.parse(readyAt) - 1_000)
    expect((await way.finish(user, id, code, 'laptop')).status).toBe(409)
    expect(readyMails(user)).toHaveLength(0)
    await stopClock(app, Date.parse(readyAt))
    await mailTo(app, user.email, `can now be ${words}`)
    expect((await way.finish(user, id, code, 'laptop')).status).toBe(200)
    expect(readyMails(user)).toHaveLength(1)
    expect((await way.finish(user, id, code, 'laptop')).status).toBe(409)
  })

  test('is over 24 hours after it was ready', async () => {
    const { tenant, user } = await at.ownerIn(way.mode)
    const { id, code } = await begin(user, 'laptop')
    const first = await way.finish(user, id, code, 'laptop')
    await stopClock(app, Date.parse(readyOf(first)) + dayMs)
    const again = await login(app, tenant, user.email)
    expect(await way.finish(again, id, code, 'laptop')).toMatchObject({
      status: 410,
      error: { code: 'expired' },
    })
    expect(await stateOf(again, id)).toMatchObject({ state: 'expired' })
  })

  test('counts wrong codes while it waits: the fifth locks it, and takes the email of its end back', async () => {
    const { tenant, user } = await at.ownerIn(way.mode)
    const { id, code } = await begin(user, 'laptop')
    const wrong = () => way.finish(user, id, otherCode(code), 'laptop')
    expect((await wrong()).status).toBe(401)
    expect((await way.finish(user, id, code, 'laptop')).error?.code).toBe(delayed)
    for (let i = 0; i < 4; i++) expect((await wrong()).error?.code).toBe('invalid_code')
    expect((await way.finish(user, id, code, 'laptop')).error?.code).toBe('process_state')
    expect(await stateOf(user, id)).toMatchObject({ state: 'locked' })
    await startMail(user)
    expect(
      await app.sql`select 1 from outbox where organization_id = ${tenant.id} and next_attempt_at > app_now() + interval '10 minutes'`,
    ).toHaveLength(0)
  })

  test('belongs to the device that opened it', async () => {
    const { user } = await at.ownerIn(way.mode, 0)
    const { id, code } = await begin(user, 'laptop')
    for (const other of ['phone', undefined])
      expect((await way.finish(user, id, code, other)).error?.code).toBe('not_found')
    expect((await way.finish(user, id, code, 'laptop')).status).toBe(200)
    const nameless = await begin(user)
    expect((await way.finish(user, nameless.id, nameless.code, 'laptop')).error?.code).toBe('not_found')
    expect((await way.finish(user, nameless.id, nameless.code)).status).toBe(200)
  })

  test('is ended by a start of its own device or of a known one, not of another', async () => {
    const { tenant, user } = await at.ownerIn(way.mode)
    const wait = async (device?: string) => {
      await app.sql`update ${app.sql.identifier(name === 'recovery' ? 'recovery_processes' : 'key_transfers')}
        set created_at = created_at - interval '1 day' where user_identity_id = ${user.id}`
      const { id, code } = await begin(user, device)
      expect((await way.finish(user, id, code, device)).error?.code).toBe(delayed)
      return id
    }
    const states = (...ids: string[]) =>
      Promise.all(ids.map(async (id) => (await stateOf(user, id))['state']))
    const laptop = await wait('laptop')
    const nameless = await wait()
    await begin(user, 'phone')
    await begin(user)
    expect(await states(laptop, nameless)).toEqual(['delayed', 'delayed'])
    await begin(user, 'laptop')
    expect(await states(laptop, nameless)).toEqual(['expired', 'delayed'])
    const [other] = await Promise.all([wait('tablet')])
    await at.know(tenant, user, 'home')
    const home = await begin(user, 'home')
    expect(await states(other, nameless)).toEqual(['expired', 'expired'])
    expect((await way.finish(user, home.id, home.code, 'home')).status).toBe(200)
  })

  test('is canceled by the link in its emails: the page asks, its button does it, once', async () => {
    const { tenant, user } = await at.ownerIn(way.mode)
    const { id, code } = await begin(user, 'laptop')
    await way.finish(user, id, code, 'laptop')
    const link = at.linkIn(await startMail(user))
    const page = await app.call('GET', link)
    expect([page.status, /<form method="post">/.test(page.text)]).toEqual([200, true])
    expect(await stateOf(user, id)).toMatchObject({ state: 'delayed' })
    expect((await at.press(link)).status).toBe(200)
    const again = await at.press(link)
    expect([again.status, again.text]).toEqual([
      410,
      expect.stringContaining(`This ${name} is already canceled`),
    ])
    expect(await way.finish(user, id, code, 'laptop')).toMatchObject({
      status: 410,
      error: { code: 'expired' },
    })
    const rows = await app.sql<{ n: number }[]>`
      select count(*)::int as n from audit_events where organization_id = ${tenant.id} and type = ${auditEventTypes.indexOf(way.canceled)}`
    expect(rows[0]?.n).toBe(1)
    expect(
      await app.sql`select 1 from outbox where organization_id = ${tenant.id} and next_attempt_at > app_now() + interval '10 minutes'`,
    ).toHaveLength(0)
  })

  test('is canceled with its device: what a forgotten login began under any name, and no other device', async () => {
    const { tenant, user } = await at.ownerIn(way.mode)
    const stolen = await at.loginFrom(tenant, user, 'stolen')
    const link = await stolen.link()
    const neighbor = await at.ownerIn(way.mode, delaySeconds, tenant)
    const theirs = await begin(neighbor.user)
    expect((await way.finish(neighbor.user, theirs.id, theirs.code)).error?.code).toBe(delayed)
    const kept = await at.loginFrom(tenant, user, 'kept')
    const begun: { id: string; code: string; device: string | undefined }[] = []
    let readyAt = ''
    for (const device of ['kept', 'stolen', undefined, 'never logged in'.replaceAll(' ', '-')]) {
      const { id, code } = await begin(device === 'kept' ? kept : stolen, device)
      const held = await way.finish(stolen, id, code, device)
      expect(held.error?.code).toBe(delayed)
      readyAt = readyOf(held)
      begun.push({ id, code, device })
    }
    expect((await at.press(link)).status).toBe(200)
    const again = await at.loginFrom(tenant, user, 'stolen')
    await stopClock(app, Date.parse(readyAt))
    const answers = []
    for (const { id, code, device } of begun.toReversed())
      answers.push((await way.finish(again, id, code, device)).status)
    expect(answers).toEqual([410, 410, 410, 200])
    expect((await way.finish(neighbor.user, theirs.id, theirs.code)).status).toBe(200)
    const rows = await app.sql<{ n: number }[]>`
      select count(*)::int as n from audit_events where organization_id = ${tenant.id} and type = ${auditEventTypes.indexOf(way.canceled)}`
    expect(rows[0]?.n).toBe(3)
    await mailTo(app, user.email, `can now be ${words}`)
    expect(readyMails(user)).toHaveLength(1)
  })

  test('has a link of its own in each email: either cancels, and the other says that it is canceled', async () => {
    const { user } = await at.ownerIn(way.mode)
    const { id, code } = await begin(user, 'laptop')
    const first = await way.finish(user, id, code, 'laptop')
    await stopClock(app, Date.parse(readyOf(first)))
    const early = at.linkIn(await startMail(user))
    const late = at.linkIn(await mailTo(app, user.email, `can now be ${words}`))
    expect(early).not.toBe(late)
    for (const link of [early, late]) expect((await app.call('GET', link)).status).toBe(200)
    expect((await at.press(late)).status).toBe(200)
    for (const answer of [await app.call('GET', early), await at.press(early)]) {
      expect([answer.status, answer.text]).toEqual([
        410,
        expect.stringContaining(`This ${name} is already canceled`),
      ])
      expect(answer.text).not.toContain('<form')
    }
    expect(await stateOf(user, id)).toMatchObject({ state: 'expired' })
  })

  test('that can no longer be canceled says why: finished, stopped or over', async () => {
    const { user } = await at.ownerIn(way.mode)
    const { id, code } = await begin(user, 'laptop')
    await way.finish(user, id, code, 'laptop')
    const link = at.linkIn(await startMail(user))
    const table = app.sql.identifier(name === 'recovery' ? 'recovery_processes' : 'key_transfers')
    for (const [change, title] of [
      ["state = 'completed'", `This ${name} is already finished`],
      ["state = 'delayed', attempts = 5", `This ${name} was stopped`],
      ["state = 'expired', attempts = 0", `This ${name} is already over`],
    ] as const) {
      await app.sql`update ${table} set ${app.sql.unsafe(change)} where id = ${id}`
      for (const answer of [await app.call('GET', link), await at.press(link)])
        expect([answer.status, answer.text]).toEqual([410, expect.stringContaining(title)])
    }
  })
})

test('a verified recovery and an open import of a forgotten device can no longer be finished', async () => {
  const client = await at.ownerIn('client', 0)
  const laptop = await at.loginFrom(client.tenant, client.user, 'laptop')
  const before = mailsTo(app, laptop.email).length
  const id = at.ways.recovery.idOf(await at.ways.recovery.start(laptop, 'laptop'))
  const code = await mailedCode(app, laptop.email, before)
  expect((await at.ways.recovery.finish(laptop, id, code, 'laptop')).status).toBe(200)
  expect((await at.press(await laptop.link())).status).toBe(200)
  const again = await at.loginFrom(client.tenant, client.user, 'laptop')
  const json = completionBody(newClientKey())
  const completed = await app.call('POST', `${at.ways.recovery.path(id)}/complete`, {
    ...as(again, 'laptop'),
    json,
  })
  expect(completed).toMatchObject({ status: 410, error: { code: 'expired' } })

  const tee = await at.ownerIn('tee')
  const thief = await at.loginFrom(tee.tenant, tee.user, 'laptop')
  const offer = await app.call('POST', `${me}/import/initiate`, {
    ...as(thief, 'laptop'),
    json: { curve: 'ed25519' },
  })
  expect(offer.status).toBe(200)
  expect((await at.press(await thief.link())).status).toBe(200)
  const rows = await app.sql<{ state: string; error: string }[]>`
    select state, (select error_code from audit_events e where e.wallet_id = t.wallet_id) as error
    from key_transfers t where user_identity_id = ${tee.user.id}`
  expect(rows).toEqual([{ state: 'expired', error: 'expired' }])
})

test('a recovery that waited has 15 minutes to be completed, and ends another one of the wallet that was verified', async () => {
  const { user } = await at.ownerIn('client')
  const before = mailsTo(app, user.email).length
  const id = at.ways.recovery.idOf(await at.ways.recovery.start(user, 'laptop'))
  const code = await mailedCode(app, user.email, before)
  const first = await at.ways.recovery.finish(user, id, code, 'laptop')
  const other = at.ways.recovery.idOf(await at.ways.recovery.start(user, 'phone'))
  await app.sql`update recovery_processes set state = 'verified', expires_at = app_now() + interval '1 day' where id = ${other}`
  const readyMs = Date.parse(readyOf(first))
  await stopClock(app, readyMs)
  expect((await at.ways.recovery.finish(user, id, code, 'laptop')).status).toBe(200)
  const { data } = await app.call('GET', at.ways.recovery.path(id), as(user, undefined))
  expect(data).toMatchObject({ state: 'verified', expires_at: new Date(readyMs + 900_000).toISOString() })
  const rows = await app.sql<{ state: string }[]>`select state from recovery_processes where id = ${other}`
  expect(rows[0]?.state).toBe('expired')
  const json = completionBody(newClientKey())
  const complete = (device: string) =>
    app.call('POST', `${at.ways.recovery.path(id)}/complete`, { ...as(user, device), json })
  expect((await complete('phone')).error?.code).toBe('not_found')
  expect((await complete('laptop')).status).toBe(204)
})

test('export_enabled off refuses every export, those on their way too', async () => {
  const { tenant, user } = await at.ownerIn('tee', 0)
  const before = mailsTo(app, user.email).length
  const id = at.ways.export.idOf(await at.ways.export.start(user))
  const code = await mailedCode(app, user.email, before)
  const set = (isOn: boolean) =>
    app.sql`update organizations set export_enabled = ${isOn} where id = ${tenant.id}`
  await set(false)
  const refused = { status: 403, error: { code: 'export_disabled' } }
  expect(await at.ways.export.start(user)).toMatchObject(refused)
  expect(await at.ways.export.finish(user, id, code)).toMatchObject(refused)
  await set(true)
  expect((await at.ways.export.finish(user, id, code)).status).toBe(200)

  const client = await at.ownerIn('client')
  await app.sql`update organizations set export_enabled = false where id = ${client.tenant.id}`
  const share = (purpose: string) =>
    app.call('POST', `${me}/shares/provider?purpose=${purpose}`, as(client.user, undefined))
  expect(await share('export')).toMatchObject(refused)
  expect((await share('sign')).status).toBe(200)
})
