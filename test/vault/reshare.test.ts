import type { Wallet } from '@symbolon/api'
import {
  commitShare,
  heldShares,
  memoryStorage,
  rebuildKey,
  type ShareStorage,
  type Wallet as VaultWallet,
} from '@symbolon/iframe/testing'
import {
  forgetRates,
  login,
  mailedCode,
  mailsTo,
  makeTenant,
  otherCode,
  startTestApp,
  type Tenant,
  type TestApp,
  type User,
} from '@symbolon/testing/app'
import { recoverMessageAddress } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Device, lost, newDevice, type Wire } from './vault-fixture.ts'

let app: TestApp
let tenant: Tenant

beforeAll(async () => {
  app = await startTestApp()
  tenant = await makeTenant(app, { signingMode: 'client' })
})
afterAll(() => app.stop())
beforeEach(() => forgetRates(app))

const curve = 'secp256k1' as const
const message = { type: 'message', message: 'hello', chain: 'base' }

/** A user with a wallet on a first device. */
async function owner() {
  const user = await login(app, tenant)
  const storage = memoryStorage()
  const device = newDevice(app, tenant, user, { storage })
  const wallet = (await device.call('wallet.create', { curve })) as unknown as Wallet
  return { user, storage, device, wallet }
}

async function signs(device: Device, wallet: Wallet): Promise<void> {
  const { signature } = await device.sign(message)
  const address = await recoverMessageAddress({ message: 'hello', signature: signature as `0x${string}` })
  expect(address).toBe(wallet.address)
}

const stateOf = async (device: Device) => (await device.call('device.state', { curve })).device_share

/** The shares that a storage holds for a wallet, likeliest first. */
const heldBy = (
  storage: ShareStorage,
  { id, public_key, user_identity_id, organization_id, polynomial_version }: Wallet,
) =>
  heldShares({ storage, random: (length) => new Uint8Array(length) }, {
    id,
    organizationId: organization_id,
    userIdentityId: user_identity_id,
    curve,
    publicKey: Uint8Array.from(Buffer.from(public_key.slice(2), 'hex')),
    polynomialVersion: polynomial_version,
  } as VaultWallet)

async function providerShareOf({ pk, token }: User): Promise<Uint8Array> {
  await forgetRates(app)
  const { data } = await app.call('POST', '/v1/wallets/me/shares/provider', { pk, token })
  return Uint8Array.from(Buffer.from(String(data['provider_share']), 'base64'))
}

/** The calls of a re-splitting whose answer can be lost. */
const switching = /\/(?:complete|refresh)$/

/** Loses every such call, before the service sees it or after. */
const losing =
  (when: 'before' | 'after'): Wire =>
  async ({ path }, go) => {
    if (!switching.test(path)) return go()
    if (when === 'after') await go()
    return lost()
  }

describe.each(['recovery.run', 'share.refresh'] as const)('%s', (method) => {
  test('gives this device a share that signs, under a higher version', async () => {
    const { user, storage, device, wallet } = await owner()
    const result = await device.call(method, { curve })
    expect(result).toEqual({ wallet_id: wallet.id, polynomial_version: 2 })
    expect(await stateOf(device)).toBe('present')
    expect(await storage.rows()).toHaveLength(1)
    await signs(device, wallet)
    await signs(newDevice(app, tenant, user, { storage }), wallet)
  })

  test('makes an older share outdated, which then signs nothing, and which a recovery replaces', async () => {
    const { user, device, wallet } = await owner()
    const before = newDevice(app, tenant, user)
    await before.call('recovery.run', { curve })
    const shareBefore = (await heldBy(before.storage, wallet))[0]?.share ?? new Uint8Array(33)
    expect(await stateOf(device)).toBe('outdated')
    await forgetRates(app)
    await before.call(method, { curve })
    expect(await device.outcome('sign', { request: message })).toBe('device_share_outdated')
    // An old device share and the new provider share rebuild something else.
    const publicKey = Uint8Array.from(Buffer.from(wallet.public_key.slice(2), 'hex'))
    expect(rebuildKey(curve, publicKey, shareBefore, await providerShareOf(user))).toBeUndefined()
    await device.call('recovery.run', { curve })
    await signs(device, wallet)
  })

  test.each(['before', 'after'] as const)(
    'ends with an error when its answers are lost %s the service has seen it, and the wallet still signs afterwards',
    async (when) => {
      const { user, storage, device, wallet } = await owner()
      device.setWire(async (call, go) =>
        // Neither can the device find out at once how it ended.
        call.path.includes('shares/provider') &&
        call.path.includes('refresh') &&
        when === 'after' &&
        hasSwitched
          ? lost()
          : losing(when)(call, async () => {
              const answer = await go()
              hasSwitched ||= switching.test(call.path)
              return answer
            }),
      )
      let hasSwitched = false
      expect(await device.outcome(method, { curve })).toBe('network_failed')
      expect(await storage.rows()).toHaveLength(2)
      const reopened = newDevice(app, tenant, user, { storage })
      await forgetRates(app)
      expect(await stateOf(reopened)).toBe('present')
      await signs(reopened, wallet)
      await forgetRates(app)
      await reopened.call('share.refresh', { curve })
      await signs(reopened, wallet)
      expect(await storage.rows()).toHaveLength(1)
    },
  )

  test('succeeds when only the first answer is lost', async () => {
    const { device, wallet } = await owner()
    let count = 0
    device.setWire(async ({ path }, go) => {
      const answer = await go()
      return switching.test(path) && ++count === 1 ? lost() : answer
    })
    const { polynomial_version } = await device.call(method, { curve })
    expect(polynomial_version).toBeGreaterThan(1)
    expect(await stateOf(device)).toBe('present')
    await signs(device, wallet)
  })

  test('keeps the new share before the service gets its own', async () => {
    const { storage, device } = await owner()
    let rowsThen = 0
    device.setWire(async ({ path }, go) => {
      if (switching.test(path)) rowsThen = (await storage.rows()).length
      return go()
    })
    await device.call(method, { curve })
    expect(rowsThen).toBe(2)
  })
})

