import {
  callAs,
  joinOrganization,
  mailTo,
  newCompany,
  newMember,
  portalUser,
  startTestApp,
  type TestApp,
} from '@symbolon/testing/app'
import { untilWaiting } from '@symbolon/testing/database'
import { afterAll, beforeAll, expect, test } from 'vitest'

type Member = { id: string; email: string; role: string; is_invited: boolean }

let app: TestApp
let second: TestApp

beforeAll(async () => {
  app = await startTestApp()
  second = await startTestApp({ installation: app })
})
afterAll(async () => {
  await second.stop()
  await app.stop()
})

async function makeCompany() {
  const owner = await portalUser(app)
  const { id } = await newCompany(app, owner)
  const path = `/v1/orgs/${id}/members`
  const list = async () => (await callAs<{ items: Member[] }>(app, owner, ['GET', path])).data.items
  const [own] = await list()
  return { id, path, owner: { ...owner, memberId: own?.id ?? '' }, list }
}

test('a new member belongs at once, gets an email, and keeps role and membership when added again: another role is refused', async () => {
  const { owner, path, list } = await makeCompany()
  const invited = await portalUser(app, 'grace.hopper@example.test')
  const body = { email: ' Grace.Hopper@Example.test ', role: 'developer' }
  const added = await callAs<Member>(app, owner, ['POST', path, body])
  expect(added).toMatchObject({
    status: 201,
    data: { email: invited.email, role: 'developer', is_invited: true },
  })
  expect((await callAs(second, invited, ['GET', path])).status).toBe(200)
  const mail = await mailTo(app, invited.email)
  expect(mail).toContain('Subject: You were added to a company in the wallet portal')
  expect(mail).toContain(`${owner.email} added you`)
  const again = await callAs<Member>(app, owner, ['POST', path, body])
  expect([again.status, again.data]).toEqual([201, added.data])
  expect(await callAs(app, owner, ['POST', path, { ...body, role: 'admin' }])).toMatchObject({
    status: 400,
    error: {
      code: 'invalid_request',
      details: {
        issues: [{ path: ['email'], message: '`email` is already a member: change the role with PATCH' }],
      },
    },
  })
  expect((await list()).map(({ role }) => role).sort()).toEqual(['developer', 'owner'])
  expect(await list()).toHaveLength(2)
})

test('another role and a removal hold from the next request on, in every process', async () => {
  const { id, owner, path } = await makeCompany()
  const member = await newMember(app, id, 'developer')
  const mint = () =>
    callAs(second, member, ['POST', `/v1/orgs/${id}/api-keys`, { name: 'k', type: 'publishable' }])
  expect((await mint()).status).toBe(201)
  await callAs(app, owner, ['PATCH', `${path}/${member.memberId}`, { role: 'viewer' }])
  expect(await mint()).toMatchObject({ status: 403, error: { code: 'forbidden' } })
  await callAs(app, owner, ['DELETE', `${path}/${member.memberId}`])
  expect(await mint()).toMatchObject({ status: 404, error: { code: 'not_found' } })
})

test('admins manage everybody but owners', async () => {
  const { id, owner, path } = await makeCompany()
  const admin = await newMember(app, id, 'admin')
  const other = await newMember(app, id, 'viewer')
  const status = async (...call: Parameters<typeof callAs>[2]) => (await callAs(app, admin, call)).status
  expect(await status('POST', path, { email: 'o@example.test', role: 'owner' })).toBe(403)
  expect(await status('PATCH', `${path}/${other.memberId}`, { role: 'owner' })).toBe(403)
  expect(await status('PATCH', `${path}/${admin.memberId}`, { role: 'owner' })).toBe(403)
  expect(await status('PATCH', `${path}/${owner.memberId}`, { role: 'viewer' })).toBe(403)
  expect(await status('DELETE', `${path}/${owner.memberId}`)).toBe(403)
  expect(await status('PATCH', `${path}/${other.memberId}`, { role: 'admin' })).toBe(200)
  expect(await status('DELETE', `${path}/${other.memberId}`)).toBe(204)
  expect((await callAs(app, owner, ['PATCH', `${path}/${admin.memberId}`, { role: 'owner' }])).status).toBe(
    200,
  )
})

test("a member of another company is nobody here, even by the member's own id", async () => {
  const { owner } = await makeCompany()
  const other = await makeCompany()
  const theirs = await newMember(app, other.id, 'viewer')
  const { path } = await makeCompany()
  const at = `${path}/${theirs.memberId}`
  for (const call of [['PATCH', at, { role: 'admin' }] as const, ['DELETE', at] as const])
    expect((await callAs(app, owner, call)).status).toBe(404)
  expect((await callAs(app, theirs, ['GET', other.path])).status).toBe(200)
})

