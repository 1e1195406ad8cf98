import { randomUUID } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { auditEventTypes, type Wallet } from '@symbolon/api'
import type { Curve } from '@symbolon/networks'
import {
  type Answer,
  forgetRates,
  login,
  makeTenant,
  startClock,
  startTestApp,
  stopClock,
  type Tenant,
  type TestApp,
  type User,
} from '@symbolon/testing/app'
import {
  archiveText,
  clockText,
  holdOrganization,
  makeClockMovable,
  untilWaiting,
} from '@symbolon/testing/database'
import {
  base64,
  hex,
  makeClientWallet,
  newClientKey,
  outcome,
  rebuilt,
  recoverySteps,
  refreshBody,
  refreshSignature,
  type Shares,
  split,
} from '@symbolon/testing/wallets'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

let app: TestApp
let second: TestApp
let tenant: Tenant

beforeAll(async () => {
  app = await startTestApp()
  second = await startTestApp({ installation: app })
  tenant = await makeTenant(app, { signingMode: 'client' })
})
afterAll(async () => {
  await second.stop()
  await app.stop()
})
afterEach(async () => {
  await startClock(app)
  await forgetRates(app)
})

async function owner(curve: Curve = 'secp256k1') {
  const user = await login(app, tenant)
  const { key, wallet } = await makeClientWallet(app, user, newClientKey(curve))
  return { user, key, wallet }
}

const send = async ({ pk, token }: User, json: object, at: TestApp = app) => {
  const answer = await at.call<Wallet>('POST', '/v1/wallets/me/shares/refresh', { pk, token, json })
  await forgetRates(app)
  return answer
}

const walletOf = async ({ pk, token }: User, curve: Curve = 'secp256k1') =>
  (await app.call<Wallet>('GET', `/v1/wallets/me?curve=${curve}`, { pk, token })).data

const providerShare = async ({ pk, token }: User, curve: Curve = 'secp256k1') => {
  await forgetRates(app)
  const path = `/v1/wallets/me/shares/provider?curve=${curve}&purpose=refresh`
  return (await app.call('POST', path, { pk, token })).data['provider_share']
}

/** What a recovery from now on rebuilds. */
async function recoveredKey(user: User, curve: Curve = 'secp256k1') {
  await app.sql`update recovery_processes set created_at = created_at - interval '1 day' where user_identity_id = ${user.id}`
  const { data } = await recoverySteps(app, user).verified({ curve })
  return { key: rebuilt(data['provider_share'], data['recovery_share']), version: data['polynomial_version'] }
}

const refreshes = async (walletId: string) => {
  const type = auditEventTypes.indexOf('wallet.shares_refreshed')
  const rows = await app.sql<
    { success: boolean; error_code: string | null; payload: { polynomial_version: number } }[]
  >`
    select success, error_code, payload from audit_events where wallet_id = ${walletId} and type = ${type} order by n`
  return rows.map((row) => [row.success ? 'ok' : row.error_code, row.payload.polynomial_version])
}

test.each(['secp256k1', 'ed25519'] as const)(
  'the key of a %s wallet replaces its shares: the new ones rebuild it, the old ones nothing, the wallet is the same',
  async (curve) => {
    const { user, key, wallet } = await owner(curve)
    const fresh = split(key.secret, [9, 8, 7])
    const refreshed = await send(user, refreshBody(key, wallet, fresh))
    expect(refreshed.status).toBe(200)
    expect(refreshed.data).toEqual({
      ...wallet,
      polynomial_version: 2,
      updated_at: expect.not.stringMatching(wallet.updated_at),
    })
    expect(await walletOf(user, curve)).toEqual(refreshed.data)
    const released = await providerShare(user, curve)
    expect(released).toBe(base64(fresh.provider))
    expect(rebuilt(base64(fresh.device), released)).toEqual(new Uint8Array(key.secret))
    expect(rebuilt(base64(key.device), released)).not.toEqual(new Uint8Array(key.secret))
    expect(await recoveredKey(user, curve)).toEqual({ key: new Uint8Array(key.secret), version: 2 })
    const old = await app.sql`
      select provider_envelope as share from wallet_shares where wallet_id = ${wallet.id} and polynomial_version = 1
      union all select envelope from recovery_shares where wallet_id = ${wallet.id} and polynomial_version = 1`
    expect(old.map((row) => row['share'])).toEqual([null, null])
    expect(await refreshes(wallet.id)).toEqual([['ok', 2]])
    expect(await app.sql`select 1 from share_refreshes where wallet_id = ${wallet.id}`).toHaveLength(0)
  },
)

