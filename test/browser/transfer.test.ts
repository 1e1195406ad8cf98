import { generateKeyPairSync } from 'node:crypto'
import { auditEventTypes, type SignResponse, type Wallet } from '@symbolon/api'
import type { JsonObject } from '@symbolon/iframe/protocol'
import { formatPrivateKey } from '@symbolon/networks/testing/by-intent'
import { forgetRates, login, mailedCode, makeWallet, type Tenant } from '@symbolon/testing/app'
import { verifyTextOf } from '@symbolon/testing/oracles'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Holder, holderAt, mailCount, type Outcome } from './support/holder.ts'
import { type Shop, startShop } from './support/shop.ts'
import { vaultFrame } from './support/vault-storage.ts'
import { openWallet } from './support/wallet-key.ts'

let shop: Shop
let tee: Tenant

beforeAll(async () => {
  shop = await startShop()
  tee = await shop.makeTenant({ signingMode: 'tee' })
})
afterAll(() => shop?.stop())

type Curve = 'secp256k1' | 'ed25519'
const curves: Curve[] = ['secp256k1', 'ed25519']

/** Agrees to the warning of an export; nothing goes on without the phrase. */
async function agreeToExport({ dialog }: Holder): Promise<void> {
  await dialog.getByRole('textbox').fill('show my key')
  await dialog.getByRole('button', { name: 'Continue' }).click()
}

/** Shows every text of the key, as a person does, and closes. */
async function readKeys({ dialog }: Holder): Promise<string[]> {
  const texts: string[] = []
  await dialog.getByRole('button', { name: 'Show key' }).waitFor()
  const choices = dialog.getByRole('group', { name: 'Format' }).getByRole('button')
  for (let i = 0; i < Math.max(1, await choices.count()); i++) {
    if (i > 0) await choices.nth(i).click()
    await dialog.getByRole('button', { name: 'Show key' }).click()
    texts.push((await dialog.locator('output.secret-text').textContent()) ?? '')
  }
  await dialog.getByRole('button', { name: 'Done' }).click()
  return texts
}

async function exported(
  holder: Holder,
  curve: Curve,
  isCodeAsked: boolean,
): Promise<{ texts: string[]; outcome: Outcome }> {
  await forgetRates(shop.app)
  const before = mailCount(shop, holder.user)
  const outcome = holder.ask('key.export', { curve })
  await agreeToExport(holder)
  if (isCodeAsked) {
    await holder.dialog
      .getByLabel('Six-digit code')
      .fill(await mailedCode(shop.app, holder.user.email, before))
  }
  return { texts: await readKeys(holder), outcome: await outcome }
}

async function imported(holder: Holder, curve: Curve, text: string, isCodeAsked: boolean): Promise<Outcome> {
  await forgetRates(shop.app)
  const before = mailCount(shop, holder.user)
  const outcome = holder.ask('wallet.import', { curve })
  await holder.dialog.getByRole('textbox', { name: 'Private key' }).fill(text)
  await holder.dialog.getByRole('button', { name: /^Import/ }).click()
  if (isCodeAsked) {
    await holder.dialog
      .getByLabel('Six-digit code')
      .fill(await mailedCode(shop.app, holder.user.email, before))
  }
  return outcome
}

async function eventsOf(wallet: Wallet, type: (typeof auditEventTypes)[number]): Promise<number> {
  const rows = await shop.app.sql`
    select 1 from audit_events where wallet_id = ${wallet.id} and type = ${auditEventTypes.indexOf(type)} and success`
  return rows.length
}

test.each(curves)(
  'a client key (%s) is shown to its user in every spelling, and to nobody else',
  async (curve) => {
    const holder = await holderAt(shop)
    const wallet = (await holder.done('wallet.create', { curve })) as Wallet
    const { texts, outcome } = await exported(holder, curve, false)
    expect(outcome.result).toEqual({ is_revealed: true })
    expect(await eventsOf(wallet, 'wallet.exported')).toBe(1)
    const { key } = await openWallet(shop, holder.user, curve)
    expect(texts.sort()).toEqual(
      formatPrivateKey(curve, key)
        .map(({ text }) => text)
        .sort(),
    )
    await holder.traffic.assertNoKeyBytes(key, Buffer.from(wallet.public_key.slice(2), 'hex'))
    const left = await (await vaultFrame(shop, holder)).evaluate(() => document.documentElement.outerHTML)
    for (const text of texts) expect(left).not.toContain(text)

    const other = await holderAt(shop)
    const [text = ''] = texts
    const { result, error } = await imported(other, curve, text, false)
    if (result === undefined) throw new Error(`The import failed: ${JSON.stringify(error)}`)
    expect(result).toMatchObject({
      public_key: wallet.public_key,
      address: wallet.address,
      addresses: wallet.addresses,
    })
    await forgetRates(shop.app)
    const signed = (await other.done('sign', {
      request: { type: 'message', message: 'hi', encoding: 'utf8', curve },
    })) as SignResponse
    expect(await verifyTextOf[curve === 'secp256k1' ? 'evm' : 'solana']('hi', signed)).toBe(true)
    await other.traffic.assertNoKeyBytes(key, Buffer.from(wallet.public_key.slice(2), 'hex'))
    for (const { traffic } of [holder, other]) {
      expect(traffic.violations).toEqual([])
      expect(traffic.errors).toEqual([])
    }
    expect(shop.app.log.lines.join('\n')).not.toContain(Buffer.from(key).toString('hex'))
    await holder.close()
    await other.close()
  },
)

