import { mintSession, roomForFees, setRules, signAs } from '@symbolon/testing/agents'
import {
  callAs,
  makeTenant,
  makeWalletFor,
  newMember,
  type PortalUser,
  startTestApp,
  type Tenant,
  type TestApp,
} from '@symbolon/testing/app'
import { afterAll, beforeAll, expect, test } from 'vitest'

let app: TestApp
let tenant: Tenant
let owner: PortalUser
let walletId: string

beforeAll(async () => {
  app = await startTestApp()
  tenant = await makeTenant(app)
  owner = await newMember(app, tenant.id, 'owner')
  walletId = (await makeWalletFor(app, tenant)).id
})
afterAll(() => app?.stop())

const thief = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const rulesPath = () => `/v1/orgs/${tenant.id}/rules`
const issuesOf = (details: unknown) =>
  (details as { issues: { path: unknown; message: string }[] } | undefined)?.issues ?? []
const transfer = {
  type: 'transaction',
  chain: 'local',
  transaction: {
    to: thief,
    value: '0x1',
    data: '0x',
    nonce: '0x0',
    gas_limit: '0x5208',
    max_fee_per_gas: '0x1',
    max_priority_fee_per_gas: '0x0',
  },
}

test.each([thief.slice(2), thief.slice(2).toLowerCase(), `0X${thief.slice(2).toUpperCase()}`])(
  'an account blocked as %s is not paid',
  async (spelled) => {
    await setRules(app, { member: owner, organizationId: tenant.id }, { blocked_recipients: [spelled] })
    const { token } = await mintSession(app, tenant, walletId)
    const { status, error } = await signAs(app, token, transfer)
    expect(status).toBe(403)
    expect(error?.details).toMatchObject({ reason: 'recipient_blocked', limit: spelled, actual: thief })
  },
)

test('an allowed account may be written without 0x too', async () => {
  await setRules(app, { member: owner, organizationId: tenant.id }, {})
  const policy = { ...roomForFees, allowed_recipients: [thief.slice(2)] }
  const { token } = await mintSession(app, tenant, walletId, policy)
  const { status, text } = await signAs(app, token, transfer)
  expect(status, text).toBe(200)
})

test('a text that can be nobody’s name is refused with its position, and the rules stay', async () => {
  await setRules(app, { member: owner, organizationId: tenant.id }, { blocked_recipients: [thief] })
  const put = (names: readonly string[]) =>
    callAs(app, owner, ['PUT', rulesPath(), { blocked_recipients: names }])
  const names = [thief, `eip155:1:${thief}`, 'evil.near', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5']
  const { status, error } = await put(names)
  expect({ status, code: error?.code }).toEqual({ status: 400, code: 'invalid_request' })
  const issues = issuesOf(error?.details)
  expect(issues.map(({ path }) => path)).toEqual([
    ['blocked_recipients', 1],
    ['blocked_recipients', 3],
  ])
  expect(issues[0]?.message).toContain(`eip155:1:${thief}`)
  const { data } = await callAs<{ rules: unknown }>(app, owner, ['GET', rulesPath()])
  expect(data.rules).toEqual({ blocked_recipients: [thief] })
  const many = await put(Array.from({ length: 1024 }, (_, index) => `Nobody${index}`))
  expect(issuesOf(many.error?.details)).toHaveLength(20)
})