describe('the signature', () => {
  const order = secp256k1.Point.Fn.ORDER

  /** The same signature with the other s, which verifies as well. */
  function highS(signature: Uint8Array): Uint8Array {
    const s = BigInt(hex(signature.subarray(32)))
    const other = Buffer.from((order - s).toString(16).padStart(64, '0'), 'hex')
    return Uint8Array.from([...signature.subarray(0, 32), ...other])
  }

  test('of another key, wallet, version, share, index or curve replaces nothing', async () => {
    const { user, key, wallet } = await owner()
    const stranger = newClientKey()
    const elsewhere = { ...wallet, id: randomUUID() }
    const fresh = split(key.secret)
    const other = split(key.secret)
    const body = refreshBody(key, wallet, fresh)
    const signature = refreshSignature(key, wallet, fresh)
    const flipped = Uint8Array.from(signature)
    flipped[40] = (flipped[40] ?? 0) ^ 1
    const wrong: Record<string, object> = {
      'another key': { ...body, signature: hex(refreshSignature(stranger, wallet, fresh)) },
      'another wallet': { ...body, signature: hex(refreshSignature(key, elsewhere, fresh)) },
      'another version': {
        ...body,
        signature: hex(refreshSignature(key, { ...wallet, polynomial_version: 2 }, fresh)),
      },
      'another provider share': {
        ...body,
        signature: hex(refreshSignature(key, wallet, { ...fresh, provider: other.provider })),
      },
      'another recovery share': {
        ...body,
        signature: hex(refreshSignature(key, wallet, { ...fresh, recovery: other.recovery })),
      },
      'the other curve': {
        ...body,
        signature: hex(refreshSignature({ ...key, curve: 'ed25519' }, wallet, fresh)),
      },
      'a flipped bit': { ...body, signature: hex(flipped) },
      'the other s': { ...body, signature: hex(highS(signature)) },
      zeros: { ...body, signature: hex(new Uint8Array(64)) },
    }
    for (const [name, json] of Object.entries(wrong))
      expect([name, outcome(await send(user, json))]).toEqual([name, '400 invalid_signature'])
    expect(await refreshes(wallet.id)).toEqual(Object.keys(wrong).map(() => ['invalid_signature', 1]))
    // Nothing was stored for any of them.
    expect(await app.sql`select 1 from recovery_shares where wallet_id = ${wallet.id}`).toHaveLength(1)
    expect(await app.sql`select 1 from recovery_offers where wallet_id = ${wallet.id}`).toHaveLength(0)
    expect((await send(user, body)).status).toBe(200)
  })

  test('of another length or spelling is an invalid request', async () => {
    const { user, key, wallet } = await owner()
    const body = refreshBody(key, wallet, split(key.secret))
    for (const signature of [undefined, `${body.signature}00`, body.signature.slice(2), 'x'])
      expect(outcome(await send(user, { ...body, signature }))).toBe('400 invalid_request')
    for (const polynomial_version of [0, '1', 2 ** 31])
      expect(outcome(await send(user, { ...body, polynomial_version }))).toBe('400 invalid_request')
  })
})

test('a refresh that is sent again changes nothing, and says that the version has moved on', async () => {
  const { user, key, wallet } = await owner()
  const fresh = split(key.secret)
  const body = refreshBody(key, wallet, fresh)
  expect((await send(user, body)).status).toBe(200)
  for (let i = 0; i < 2; i++) expect(outcome(await send(user, body))).toBe('409 process_state')
  // Signed anew, but for the version that is gone.
  expect(outcome(await send(user, refreshBody(key, wallet, split(key.secret))))).toBe('409 process_state')
  expect(outcome(await send(user, refreshBody(key, { ...wallet, polynomial_version: 3 }, fresh)))).toBe(
    '409 process_state',
  )
  expect(await providerShare(user)).toBe(base64(fresh.provider))
  expect((await walletOf(user)).polynomial_version).toBe(2)
  // They did not even use up a version.
  expect(await app.sql`select 1 from recovery_offers where wallet_id = ${wallet.id}`).toHaveLength(0)
})

