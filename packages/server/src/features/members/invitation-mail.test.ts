import { createSecretKey, randomBytes } from 'node:crypto'
import {
  seedOrganization,
  type TestDatabase,
  testDatabase,
  testIds,
  testLog,
} from '@symbolon/testing/database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MemberPrincipal } from '../../http/principal.ts'
import { isFailure } from '../../runtime/failure.ts'
import { auditWriter } from '../audit/audit-writer.ts'
import { outbox } from '../outbox/outbox.ts'
import { membersStore } from './members.store.ts'
import { addMember } from './members.ts'
import { ownerNotices } from './owner-notices.ts'
import { portalUsersStore } from './portal-users.store.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

async function newOwner(): Promise<MemberPrincipal> {
  const { sql } = database
  const organization = await seedOrganization(sql)
  const user = await portalUsersStore.ofEmail(sql, testIds.next(), 'owner@example.test')
  const member = { id: testIds.next(), organizationId: organization.id, userId: user.id }
  await membersStore.insertFirst(sql, member)
  return { organization, user, role: 'owner', session: { id: testIds.next(), expiresAt: new Date() } }
}

test('the worker is told of an invitation once its email is committed, so that it leaves at once', async () => {
  const { sql } = database
  const found: Promise<number>[] = []
  const box = outbox({
    master: createSecretKey(randomBytes(32)),
    kind: 'mail',
    ids: testIds,
    // On another connection, as a worker would look.
    onNudge: () => found.push(sql`select 1 from outbox`.then(({ length }) => length)),
  })
  const audit = auditWriter({ sql, ids: testIds, log: testLog() })
  const portalUrl = 'https://wallet.example.test/portal'
  const ctx = { sql, ids: testIds, audit, notices: ownerNotices(box), outbox: box, portalUrl }
  const added = await addMember(ctx, await newOwner(), { email: 'new@example.test', role: 'viewer' })
  expect(isFailure(added)).toBe(false)
  expect(await Promise.all(found)).toEqual([1])
})
