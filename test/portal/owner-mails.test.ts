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
import { afterAll, beforeAll, expect, test } from 'vitest'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

async function makeCompany() {
  const owner = await portalUser(app)
  const { id } = await newCompany(app, owner, 'client')
  const admin = await newMember(app, id, 'admin')
  return { at: `/v1/orgs/${id}`, owner, admin }
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

test('whoever was named as an owner and has never come gets the invitation, and no email about changes', async () => {
  const { at, owner } = await makeCompany()
  const stranger = `s-${randomUUID()}@example.test`
  await callAs(app, owner, ['POST', `${at}/members`, { email: stranger, role: 'owner' }])
  const change = (origin: string) => callAs(app, owner, ['PATCH', at, { allowed_origins: [origin] }])
  await change('https://one.example')
  await mailTo(app, owner.email, 'the allowed origins were changed')
  await mailTo(app, stranger)
  expect(mailsTo(app, stranger)).toHaveLength(1)

  await app.app.portal.openSession(stranger)
  await change('https://two.example')
  await mailTo(app, stranger, 'the allowed origins were changed')
  expect(mailsTo(app, stranger)).toHaveLength(2)
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
