import type { ReceiptPage, SentAgentTransaction, SignResponse } from '@symbolon/api'
import { auditWriter, receiptVoided } from '@symbolon/server/testing/audit'
import type { Enclave } from '@symbolon/server/testing/ports'
import {
  anyAddress,
  mintSession,
  roomForFees,
  setRules,
  signAs,
  transferRequest,
} from '@symbolon/testing/agents'
import {
  type Answer,
  enclaveOf,
  type Installation,
  login,
  makeTenant,
  makeWallet,
  makeWalletFor,
  newMember,
  type PortalUser,
  startInstallation,
  startTestApp,
  type Tenant,
  type TestApp,
} from '@symbolon/testing/app'
import { type SharedChain, sharedChain } from '@symbolon/testing/chain'
import { testIds } from '@symbolon/testing/database'
import { type Hex, parseEther } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type * as z from 'zod'
import { allReceipts, eventsOfType, kidOf, payloadOf, verified } from './receipt-fixture.ts'

const hello = { type: 'message', message: 'hello', chain: 'local', receipt: true } as const

let installation: Installation
let chain: SharedChain
let app: TestApp
let tenant: Tenant
let owner: PortalUser
let walletId: string
/** What happens once the enclave has signed, before the API hears of it; once. */
let afterSigning: (() => Promise<unknown>) | undefined
let attests = 0

beforeAll(async () => {
  ;[chain, installation] = await Promise.all([sharedChain(), startInstallation()])
  const { handle, rpcUrl } = chain
  const enclave = interrupted(installation)
  app = await startTestApp({
    installation,
    ports: { enclave },
    chains: [{ handle, rpcUrls: [rpcUrl], confirmations: 1 }],
  })
})
afterAll(async () => {
  await app?.stop()
  await installation?.stop()
})
beforeEach(async () => {
  afterSigning = undefined
  tenant = await makeTenant(app)
  owner = await newMember(app, tenant.id, 'owner')
  const wallet = await makeWalletFor(app, tenant)
  walletId = wallet.id
})

/** The real enclave, with time for other things between its answers and what the API does with them. */
function interrupted({ enclaveProcess, database }: Installation): Enclave {
  const real = enclaveOf(enclaveProcess, database.sql)
  const happen = async () => {
    const what = afterSigning
    afterSigning = undefined
    await what?.()
  }
  return {
    ...real,
    async sign(input) {
      const answer = await real.sign(input)
      await happen()
      return answer
    },
    async agentSign(input) {
      const answer = await real.agentSign(input)
      await happen()
      return answer
    },
    attest(nonce) {
      attests += 1
      return real.attest(nonce)
    },
  }
}

const sign = (json: object = hello, sk = tenant.sk): Promise<Answer<SignResponse>> =>
  app.call('POST', '/v1/s2s/sign', { sk, json: { ...json, wallet_id: walletId } })
const counters = async () => (await allReceipts(app, tenant)).map(({ counter }) => counter)
const voided = async () =>
  (await eventsOfType(app, tenant.id, 'receipt.voided')).map(({ payload }) => payload)
const statement = (text: string) => () => app.sql.unsafe(text)

test('a signature whose guard is broken leaves neither: its number is reported, and the next one follows', async () => {
  afterSigning = statement(`update api_keys set revoked_at = app_now() where id = '${tenant.keyId}'`)
  expect(await sign()).toMatchObject({ status: 401, error: { code: 'unauthorized' } })
  await app.sql`update api_keys set revoked_at = null where id = ${tenant.keyId}`
  const { data } = await sign()
  const kid = kidOf(data.receipt ?? '')
  expect(await voided()).toEqual([{ kid, counter: 1 }])
  expect(await counters()).toEqual([2])
  expect((await allReceipts(app, tenant)).map(({ cursor }) => cursor)).toEqual([1])
  const [refused] = await eventsOfType(app, tenant.id, 'wallet.sign_refused')
  expect(refused).toMatchObject({ error_code: 'unauthorized' })
  expect(refused?.payload).not.toHaveProperty('receipt_sha256')
})

