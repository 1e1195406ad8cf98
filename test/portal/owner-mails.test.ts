import { randomUUID } from 'node:crypto'
import {
  callAs,
  mailsTo,
  mailTo,
  newCompany,
  newMember,
  portalUser,
  startTestApp,
  type TestApp,
} from '@symbolon/testing/app'
import { until } from '@symbolon/testing/wait'
import { afterAll, beforeAll, expect, test } from 'vitest'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

/** Once nothing waits any more. */
const allSent = () => until(async () => (await app.sql`select 1 from outbox`).length === 0)

/** An email with its long lines (quoted-printable) in one. */
const plain = (raw: string) =>
  Buffer.from(
    raw
      .replaceAll('=\r\n', '')
      .replaceAll(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8')

async function makeCompany() {
  const owner = await portalUser(app)
  const { id } = await newCompany(app, owner, 'client')
  const admin = await newMember(app, id, 'admin')
  return { id, at: `/v1/orgs/${id}`, owner, admin }
}

test.each([
  [{ allowed_origins: ['https://other.example'] }, 'the allowed origins were changed'],
  [{ sign_confirmation: false }, 'the confirmation of signatures was turned off'],
  [{ export_enabled: false }, 'the export of private keys was turned off'],
  [{ high_risk_delay_seconds: 3600 }, 'the delay of recoveries and exports was set to'],
  [{ receipts: true }, 'receipts of all signatures were turned on'],
])('the owners get one email about %j, and none when it is set again', async (change, words) => {
  const { at, owner } = await makeCompany()
  for (let i = 0; i < 2; i++)
    expect(await callAs(app, owner, ['PATCH', at, change])).toMatchObject({ status: 200, data: change })
  expect((await callAs(app, owner, ['GET', at])).data).toMatchObject(change)
  expect(await mailTo(app, owner.email, words)).toContain(`By: ${owner.email}`)
  await callAs(app, owner, ['PATCH', `${at}/signing-mode`, { signing_mode: 'tee' }])
  await mailTo(app, owner.email, 'the signing mode was changed')
  expect(mailsTo(app, owner.email)).toHaveLength(2)
})

test('whoever was named as an owner and has never opened the company gets the invitation, and no email about changes', async () => {
  const { at, owner } = await makeCompany()
  const stranger = `s-${randomUUID()}@example.test`
  await callAs(app, owner, ['POST', `${at}/members`, { email: stranger, role: 'owner' }])
  const change = (origin: string) => callAs(app, owner, ['PATCH', at, { allowed_origins: [origin] }])
  await change('https://one.example')
  await mailTo(app, owner.email, 'the allowed origins were changed')
  await mailTo(app, stranger)
  expect(mailsTo(app, stranger)).toHaveLength(1)

  // In the portal, and in another company, but not in this one.
  const come = await portalUser(app, stranger)
  const other = await newCompany(app, come)
  await callAs(app, come, ['GET', '/v1/orgs'])
  await callAs(app, come, ['GET', `/v1/orgs/${other.id}`])
  await change('https://two.example')
  await allSent()
  expect(mailsTo(app, stranger)).toHaveLength(1)

  await callAs(app, come, ['GET', at])
  await change('https://three.example')
  await mailTo(app, stranger, 'the allowed origins were changed')
  expect(mailsTo(app, stranger)).toHaveLength(2)
})

test('whoever opens a company while their membership is held by a change waits for nothing, and is noted with the next request', async () => {
  const { at, id, owner } = await makeCompany()
  const member = await newMember(app, id, 'viewer')
  const entered = async () =>
    (await app.sql`select entered_at from organization_members where id = ${member.memberId}`)[0]?.[
      'entered_at'
    ]
  await app.sql.begin(async (tx) => {
    await tx`select 1 from organization_members where id = ${member.memberId} for update`
    expect((await callAs(app, member, ['GET', at])).status).toBe(200)
  })
  expect(await entered()).toBeNull()
  await callAs(app, member, ['GET', at])
  const first = await entered()
  expect(first).toBeInstanceOf(Date)
  await callAs(app, member, ['GET', at])
  expect(await entered()).toEqual(first)
  await callAs(app, owner, ['DELETE', `${at}/members/${member.memberId}`])
  await callAs(app, owner, ['POST', `${at}/members`, { email: member.email, role: 'owner' }])
  await callAs(app, owner, ['PATCH', at, { allowed_origins: ['https://one.example'] }])
  await mailTo(app, owner.email, 'the allowed origins were changed')
  await allSent()
  expect(mailsTo(app, member.email, 'the allowed origins were changed')).toHaveLength(0)
})

test('of many changes at the same moment, in two processes, an owner gets 20 emails in 24 hours; the last one says so, and the log has all', async () => {
  const { at, id, owner } = await makeCompany()
  const second = await startTestApp({ installation: app })
  try {
    const mint = (process: TestApp, i: number) =>
      callAs(process, owner, ['POST', `${at}/api-keys`, { name: `k${i}`, type: 'publishable' }])
    const minted = await Promise.all(
      Array.from({ length: 24 }, (_, i) => mint(i % 2 === 0 ? app : second, i)),
    )
    expect(minted.map(({ status }) => status)).toEqual(minted.map(() => 201))
  } finally {
    await second.stop()
  }
  await allSent()
  expect(mailsTo(app, owner.email)).toHaveLength(20)
  const last = mailsTo(app, owner.email).filter(({ raw }) =>
    plain(raw).includes('this is the last one for now'),
  )
  expect(last).toHaveLength(1)
  const log = await callAs<{ total: number }>(app, owner, ['GET', `${at}/audit?event_type=api_key.created`])
  expect(log.data.total).toBe(24)

  // Neither another owner nor another company is counted with it, and a new membership begins with no new measure.
  const other = await newMember(app, id, 'owner')
  await callAs(app, other, ['GET', at])
  const { id: otherCompany } = await newCompany(app, owner)
  await callAs(app, owner, ['PATCH', `/v1/orgs/${otherCompany}`, { export_enabled: false }])
  const own = (await callAs<{ items: { id: string; email: string }[] }>(app, owner, ['GET', `${at}/members`]))
    .data
  const ownId = own.items.find(({ email }) => email === owner.email)?.id
  await callAs(app, other, ['DELETE', `${at}/members/${ownId}`])
  await callAs(app, other, ['POST', `${at}/members`, { email: owner.email, role: 'owner' }])
  await callAs(app, owner, ['PATCH', at, { export_enabled: false }])
  await allSent()
  expect(mailsTo(app, owner.email, 'the export of private keys was turned off')).toHaveLength(1)
  expect(mailsTo(app, other.email, 'the export of private keys was turned off')).toHaveLength(1)
})

test('names that a stranger chose are shown in quotes, cut, and with nothing that a mail program makes a link', async () => {
  const owner = await portalUser(app)
  const { id } = await newCompany(app, owner)
  const name = 'Your session expired - log in at https://evil.test/portal'
  const at = `/v1/orgs/${id}`
  await callAs(app, owner, ['PATCH', at, { name }])
  await callAs(app, owner, ['POST', `${at}/api-keys`, { name: 'www.evil.test" <b>', type: 'publishable' }])
  const mail = plain(await mailTo(app, owner.email, 'an API key was minted'))
  expect(mail).toContain(`Company: ${id}, named "Your session expired - log in at https e…" by its members`)
  expect(mail).toContain('"www evil test b" (publishable, ends in')
  expect(mail.replaceAll(owner.email, '')).not.toMatch(/evil\.test|https?:/)
})

test('branding emails nobody', async () => {
  const { at, owner } = await makeCompany()
  await callAs(app, owner, ['PATCH', at, { brand_color: '#a1b2c3' }])
  await callAs(app, owner, ['PATCH', at, { allowed_origins: ['https://other.example'] }])
  await mailTo(app, owner.email)
  expect(mailsTo(app, owner.email)).toHaveLength(1)
})

test('another rule for agents emails the owners', async () => {
  const { at, owner } = await makeCompany()
  await callAs(app, owner, ['PUT', `${at}/rules`, { token_mode: 'none' }])
  await callAs(app, owner, ['PUT', `${at}/rules`, { token_mode: 'none' }])
  await mailTo(app, owner.email, 'the rules for agents were changed')
  expect(mailsTo(app, owner.email)).toHaveLength(1)
})

test('whoever becomes an admin, or no longer is one, is named to the owners; other roles are not', async () => {
  const { at, owner, admin } = await makeCompany()
  const made = await callAs(app, admin, [
    'POST',
    `${at}/members`,
    { email: 'newly-named@example.test', role: 'viewer' },
  ])
  const member = `${at}/members/${made.data['id']}`
  for (const role of ['developer', 'admin', 'viewer']) await callAs(app, admin, ['PATCH', member, { role }])
  await mailTo(app, owner.email, 'an admin was made a viewer')
  await callAs(app, owner, ['DELETE', `${at}/members/${admin.memberId}`])
  await mailTo(app, owner.email, 'an admin was removed')
  const subjects = mailsTo(app, owner.email).map(({ raw }) => /^Subject: (.*)\r?$/m.exec(raw)?.[1])
  expect(subjects.sort()).toEqual([
    'Wallet portal: a member was made an admin',
    'Wallet portal: an admin was made a viewer',
    'Wallet portal: an admin was removed',
  ])
  expect(mailsTo(app, owner.email, 'newly-named@example.test')).toHaveLength(2)
})

test('an admin can protect users better; taking protections away needs an owner', async () => {
  const { at, owner, admin } = await makeCompany()
  const change = (user: typeof owner, json: object) => callAs(app, user, ['PATCH', at, json])
  expect((await change(admin, { high_risk_delay_seconds: 7200, export_enabled: false })).status).toBe(200)
  for (const weaker of [{ sign_confirmation: false }, { high_risk_delay_seconds: 7199 }]) {
    expect(await change(admin, weaker)).toMatchObject({ status: 403, error: { code: 'forbidden' } })
    expect(await change(owner, weaker)).toMatchObject({ status: 200, data: weaker })
    expect((await change(admin, weaker)).status).toBe(200)
  }
  expect((await change(admin, { sign_confirmation: true })).status).toBe(200)
})

test.each([-1, 259_201, 1.5, '60', null])('is not a delay: %j', async (delay) => {
  const { at, owner } = await makeCompany()
  expect(await callAs(app, owner, ['PATCH', at, { high_risk_delay_seconds: delay }])).toMatchObject({
    status: 400,
    error: { code: 'invalid_request' },
  })
})
