import { ed25519 } from '@noble/curves/ed25519.js'
import { builtOperationFromJson, userOperationHash } from '@symbolon/networks/evm'
import { forgetRates } from '@symbolon/testing/app'
import { recoverMessageAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newAddress, type SdkShop, startSdkShop } from './support/sdk-shop.ts'

let shop: SdkShop

beforeAll(async () => {
  shop = await startSdkShop()
})
afterAll(() => shop?.stop())

test('viem works over the provider, unchanged: messages, typed data, a transaction that lands', async () => {
  const { address, ...one } = await shop.owner()
  await shop.chain.fund(address, 10n ** 18n)
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
    [shop.chain.rpcUrl, to] as const,
  )
  expect(done).toMatchObject({ account: address, status: 'success', balance: '5' })
  expect(await recoverMessageAddress({ message: 'hi', signature: done.message })).toBe(address)
  await shop.leavesNothing(one)
})

test('the React hook shows a wallet that other code of the page makes, and its new shares', async () => {
  const one = await shop.shopper()
  await one.page.evaluate(() => kit.walletLine(client))
  const line = one.page.locator('#wallet')
  await expect.poll(() => line.textContent()).toBe('none')
  const wallet = await one.page.evaluate(async () => kit.unwrap(await client.wallets.create()))
  await expect.poll(() => line.textContent()).toBe(`1 ${wallet.address}`)
  const renewing = one.page.evaluate(async () => kit.unwrap(await client.share.refresh()))
  await one.dialog.getByRole('button', { name: 'Renew' }).click()
  await renewing
  await expect.poll(() => line.textContent()).toBe(`2 ${wallet.address}`)
  await shop.leavesNothing(one)
})

test('wagmi finds the announced wallet and connects, signs and sends with it', async () => {
  const { address, ...one } = await shop.owner()
  await shop.chain.fund(address, 10n ** 18n)
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
    [shop.chain.rpcUrl, to] as const,
  )
  expect(done).toMatchObject({ account: address, status: 'success' })
  expect(await recoverMessageAddress({ message: 'hi', signature: done.signature })).toBe(address)
  await shop.leavesNothing(one)
})

test('an app of the Wallet Standard finds the announced wallet, connects, and gets a signature of its bytes', async () => {
  const { wallet, ...one } = await shop.owner({ curve: 'ed25519' })
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
  await shop.leavesNothing(one, 'ed25519')
})

test('a sponsored operation of the smart account: checked in the frame against its own hash, signed, and it lands', async () => {
  const { address, ...one } = await shop.owner()
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
  await shop.leavesNothing(one)
})

test('a platform that lies about an operation gets no signature for it', async () => {
  const { address: _, ...one } = await shop.owner()
  await one.page.evaluate(async () => kit.unwrap(await client.smartAccounts.create({ chain: 'local' })))
  const target = newAddress()
  const thief = newAddress().slice(2).toLowerCase()
  const operationOf = (data: Record<string, unknown>) => data['user_operation'] as Record<string, string>
  const rehash = (data: Record<string, unknown>) => {
    data['user_op_hash'] = userOperationHash(builtOperationFromJson(operationOf(data)), 31337)
  }
  const lies: ((data: Record<string, unknown>) => void)[] = [
    // A hash of something else.
    (data) => {
      data['user_op_hash'] = `0x${'ab'.repeat(32)}`
    },
    // Other calls, and another account, each with the hash that belongs to it.
    (data) => {
      const operation = operationOf(data)
      operation['callData'] = String(operation['callData']).replace(target.slice(2).toLowerCase(), thief)
      rehash(data)
    },
    (data) => {
      operationOf(data)['sender'] = `0x${thief}`
      rehash(data)
    },
    // The right account, but made by somebody else's code.
    (data) => {
      operationOf(data)['factory'] = `0x${thief}`
      rehash(data)
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
  await shop.leavesNothing(one)
})