test('of many refreshes at once, at two processes, one wins, and the pair in force is its pair', async () => {
  for (let round = 0; round < 4; round++) {
    const { user, key, wallet } = await owner()
    const tries = Array.from({ length: 5 }, () => split(key.secret))
    const answers = await Promise.all(
      tries.map((shares, i) => send(user, refreshBody(key, wallet, shares), i % 2 === 0 ? app : second)),
    )
    expect(answers.map(outcome).sort()).toEqual(['200', ...Array(4).fill('409 process_state')])
    const winner = tries[answers.findIndex(({ status }) => status === 200)] as Shares
    expect(await providerShare(user)).toBe(base64(winner.provider))
    expect((await recoveredKey(user)).key).toEqual(new Uint8Array(key.secret))
  }
})

test.each(['refresh', 'recovery'] as const)(
  'of a refresh and a recovery that both have stored their shares the first one switches: the %s, and its pair rebuilds the key',
  async (first) => {
    const { user, key, wallet } = await owner()
    const steps = recoverySteps({ ...second, mailServer: app.mailServer }, user)
    const { id } = await steps.verified()
    const [mine, theirs] = [split(key.secret), split(key.secret)]
    const acts = {
      refresh: () => send(user, refreshBody(key, wallet, mine)) as Promise<Answer<unknown>>,
      recovery: () => steps.complete(id, theirs) as Promise<Answer<unknown>>,
    }
    const release = await holdOrganization(app, tenant.id)
    const winning = acts[first]()
    await untilWaiting(app, 1)
    const losing = acts[first === 'refresh' ? 'recovery' : 'refresh']()
    await untilWaiting(app, 2)
    await release()
    expect([outcome(await winning), outcome(await losing)]).toEqual(
      first === 'refresh' ? ['200', '410 expired'] : ['204', '409 process_state'],
    )
    expect(await providerShare(user)).toBe(base64((first === 'refresh' ? mine : theirs).provider))
    expect(await recoveredKey(user)).toEqual({ key: new Uint8Array(key.secret), version: 2 })
  },
)

test('beside a recovery that is completed at the same moment exactly one of both wins', async () => {
  for (let round = 0; round < 5; round++) {
    const { user, key, wallet } = await owner()
    const steps = recoverySteps({ ...second, mailServer: app.mailServer }, user)
    const { id } = await steps.verified()
    const [mine, theirs] = [split(key.secret), split(key.secret)]
    const [refreshed, completed] = await Promise.all([
      send(user, refreshBody(key, wallet, mine)),
      steps.complete(id, theirs),
    ])
    const isMine = refreshed.status === 200
    expect([outcome(refreshed), outcome(completed)]).toEqual(
      isMine ? ['200', '410 expired'] : ['409 process_state', '204'],
    )
    expect(await providerShare(user)).toBe(base64((isMine ? mine : theirs).provider))
    expect((await recoveredKey(user)).key).toEqual(new Uint8Array(key.secret))
  }
})

test('no version is reserved below one that is just coming into force', async () => {
  for (const by of ['refresh', 'recovery']) {
    const { user, key, wallet } = await owner()
    const { id } = await recoverySteps(app, user).verified()
    const switching = await app.sql.reserve()
    await switching`begin`
    await switching`update wallets set polynomial_version = 5 where id = ${wallet.id}`
    const attempt = randomUUID()
    const hash = Buffer.from(attempt)
    const claim =
      by === 'refresh'
        ? app.sql`select state, version from claim_refresh(${wallet.id}, 5, ${attempt}, ${hash}, interval '1 second')`
        : app.sql`select state, version from claim_recovery(${id}, ${attempt}, ${hash}, interval '1 second')`
    const claimed = claim.then(([row]) => row)
    await untilWaiting(app)
    await switching`commit`
    switching.release()
    expect(await claimed).toEqual({ state: by === 'refresh' ? 'claimed' : 'verified', version: 6 })
    expect(outcome(await send(user, refreshBody(key, wallet, split(key.secret))))).toBe('409 process_state')
  }
})

