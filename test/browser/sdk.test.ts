import { randomBytes } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import type { FrameLocator, Page } from 'playwright-core'
import { getAddress, type Hex, recoverMessageAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mailedCode } from '../support/app.ts'
import { type SharedChain, sharedChain } from '../support/chain.ts'
import { forgetRates, login, type Tenant } from '../support/tenant.ts'
import { bundled } from './support/bundle.ts'
import { pageWith } from './support/pages.ts'
import { type Shop, startShop, type Visit } from './support/shop.ts'
import { openWallet } from './support/wallet-key.ts'

let shop: Shop
let chain: SharedChain

beforeAll(async () => {
  chain = await sharedChain()
  const { rpcUrl, bundlerUrl, paymasterUrl } = chain
  shop = await startShop({
    chains: [{ handle: 'local', rpcUrls: [rpcUrl], bundlerUrl, paymasterUrl, confirmations: 1 }],
  })
  shop.pages.serve('/kit.js', await bundled('packages/sdk/test/page-kit.ts'))
  shop.pages.serve(
    '/shop',
    pageWith('<h1>Shop</h1><button>Buy</button><script type="module" src="/kit.js"></script>'),
  )
  shop.pages.serve(
    '/plain',
    pageWith(`<script type="module">
      import { createClient, unwrap } from '${shop.app.url}/sdk.js'
      globalThis.kit = { createClient, unwrap }
    </script>`),
  )
})
afterAll(() => shop?.stop())

/** Somebody at the shop's page, logged in through the SDK; the client is `client` there. */
type Shopper = Visit & { email: string; tenant: Tenant; dialog: FrameLocator }

async function shopper(tenant = shop.tenant, email = newEmail(), path = '/shop'): Promise<Shopper> {
  const visit = await shop.visit()
  await visit.page.goto(`${shop.origin}${path}`)
  await visit.page.waitForFunction(() => 'kit' in globalThis)
  await visit.page.evaluate(
    ([publishableKey, baseUrl, rpcUrl]) => {
      globalThis.client = kit.createClient({ publishableKey, baseUrl, rpcUrls: { local: rpcUrl } })
    },
    [tenant.pk, shop.app.url, chain.rpcUrl] as const,
  )
  const made = { ...visit, email, tenant, dialog: visit.page.frameLocator('iframe[title=Wallet]') }
  await logIn(made)
  return made
}

async function logIn({ page, email }: Shopper): Promise<void> {
  const before = mailCount(email)
  await page.evaluate(async (to) => kit.unwrap(await client.auth.sendCode(to)), email)
  const code = await mailedCode(shop.app, email, before)
  await page.evaluate(async ([to, given]) => kit.unwrap(await client.auth.verifyCode(to, given)), [
    email,
    code,
  ] as const)
}

/** The same with a wallet, of which the test gets the address. */
async function owner(tenant = shop.tenant, curve: 'secp256k1' | 'ed25519' = 'secp256k1', path = '/shop') {
  const made = await shopper(tenant, newEmail(), path)
  const wallet = await made.page.evaluate(
    async (on) => kit.unwrap(await client.wallets.create({ curve: on })),
    curve,
  )
  await forgetRates(shop.app)
  return { ...made, wallet, address: wallet.address as Hex }
}

const newEmail = () => `b-${randomBytes(6).toString('hex')}@example.test`
const mailCount = (email: string) => shop.app.mailServer.mails.filter(({ to }) => to.includes(email)).length

/** What every flow ends with: nothing of the key left the frame, and no rule was broken on the way. */
async function leavesNothing(one: Shopper, curve: 'secp256k1' | 'ed25519' = 'secp256k1'): Promise<void> {
  const user = await login(shop.app, one.tenant, one.email)
  const { key } = await openWallet(shop, user, curve)
  await one.traffic.assertNoKeyBytes(key)
  expect(one.traffic.violations).toEqual([])
  expect(one.traffic.errors).toEqual([])
  await one.close()
}

test('a page without a bundler, by the script that the platform serves: log in, create, sign, recover elsewhere, refresh', async () => {
  const { address, ...first } = await owner(shop.tenant, 'secp256k1', '/plain')
  const sign = (page: Page, text: string) =>
    page.evaluate(async (message) => (await client.sign.message(message)).data?.signature as Hex, text)
  const message = 'Hello from the shop'
  expect(await recoverMessageAddress({ message, signature: await sign(first.page, message) })).toBe(address)

  const second = await shopper(first.tenant, first.email, '/plain')
  const missing = await second.page.evaluate(async () => (await client.sign.message('x')).error?.code)
  expect(missing).toBe('device_share_missing')
  const before = mailCount(first.email)
  const recovering = second.page.evaluate(() => client.recovery.run())
  await second.dialog.getByLabel('Six-digit code').fill(await mailedCode(shop.app, first.email, before))
  expect((await recovering).error).toBeNull()
  await forgetRates(shop.app)
  expect(await recoverMessageAddress({ message, signature: await sign(second.page, message) })).toBe(address)
  const outdated = await first.page.evaluate(async () => (await client.sign.message('x')).error?.code)
  expect(outdated).toBe('device_share_outdated')
  expect(await first.page.evaluate(async () => (await client.wallets.deviceState()).data?.deviceShare)).toBe(
    'outdated',
  )
  await forgetRates(shop.app)
  expect((await second.page.evaluate(() => client.share.refresh())).error).toBeNull()
  await forgetRates(shop.app)
  expect(await recoverMessageAddress({ message, signature: await sign(second.page, message) })).toBe(address)

  await second.page.evaluate(() => client.auth.logout())
  expect(await second.page.evaluate(async () => (await client.sign.message('x')).error?.code)).toMatch(
    /session|unauthorized/,
  )
  await leavesNothing(first)
  await leavesNothing(second)
})