test('so does one whose wallet was archived, and one whose event the database refuses', async () => {
  afterSigning = statement(`select set_wallet_status('${tenant.id}', '${walletId}', 'archived')`)
  expect(await sign()).toMatchObject({ status: 409, error: { code: 'wallet_archived' } })
  await app.sql`select set_wallet_status(${tenant.id}, ${walletId}, 'active')`
  await app.sql.unsafe(`create or replace function refuse() returns trigger language plpgsql as $$ begin raise exception 'not this one'; end $$;
    create trigger refuse before insert on audit_events for each row when (new.type = 15) execute function refuse()`)
  const { status, data } = await sign().finally(() => app.sql`drop trigger refuse on audit_events`)
  expect({ status, data }).toEqual({ status: 500, data: null })
  expect((await voided()).map(({ counter }) => counter)).toEqual([1, 2])
  expect(await counters()).toEqual([])
})

test('a number that was given up while its request was stuck lets nothing leave', async () => {
  const first = await sign()
  const kid = kidOf(first.data.receipt ?? '')
  const number = { kid, counter: 2 }
  const audit = auditWriter({ sql: app.sql, ids: testIds, log: app.log })
  afterSigning = () => audit.write(receiptVoided(tenant.id, number))
  expect(await sign()).toMatchObject({ status: 503, error: { code: 'unavailable' } })
  const session = await mintSession(app, tenant, walletId)
  afterSigning = () => audit.write(receiptVoided(tenant.id, { kid, counter: 3 }))
  expect(await signAs(app, session.token, hello)).toMatchObject({
    status: 503,
    error: { code: 'unavailable' },
  })
  expect(await voided()).toEqual([number, { kid, counter: 3 }])
  expect(await counters()).toEqual([1])
})

test("an agent's session that ends meanwhile takes its receipt along", async () => {
  const session = await mintSession(app, tenant, walletId)
  afterSigning = () =>
    app.call('POST', `/v1/orgs/${tenant.id}/agent-sessions/${session.id}/revoke`, { sk: tenant.sk })
  expect(await signAs(app, session.token, hello)).toMatchObject({
    status: 401,
    error: { code: 'token_revoked' },
  })
  expect((await voided()).map(({ counter }) => counter)).toEqual([1])
  expect(await counters()).toEqual([])
})

test('rules that change meanwhile let the signature leave with its first receipt, or keep both', async () => {
  const session = await mintSession(app, tenant, walletId)
  const rule = (max: string) => () =>
    setRules(app, { member: owner, organizationId: tenant.id }, { max_native_per_tx_cap: max })
  const request = (nonce: number) => ({ ...transferRequest(anyAddress(), 5n, { nonce }), receipt: true })
  afterSigning = rule('100')
  const { data, text } = await signAs(app, session.token, request(0))
  expect(payloadOf(data?.receipt ?? expect.fail(text)).counter).toBe(1)
  await verified(app, data.receipt)
  afterSigning = rule('1')
  expect(await signAs(app, session.token, request(1))).toMatchObject({ error: { code: 'policy_violation' } })
  expect((await voided()).map(({ counter }) => counter)).toEqual([2])
  expect(await counters()).toEqual([1])
})

test('a transaction that loses its nonce is signed again: the first number is reported, the second leaves', async () => {
  const { data: wallet } = await app.call<{ address: Hex }>('GET', `/v1/s2s/wallets/${walletId}`, {
    sk: tenant.sk,
  })
  await chain.fund(wallet.address, parseEther('1'))
  const session = await mintSession(app, tenant, walletId, roomForFees)
  afterSigning = statement(
    `update agent_nonces set holder = null, lease_until = null, held_by = null where wallet_id = '${walletId}'`,
  )
  const json = { chain: 'local', to: anyAddress(), value: '1', receipt: true }
  const { data, text } = await app.call<z.output<typeof SentAgentTransaction>>(
    'POST',
    '/v1/agents/me/transactions',
    { token: session.token, json },
  )
  expect(payloadOf(data?.receipt ?? expect.fail(text)).counter).toBe(2)
  expect((await voided()).map(({ counter }) => counter)).toEqual([1])
  expect(await counters()).toEqual([2])
})