test('a refresh by a share whose answer was lost leaves the newest share in force, not that one', async () => {
  const { user, storage, device, wallet } = await owner()
  device.setWire(({ path }, go) =>
    path.includes('shares/provider') ? lost() : losing('after')({ method: '', path }, go),
  )
  expect(await device.outcome('recovery.run', { curve })).toBe('network_failed')
  const reopened = newDevice(app, tenant, user, { storage })
  await reopened.call('share.refresh', { curve })
  await forgetRates(app)
  expect(await stateOf(reopened)).toBe('present')
  await signs(reopened, wallet)
})

describe('a recovery', () => {
  test('brings the wallet to another device after a wrong code and a code sent anew', async () => {
    const { user, wallet } = await owner()
    const device = newDevice(app, tenant, user)
    const mails = () => mailsTo(app, user.email).length
    const before = mails()
    const answers = [
      async () => otherCode(await mailedCode(app, user.email, before)),
      async () => 'resend',
      () => mailedCode(app, user.email, before + 1),
    ]
    device.person.code = async () => (await answers.shift()?.()) ?? null
    await device.call('recovery.run', { curve })
    expect(device.person.codeMessages).toEqual([expect.stringMatching(/^4 /)])
    await signs(device, wallet)
  })

  test('that was guessed wrong five times goes on with a code sent anew', async () => {
    const { user, wallet } = await owner()
    const device = newDevice(app, tenant, user)
    const before = mailsTo(app, user.email).length
    let turn = 0
    device.person.code = async () => {
      const mailed = turn < 6 ? await mailedCode(app, user.email, before) : ''
      turn++
      if (turn <= 5) return otherCode(mailed)
      if (turn === 6) return mailed
      return turn === 7 ? 'resend' : mailedCode(app, user.email, before + 1)
    }
    await device.call('recovery.run', { curve })
    const left = device.person.codeMessages.map((each) => each.slice(0, 1))
    expect(left).toEqual(['4', '3', '2', '1', '0', '-'])
    await signs(device, wallet)
  })

  test('that the person gives up changes nothing', async () => {
    const { device, wallet, user } = await owner()
    device.person.code = async () => null
    expect(await device.outcome('recovery.run', { curve })).toBe('user_rejected')
    await signs(device, wallet)
    expect(await newDevice(app, tenant, user).call('device.state', { curve })).toMatchObject({
      device_share: 'absent',
    })
  })

  test('whose shares are another wallet’s stops before anything is offered', async () => {
    const [ada, bob] = [await owner(), await owner()]
    const device = newDevice(app, tenant, ada.user)
    device.setWire(async ({ path }, go) => {
      const answer = await go()
      if (!path.endsWith('/verify') || !answer.ok) return answer
      const body = await answer.json()
      const provider_share = Buffer.from(await providerShareOf(bob.user)).toString('base64')
      return Response.json({ ...body, data: { ...body.data, provider_share } })
    })
    expect(await device.outcome('recovery.run', { curve })).toBe('key_mismatch')
    expect(device.calls.some((call) => call.endsWith('/complete'))).toBe(false)
    await signs(ada.device, ada.wallet)
  })
})