test('a confirmation lies over the whole page, takes the keyboard, and gives both back', async () => {
  const tenant = await shop.makeTenant({ isConfirmationShown: true })
  const { address, ...one } = await owner(tenant)
  await one.page.getByRole('button', { name: 'Buy' }).focus()
  const signing = one.page.evaluate(() => client.sign.message('Pay for tea'))
  await one.dialog.getByRole('dialog').waitFor()
  const covered = await one.page.evaluate(() => {
    const [x, y] = [innerWidth / 2, 20]
    return document.elementFromPoint(x, y)?.getAttribute('data-symbolon')
  })
  expect(covered).toBe('wallet')
  await one.dialog.getByRole('button', { name: 'Confirm' }).click()
  const { data } = await signing
  expect(await recoverMessageAddress({ message: 'Pay for tea', signature: data?.signature as Hex })).toBe(
    address,
  )
  await one.page.waitForFunction(() => document.activeElement?.textContent === 'Buy')
  await one.page.getByRole('button', { name: 'Buy' }).click()

  await forgetRates(shop.app)
  const refused = one.page.evaluate(async () => (await client.sign.message('Pay more')).error?.code)
  await one.dialog.getByRole('dialog').waitFor()
  await one.page.keyboard.press('Escape')
  expect(await refused).toBe('user_rejected')
  await leavesNothing(one)
})

test('viem works over the provider, unchanged: messages, typed data, a transaction that lands', async () => {
  const { address, ...one } = await owner()
  await chain.fund(address, 10n ** 18n)
  const to = newAddress()
  const done = await one.page.evaluate(
    async ([rpcUrl, recipient]) => {
      const { createWalletClient, createPublicClient, custom, http, defineChain } = kit.viem
      const local = defineChain({
        id: 31337,
        name: 'Local',
        nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
        rpcUrls: { default: { http: [rpcUrl] } },
      })
      const provider = client.ethereum({ chain: 'local' })
      const wallet = createWalletClient({ chain: local, transport: custom(provider) })
      const [account] = await wallet.requestAddresses()
      if (account === undefined) throw new Error('no account')
      const message = await wallet.signMessage({ account, message: 'hi' })
      const hash = await wallet.sendTransaction({ account, to: recipient, value: 5n })
      const reader = createPublicClient({ chain: local, transport: http() })
      const receipt = await reader.waitForTransactionReceipt({ hash, pollingInterval: 50 })
      return {
        account,
        message,
        status: receipt.status,
        balance: String(await reader.getBalance({ address: recipient })),
      }
    },
    [chain.rpcUrl, to] as const,
  )
  expect(done).toMatchObject({ account: address, status: 'success', balance: '5' })
  expect(await recoverMessageAddress({ message: 'hi', signature: done.message })).toBe(address)
  await leavesNothing(one)
})

test('wagmi finds the announced wallet and connects, signs and sends with it', async () => {
  const { address, ...one } = await owner()
  await chain.fund(address, 10n ** 18n)
  const to = newAddress()
  const done = await one.page.evaluate(
    async ([rpcUrl, recipient]) => {
      const { createConfig, connect, signMessage, sendTransaction, waitForTransactionReceipt, getAccount } =
        kit.wagmi
      const local = kit.viem.defineChain({
        id: 31337,
        name: 'Local',
        nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
        rpcUrls: { default: { http: [rpcUrl] } },
      })
      client.announce({
        name: 'Shop Wallet',
        icon: 'data:image/svg+xml;base64,PHN2Zy8+',
        rdns: 'test.shop.wallet',
        chain: 'local',
      })
      const config = createConfig({ chains: [local], transports: { 31337: kit.viem.http(rpcUrl) } })
      const connector = config.connectors.find(({ id }) => id === 'test.shop.wallet')
      if (connector === undefined) throw new Error('wagmi found no wallet')
      await connect(config, { connector })
      const signature = await signMessage(config, { message: 'hi' })
      const hash = await sendTransaction(config, { to: recipient, value: 7n })
      const { status } = await waitForTransactionReceipt(config, { hash, pollingInterval: 50 })
      return { account: getAccount(config).address, signature, status }
    },
    [chain.rpcUrl, to] as const,
  )
  expect(done).toMatchObject({ account: address, status: 'success' })
  expect(await recoverMessageAddress({ message: 'hi', signature: done.signature })).toBe(address)
  await leavesNothing(one)
})