test('the attestation of the key is stored before the first receipt leaves, once however many ask', async () => {
  await app.sql`truncate enclave_receipt_keys cascade`
  const fresh = await startTestApp({ installation, ports: { enclave: interrupted(installation) } })
  try {
    attests = 0
    const {
      data: { receipt: first },
    } = await fresh.call<SignResponse>('POST', '/v1/s2s/sign', {
      sk: tenant.sk,
      json: { ...hello, wallet_id: walletId },
    })
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        fresh.call<SignResponse>('POST', '/v1/s2s/sign', {
          sk: tenant.sk,
          json: { ...hello, wallet_id: walletId },
        }),
      ),
    )
    for (const receipt of [first, ...answers.map(({ data }) => data.receipt)]) await verified(fresh, receipt)
    expect(attests).toBe(1)
  } finally {
    await fresh.stop()
  }
})

test('a key whose enclave has gone before it was attested lets no signature leave', async () => {
  await app.sql`truncate enclave_receipt_keys cascade`
  const gone = interrupted(installation)
  const fresh = await startTestApp({
    installation,
    ports: {
      enclave: {
        ...gone,
        async attest(nonce) {
          const { state, document } = await gone.attest(nonce)
          const other = JSON.parse(state) as { keys: { use: string; kid: string }[] }
          for (const key of other.keys) if (key.use === 'receipt') key.kid = 'x'.repeat(43)
          return { state: JSON.stringify(other), document }
        },
      },
    },
  })
  try {
    const refused = await fresh.call('POST', '/v1/s2s/sign', {
      sk: tenant.sk,
      json: { ...hello, wallet_id: walletId },
    })
    expect(refused).toMatchObject({ status: 503, error: { code: 'unavailable' } })
    expect(await eventsOfType(app, tenant.id, 'wallet.signed')).toEqual([])
    expect(await counters()).toEqual([])
  } finally {
    await fresh.stop()
    // Stores it again.
    await app.call('GET', `/v1/attestation?nonce=${'A'.repeat(22)}`)
  }
})

test("lists are the organization's and the user's own, for every key that may read", async () => {
  const [mine, theirs] = [await login(app, tenant), await login(app, tenant)]
  const other = await makeTenant(app)
  await sign()
  const wallets = [await makeWallet(app, mine), await makeWallet(app, theirs)]
  for (const user of [mine, theirs]) await app.call('POST', '/v1/wallets/me/sign', { ...user, json: hello })
  const list = async (path: string, options: object, query = '') => {
    const { status, data, error } = await app.call<ReceiptPage>('GET', `${path}${query}`, options)
    return status === 200 ? data.items.map(({ cursor }) => cursor) : error?.code
  }
  const s2s = (sk: string, query?: string) => list('/v1/s2s/receipts', { sk }, query)
  const own = (user: object, query?: string) => list('/v1/wallets/me/receipts', user, query)
  expect(await s2s(tenant.sk)).toEqual([1, 2, 3])
  expect(await s2s(tenant.readKey)).toEqual([1, 2, 3])
  expect(await s2s(tenant.sk, `?wallet_id=${wallets[0]?.id}`)).toEqual([2])
  expect(await own(mine)).toEqual([2])
  expect(await own(theirs)).toEqual([3])
  const kid = (await allReceipts(app, tenant))[0]?.kid
  for (const query of [
    '',
    `?kid=${kid}`,
    `?wallet_id=${walletId}`,
    `?wallet_id=${wallets[0]?.id}&kid=${kid}`,
  ]) {
    expect(await s2s(other.sk, query)).toEqual([])
    expect(await own(await login(app, other), query)).toEqual([])
  }
  expect(await own(mine, `?wallet_id=${wallets[1]?.id}`)).toEqual([])
  expect(await own(mine, `?kid=${kid}&after=1`)).toEqual([2])
  for (const query of [
    '?limit=0',
    '?limit=501',
    '?after=-1',
    '?kid=x',
    '?wallet_id=x',
    '?more=1',
    '?limit=1&limit=2',
  ])
    expect(await s2s(tenant.sk, query)).toBe('invalid_request')
  const page = await app.call<ReceiptPage>('GET', '/v1/s2s/receipts?limit=2', { sk: tenant.sk })
  expect(page.data).toMatchObject({ last: 2, has_more: true })
  const end = await app.call<ReceiptPage>('GET', '/v1/s2s/receipts?after=3', { sk: tenant.sk })
  expect(end.data).toEqual({ items: [], last: 3, has_more: false })
})