test('an export that its user turns down releases nothing', async () => {
  const holder = await holderAt(shop)
  const wallet = (await holder.done('wallet.create', { curve: 'secp256k1' })) as Wallet
  const outcome = holder.ask('key.export', { curve: 'secp256k1' })
  await holder.dialog.getByRole('button', { name: 'Cancel' }).click()
  expect((await outcome).error?.code).toBe('user_rejected')
  expect(await eventsOf(wallet, 'wallet.exported')).toBe(0)
  await holder.close()
})

test('an invalid key is refused, and a declined import creates nothing', async () => {
  const holder = await holderAt(shop)
  const outcome = holder.ask('wallet.import', { curve: 'secp256k1' })
  const agree = holder.dialog.getByRole('button', { name: /^Import/ })
  for (const text of ['', 'abc', `0x${'00'.repeat(32)}`, `0x${'ff'.repeat(32)}`, `0x${'11'.repeat(31)}`]) {
    await holder.dialog.getByRole('textbox', { name: 'Private key' }).fill(text)
    expect(await agree.getAttribute('aria-disabled')).toBe('true')
  }
  await holder.dialog.getByRole('button', { name: 'Cancel' }).click()
  expect((await outcome).error?.code).toBe('user_rejected')
  expect((await shop.app.call('GET', '/v1/wallets/me', holder.user)).status).toBe(404)
  await holder.close()
})

test.each(curves)(
  'a TEE key (%s) leaves the enclave for the eyes of its user only, and comes back into another wallet',
  async (curve) => {
    const user = await login(shop.app, tee)
    const wallet = await makeWallet(shop.app, user, curve)
    const holder = await holderAt(shop, { user })
    const { texts, outcome } = await exported(holder, curve, true)
    expect(outcome.result).toEqual({ is_revealed: true })
    expect(await eventsOf(wallet, 'wallet.exported')).toBe(1)

    const other = await holderAt(shop, { tenant: tee })
    const { result, error } = await imported(other, curve, texts[0] ?? '', true)
    if (result === undefined) throw new Error(`The import failed: ${JSON.stringify(error)}`)
    expect(result).toMatchObject({
      public_key: wallet.public_key,
      address: wallet.address,
      signing_mode: 'tee',
    })
    await forgetRates(shop.app)
    const { data } = await shop.app.call<SignResponse>('POST', '/v1/wallets/me/sign', {
      ...other.user,
      json: { type: 'message', message: 'hi', encoding: 'utf8', curve },
    })
    expect(await verifyTextOf[curve === 'secp256k1' ? 'evm' : 'solana']('hi', data)).toBe(true)

    const key = keyOf(curve, texts)
    for (const { traffic } of [holder, other]) {
      await traffic.assertNoKeyBytes(key, Buffer.from(wallet.public_key.slice(2), 'hex'))
      expect(traffic.violations).toEqual([])
      expect(traffic.errors).toEqual([])
    }
    await holder.close()
    await other.close()
  },
)

const swappedKey = () => {
  const { x = '', y = '' } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({
    format: 'jwk',
  })
  return Buffer.concat([Uint8Array.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
}

test.each<[string, RegExp, (data: JsonObject) => JsonObject | Promise<JsonObject>]>([
  [
    'another import key',
    /\/import\/initiate$/,
    (data) => ({ ...data, enclave_public_key: swappedKey().toString('base64') }),
  ],
  [
    'an old document',
    /\/v1\/attestation/,
    async () => (await shop.app.call<JsonObject>('GET', `/v1/attestation?nonce=${'A'.repeat(43)}`)).data,
  ],
  [
    'a foreign ring',
    /\/v1\/attestation/,
    (data) => ({ ...data, ring_id: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k' }),
  ],
])('with %s the frame seals no key, and says so', async (_, path, change) => {
  const holder = await holderAt(shop, { tenant: tee })
  let sent = 0
  await holder.context.route(`${shop.app.url}/v1/**`, async (route) => {
    const url = route.request().url()
    if (url.endsWith('/import/complete')) sent++
    if (!path.test(url) || route.request().method() === 'OPTIONS') return route.continue()
    const response = await route.fetch()
    const { data, error } = (await response.json()) as { data: JsonObject; error: null }
    await route.fulfill({ response, json: { data: await change(data), error } })
  })
  const { error } = await imported(holder, 'secp256k1', `0x${'11'.repeat(32)}`, true)
  expect(error).toMatchObject({
    code: 'enclave_unverified',
    message: expect.stringContaining('Nothing was sent'),
  })
  expect(sent).toBe(0)
  await holder.context.unrouteAll()
  await holder.close()
})

/** The key of the texts that were shown: the one that they are the spellings of. */
function keyOf(curve: Curve, texts: readonly string[]): Uint8Array {
  const hex = texts
    .map((text) => /(?:^|0x)([0-9a-f]{64})$/.exec(text)?.[1])
    .find((found) => found !== undefined)
  const key = Uint8Array.from(Buffer.from(hex ?? '', 'hex'))
  expect(formatPrivateKey(curve, key).map(({ text }) => text)).toEqual(expect.arrayContaining([...texts]))
  return key
}