test('an app of the Wallet Standard finds the announced wallet, connects, and gets a signature of its bytes', async () => {
  const { wallet, ...one } = await owner(shop.tenant, 'ed25519')
  const done = await one.page.evaluate(async () => {
    client.announce({
      name: 'Shop Wallet',
      icon: 'data:image/svg+xml;base64,PHN2Zy8+',
      rdns: 'test.shop.wallet',
    })
    const found = kit
      .getWallets()
      .get()
      .find(({ name }) => name === 'Shop Wallet')
    if (found === undefined) throw new Error('no wallet')
    type Features = ReturnType<typeof client.solana>['features']
    const features = found.features as unknown as Features
    const { accounts } = await features['standard:connect'].connect()
    const [account] = accounts
    if (account === undefined) throw new Error('no account')
    const message = new TextEncoder().encode('hello from an app of Solana')
    const [signed] = await features['solana:signMessage'].signMessage({ account, message })
    return { address: account.address, signature: [...(signed?.signature ?? [])] }
  })
  expect(done.address).toBe(wallet.address)
  const isValid = ed25519.verify(
    Uint8Array.from(done.signature),
    new TextEncoder().encode('hello from an app of Solana'),
    Uint8Array.from(Buffer.from(wallet.public_key.slice(2), 'hex')),
  )
  expect(isValid).toBe(true)
  await leavesNothing(one, 'ed25519')
})

test('a sponsored operation of the smart account: checked in the frame against its own hash, signed, and it lands', async () => {
  const { address, ...one } = await owner()
  const done = await one.page.evaluate(async (target) => {
    const account = kit.unwrap(await client.smartAccounts.create({ chain: 'local' }))
    const sent = kit.unwrap(
      await client.userOps.send({ chain: 'local', calls: [{ to: target, data: '0x', value: '0' }] }),
    )
    const status = kit.unwrap(await client.userOps.wait(sent.user_op_hash))
    return { account, status }
  }, newAddress())
  expect(done.account.owner_address).toBe(address)
  expect(done.status).toMatchObject({
    status: 'confirmed',
    success: true,
    sponsored: true,
    sender: done.account.address,
  })
  await leavesNothing(one)
})

test('a platform that lies about an operation gets no signature for it', async () => {
  const { address: _, ...one } = await owner()
  await one.page.evaluate(async () => kit.unwrap(await client.smartAccounts.create({ chain: 'local' })))
  const target = newAddress()
  const thief = newAddress().slice(2).toLowerCase()
  const lies: ((data: Record<string, unknown>) => void)[] = [
    (data) => {
      data['user_op_hash'] = `0x${'ab'.repeat(32)}`
    },
    (data) => {
      const operation = data['user_operation'] as Record<string, string>
      operation['callData'] = String(operation['callData']).replace(target.slice(2).toLowerCase(), thief)
    },
    (data) => {
      const operation = data['user_operation'] as Record<string, string>
      operation['sender'] = `0x${thief}`
    },
  ]
  for (const lie of lies) {
    let wasSubmitted = false
    await one.context.route(`${shop.app.url}/v1/userop/build`, async (route) => {
      const response = await route.fetch()
      const body = (await response.json()) as { data: Record<string, unknown> }
      lie(body.data)
      await route.fulfill({ response, json: body })
    })
    await one.context.route(`${shop.app.url}/v1/userop/submit`, (route) => {
      wasSubmitted = true
      return route.abort()
    })
    await forgetRates(shop.app)
    const code = await one.page.evaluate(
      async (to) =>
        (await client.userOps.send({ chain: 'local', calls: [{ to, data: '0x', value: '0' }] })).error?.code,
      target,
    )
    expect(code).toBe('preview_mismatch')
    expect(wasSubmitted).toBe(false)
    await one.context.unrouteAll()
  }
  await leavesNothing(one)
})

test('a page that the organization has not listed is told so in time, by a code', async () => {
  const context = await shop.browser.newContext()
  const page = await context.newPage()
  await page.goto(`${shop.pages.origin('evil.localhost')}/shop`)
  await page.waitForFunction(() => 'kit' in globalThis)
  await page.clock.install()
  const telling = page.evaluate(
    async ([publishableKey, baseUrl]) => {
      const outsider = kit.createClient({ publishableKey, baseUrl })
      const sent = await outsider.auth.sendCode('a@example.test')
      const loading = outsider.frame.preload()
      document.title = 'waiting'
      return [sent.error?.code, (await loading).error?.code]
    },
    [shop.tenant.pk, shop.app.url] as const,
  )
  await page.waitForFunction(
    () => document.title === 'waiting' && document.querySelector('[data-symbolon]') !== null,
  )
  await page.clock.fastForward(30_000)
  const codes = await telling
  expect(codes[0]).toMatch(/origin_not_allowed|network/)
  expect(codes[1]).toBeTypeOf('string')
  await context.close()
})

/** An address that nobody else of the run pays to. */
const newAddress = (): Hex => getAddress(`0x${randomBytes(20).toString('hex')}`)