describe('a signature', () => {
  test('with the share of another user, wallet or browser in this one’s place does not happen', async () => {
    const [ada, bob] = [await owner(), await owner()]
    const [adas] = await ada.storage.rows()
    const [bobs] = await bob.storage.rows()
    if (adas === undefined || bobs === undefined) throw new Error('no rows')
    // Another browser's bytes, and the row of another wallet relabelled.
    await ada.storage.change({ put: [{ ...adas, iv: bobs.iv, ciphertext: bobs.ciphertext }] })
    expect(await ada.device.outcome('sign', { request: message })).toBe('device_share_missing')
    await ada.storage.change({ put: [{ ...bobs, wallet_id: ada.wallet.id, id: adas.id }] })
    expect(await ada.device.outcome('sign', { request: message })).toBe('device_share_missing')
    expect(await stateOf(ada.device)).toBe('absent')
  })

  test('with a share of another key, well kept in this browser, is refused as key_mismatch', async () => {
    const { user, wallet, storage } = await owner()
    const shares = { storage, random: (length: number) => crypto.getRandomValues(new Uint8Array(length)) }
    const [held] = await heldBy(storage, wallet)
    const foreign = Uint8Array.from(held?.share ?? [])
    foreign[0] = (foreign[0] ?? 0) ^ 1
    await commitShare(
      shares,
      {
        id: wallet.id,
        organizationId: wallet.organization_id,
        userIdentityId: wallet.user_identity_id,
        curve,
        publicKey: Uint8Array.from(Buffer.from(wallet.public_key.slice(2), 'hex')),
        polynomialVersion: 1,
      } as VaultWallet,
      foreign,
    )
    const device = newDevice(app, tenant, user, { storage })
    expect(await device.outcome('sign', { request: message })).toBe('key_mismatch')
  })

  test.each([
    ['x = 0', (share: Uint8Array) => share.fill(0, 32)],
    ['another length', (share: Uint8Array) => share.subarray(1)],
    ['other bytes', (share: Uint8Array) => share.fill(9, 0, 32)],
  ])('with a provider share of %s is refused', async (_name, change) => {
    const { device } = await owner()
    device.setWire(async ({ path }, go) => {
      const answer = await go()
      if (!path.includes('shares/provider')) return answer
      const body = await answer.json()
      const share = change(Uint8Array.from(Buffer.from(body.data.provider_share, 'base64')))
      return Response.json({
        ...body,
        data: { ...body.data, provider_share: Buffer.from(share).toString('base64') },
      })
    })
    expect(await device.outcome('sign', { request: message })).toBe('key_mismatch')
  })

  test('with the device’s own share sent back as the provider’s is refused', async () => {
    const { device, storage, wallet } = await owner()
    const [held] = await heldBy(storage, wallet)
    device.setWire(async ({ path }, go) => {
      const answer = await go()
      if (!path.includes('shares/provider')) return answer
      const body = await answer.json()
      const provider_share = Buffer.from(held?.share ?? []).toString('base64')
      return Response.json({ ...body, data: { ...body.data, provider_share } })
    })
    expect(await device.outcome('sign', { request: message })).toBe('key_mismatch')
  })

  test('waits as long as the service says when it asks too often, and not for ever', async () => {
    const { device, wallet } = await owner()
    for (let i = 0; i < 3; i++) await signs(device, wallet)
    let count = 0
    device.setWire(({ path }, go) => {
      if (path.includes('shares/provider')) count++
      return go()
    })
    // The fixture's clock runs ten times as fast for waiting, so that the limit is met again and again.
    expect(await device.outcome('sign', { request: message })).toBe('rate_limited')
    expect(count).toBeGreaterThan(1)
    expect(count).toBeLessThan(20)
  })

  test('of an archived wallet is refused', async () => {
    const { device, wallet, user } = await owner()
    await app.call('POST', `/v1/s2s/wallets/${wallet.id}/archive`, { sk: tenant.sk })
    expect(await device.outcome('sign', { request: message })).toBe('wallet_archived')
    expect(await newDevice(app, tenant, user).outcome('sign', { request: message })).toBe('wallet_archived')
  })
})

describe('two tabs', () => {
  test('that refresh at once leave one pair in force, which both can use', async () => {
    const { user, storage, wallet } = await owner()
    const tabs = [newDevice(app, tenant, user, { storage }), newDevice(app, tenant, user, { storage })]
    const outcomes = await Promise.all(tabs.map((tab) => tab.outcome('share.refresh', { curve })))
    expect(outcomes.some((outcome) => typeof outcome === 'object')).toBe(true)
    await forgetRates(app)
    for (const tab of tabs) await signs(tab, wallet)
  })

  test('of which one recovers: the other one signs on with the new share', async () => {
    const { user, storage, wallet } = await owner()
    const tabs = [
      newDevice(app, tenant, user, { storage }),
      newDevice(app, tenant, user, { storage }),
    ] as const
    await signs(tabs[0], wallet)
    await tabs[1].call('recovery.run', { curve })
    await signs(tabs[0], wallet)
  })
})