test('everybody may leave, but the last owner', async () => {
  const { id, owner, path } = await makeCompany()
  const viewer = await newMember(app, id, 'viewer')
  expect((await callAs(app, viewer, ['DELETE', `${path}/${viewer.memberId}`])).status).toBe(204)
  for (const call of [
    ['DELETE', `${path}/${owner.memberId}`] as const,
    ['PATCH', `${path}/${owner.memberId}`, { role: 'admin' }] as const,
  ])
    expect(await callAs(app, owner, call)).toMatchObject({ status: 409, error: { code: 'last_owner' } })
  const heir = await newMember(app, id, 'owner')
  expect((await callAs(app, owner, ['DELETE', `${path}/${owner.memberId}`])).status).toBe(204)
  expect((await callAs(app, heir, ['GET', path])).status).toBe(200)
})

test('of two owners who go at the same moment, in two processes, one stays', async () => {
  for (let round = 0; round < 12; round++) {
    const { id, owner, path } = await makeCompany()
    const other = await newMember(app, id, 'owner')
    // Each leaves, each removes the other, or each steps down.
    const call = (who: { memberId: string }) =>
      round % 3 === 2
        ? (['PATCH', `${path}/${who.memberId}`, { role: 'viewer' }] as const)
        : (['DELETE', `${path}/${who.memberId}`] as const)
    const isCross = round % 3 === 1
    const answers = await Promise.all([
      callAs(app, owner, call(isCross ? other : owner)),
      callAs(second, other, call(isCross ? owner : other)),
    ])
    const rows =
      await app.sql`select 1 from organization_members where organization_id = ${id} and role = 'owner'`
    expect(rows).toHaveLength(1)
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(1)
  }
})

test('owners get an email about a new owner, and the log has every change', async () => {
  const { id, owner, path } = await makeCompany()
  const added = await callAs<Member>(app, owner, [
    'POST',
    path,
    { email: 'second@example.test', role: 'owner' },
  ])
  expect(await mailTo(app, owner.email)).toContain('an owner was added')
  await callAs(app, owner, ['PATCH', `${path}/${added.data.id}`, { role: 'viewer' }])
  await callAs(app, owner, ['DELETE', `${path}/${added.data.id}`])
  const log = await callAs<{ items: { event_type: string; actor_id: string; payload: object }[] }>(
    app,
    owner,
    ['GET', `/v1/orgs/${id}/audit`],
  )
  expect(log.data.items.slice(0, 3)).toMatchObject([
    { event_type: 'member.removed', actor_id: owner.id, payload: { before: { role: 'viewer' } } },
    { event_type: 'member.updated', payload: { before: { role: 'owner' }, after: { role: 'viewer' } } },
    { event_type: 'member.added', payload: { role: 'owner', member_id: added.data.id } },
  ])
})

test.each([
  ['removed', [404, 404, 404]],
  ['made a viewer', [403, 404, 404]],
] as const)(
  'a member who was %s while a request was on its way changes nothing any more',
  async (change, statuses) => {
    const { id, owner, path, list } = await makeCompany()
    const admin = await newMember(app, id, 'admin')
    const key = { name: 'k', type: 'secret' }
    const keysAt = `/v1/orgs/${id}/api-keys`
    const { data: living } = await callAs<{ id: string }>(app, owner, ['POST', keysAt, key])
    for (const [i, call] of (
      [
        ['POST', path, { email: 'friend@example.test', role: 'admin' }],
        ['POST', keysAt, key],
        ['POST', `${keysAt}/${living.id}/rotate`, { grace_seconds: 0 }],
      ] as const
    ).entries()) {
      const connection = await app.sql.reserve()
      await connection`begin`
      await connection`select 1 from organizations where id = ${id} for no key update`
      if (change === 'removed')
        await connection`delete from organization_members where id = ${admin.memberId}`
      else await connection`update organization_members set role = 'viewer' where id = ${admin.memberId}`
      const late = callAs(second, admin, call)
      await untilWaiting(app)
      await connection`commit`
      connection.release()
      expect(await late).toMatchObject({ status: statuses[i] })
      await app.sql`delete from organization_members where id = ${admin.memberId}`
      admin.memberId = await joinOrganization(app, id, { user: admin, role: 'admin' })
    }
    expect((await list()).map(({ email }) => email)).toEqual([owner.email, admin.email])
    const keys = await callAs<{ items: unknown[] }>(app, owner, ['GET', keysAt])
    expect(keys.data.items).toMatchObject([{ id: living.id, revoked_at: null }])
  },
)