test('it ends an open recovery of the wallet, verified or not', async () => {
  for (const isVerified of [false, true]) {
    const { user, key, wallet } = await owner()
    const steps = recoverySteps(app, user)
    const { id, code: mailed } = await steps.start()
    if (isVerified) expect((await steps.verify(id, mailed)).status).toBe(200)
    expect((await send(user, refreshBody(key, wallet, split(key.secret)))).status).toBe(200)
    expect((await steps.read(id)).data['state']).toBe('expired')
    expect(
      outcome(isVerified ? await steps.complete(id, split(key.secret)) : await steps.verify(id, mailed)),
    ).toBe('410 expired')
  }
})

test('an archived wallet keeps its shares', async () => {
  const { user, key, wallet } = await owner()
  await app.call('POST', `/v1/s2s/wallets/${wallet.id}/archive`, { sk: tenant.sk })
  expect(outcome(await send(user, refreshBody(key, wallet, split(key.secret))))).toBe('409 wallet_archived')
  await app.call('POST', `/v1/s2s/wallets/${wallet.id}/unarchive`, { sk: tenant.sk })
  expect(await providerShare(user)).toBe(base64(key.provider))
  expect(await refreshes(wallet.id)).toEqual([['wallet_archived', 1]])
})

test.each([
  ['a wallet that is archived', '409 wallet_archived', (id: string) => archiveText(tenant.id, id)],
  ['a login that expires', '401 token_expired', () => clockText(1.01)],
])('%s while the refresh is on its way stops it there', async (_, wanted, change) => {
  const { user, key, wallet } = await owner()
  const body = refreshBody(key, wallet, split(key.secret))
  await makeClockMovable(app)
  const release = await holdOrganization(app, tenant.id)
  const answer = send(user, body)
  await untilWaiting(app)
  await release(change(wallet.id))
  expect(outcome(await answer)).toBe(wanted)
  await startClock(app)
  await app.sql`select set_wallet_status(${tenant.id}, ${wallet.id}, 'active')`
  expect((await walletOf(user)).polynomial_version).toBe(1)
  expect(await providerShare(user)).toBe(base64(key.provider))
  expect((await send(user, body)).status).toBe(200)
})

test('a login that is ended while the refresh is on its way stops it there', async () => {
  const { user, key, wallet } = await owner()
  const release = await holdOrganization(app, tenant.id)
  const leaving = app.call('POST', '/v1/wallets/me/logout', { pk: user.pk, token: user.token })
  await untilWaiting(app)
  const answer = send(user, refreshBody(key, wallet, split(key.secret)), second)
  for (let waiting = 0; waiting < 2; ) {
    const rows = await app.sql`
      select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    waiting = rows.length
  }
  await release()
  expect((await leaving).status).toBe(204)
  expect(outcome(await answer)).toBe('401 token_revoked')
  const again = await login(app, tenant, user.email)
  expect(await providerShare(again)).toBe(base64(key.provider))
  // While the clock stands, a reservation that the first attempt left behind would never end.
  await stopClock(app, Date.now())
  expect(outcome(await send(again, refreshBody(key, wallet, split(key.secret))))).toBe('200')
})

test('shares that do not fit, organizations in TEE mode and users without a wallet are refused', async () => {
  const { user, key, wallet } = await owner()
  const fresh = split(key.secret)
  const body = refreshBody(key, wallet, fresh)
  const same = { ...body, new_recovery_share: body.new_provider_share, new_recovery_share_index: 2 }
  expect(outcome(await send(user, same))).toBe('400 invalid_share')
  expect(outcome(await send(user, { ...body, new_provider_share_index: 200 }))).toBe('400 invalid_share')
  expect(outcome(await send(user, { ...body, curve: 'ed25519' }))).toBe('404 wallet_not_found')
  const tee = await makeTenant(app)
  expect(outcome(await send(await login(app, tee), body))).toBe('400 signing_mode_mismatch')
  expect(outcome(await send(await login(app, tenant), body))).toBe('404 wallet_not_found')
  const evmOnly = await makeTenant(app, { signingMode: 'client', supportedNetworks: ['evm'] })
  expect(outcome(await send(await login(app, evmOnly), { ...body, curve: 'ed25519' }))).toBe(
    '400 invalid_curve',
  )
  expect((await walletOf(user)).polynomial_version).toBe(1)
})

test('neither signature nor shares come into the log', () => {
  const text = app.log.lines.concat(second.log.lines).join('\n')
  expect(text).not.toMatch(/new_provider_share|new_recovery_share|symbolon\/share-refresh/)
})
