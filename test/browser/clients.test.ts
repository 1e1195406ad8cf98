import { ed25519 } from '@noble/curves/ed25519.js'
import { forgetRates } from '@symbolon/testing/app'
import { createPublicClient, type Hex, http, recoverMessageAddress, recoverTypedDataAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newAddress, type Owner, type SdkShop, startSdkShop } from './support/sdk-shop.ts'

let shop: SdkShop

beforeAll(async () => {
  shop = await startSdkShop({ hasClients: true })
})
afterAll(() => shop?.stop())

type Mode = 'client' | 'tee'

/** Somebody at the developer's page, whose organization asks before each signature in client mode. */
async function visitor(mode: Mode, curve: 'secp256k1' | 'ed25519' = 'secp256k1'): Promise<Owner> {
  const tenant = await shop.makeTenant({ signingMode: mode, isConfirmationShown: true })
  const one = await shop.owner({ tenant, path: '/clients', curve })
  await one.page.evaluate((rpcUrl) => page.show(rpcUrl), shop.chain.rpcUrl)
  await one.page.locator('#evm').waitFor()
  await one.page.evaluate(() => page.announce())
  return one
}

/** Confirms as many dialogs as come, in client mode; nobody is asked in TEE mode. */
async function confirmed<value>(
  mode: Mode,
  one: Owner,
  dialogs: number,
  asked: Promise<value>,
): Promise<value> {
  for (let left = mode === 'client' ? dialogs : 0; left > 0; left--) {
    const button = one.dialog.getByRole('button', { name: 'Confirm' })
    await button.waitFor({ timeout: 60_000 })
    await one.dialog.locator('body').evaluate((body) => {
      for (const element of body.querySelectorAll('*')) element.scrollTop = element.scrollHeight
    })
    const dialog = await one.dialog.getByRole('dialog').elementHandle()
    await button.click()
    await dialog?.waitForElementState('hidden')
  }
  return asked
}

const evmLine = (one: Owner) => one.page.locator('#evm').textContent()
const balance = (address: Hex) =>
  createPublicClient({ transport: http(shop.chain.rpcUrl) }).getBalance({ address })

describe.each(['client', 'tee'] as const)('in %s mode, on a page of another origin', (mode) => {
  test('wagmi finds the wallet, connects, signs, pays, sends calls, and is connected again after a reload', async () => {
    const one = await visitor(mode)
    await shop.chain.fund(one.address, 10n ** 18n)
    await expect.poll(() => evmLine(one)).toBe('wallet found, disconnected: nobody')
    await one.page.evaluate(() => page.connect())
    await expect.poll(() => evmLine(one)).toBe(`wallet found, connected: ${one.address}`)

    const signature = await confirmed(
      mode,
      one,
      1,
      one.page.evaluate(() => page.sign('hello')),
    )
    expect(await recoverMessageAddress({ message: 'hello', signature })).toBe(one.address)

    const to = newAddress()
    await confirmed(
      mode,
      one,
      1,
      one.page.evaluate((address) => page.pay(address, 5), to),
    )
    await expect.poll(() => balance(to)).toBe(5n)
    await forgetRates(shop.app)

    const id = await confirmed(
      mode,
      one,
      1,
      one.page.evaluate((address) => page.calls(address), to),
    )
    await expect
      .poll(() => one.page.evaluate(async (name) => (await page.callsStatus(name)).status, id))
      .toBe('success')
    expect(await balance(to)).toBe(8n)

    await one.page.reload()
    await one.page.waitForFunction(() => 'kit' in globalThis)
    await one.page.evaluate(
      ([publishableKey, baseUrl, local]) => {
        globalThis.client = kit.createClient({
          publishableKey,
          baseUrl,
          rpcUrls: { local },
          storage: 'session',
        })
        client.announce({
          name: 'Shop Wallet',
          icon: 'data:image/svg+xml;base64,PHN2Zy8+',
          rdns: 'test.shop.wallet',
          chain: 'local',
        })
        page.show(local)
      },
      [one.tenant.pk, shop.app.url, shop.chain.rpcUrl] as const,
    )
    await expect.poll(() => evmLine(one)).toBe(`wallet found, connected: ${one.address}`)
    expect(await one.page.evaluate(async (name) => (await page.callsStatus(name)).status, id)).toBe('success')
    await shop.leavesNothing(one)
  }, 90_000)

  test('ethers and the SDK of Hyperliquid sign, and ten signatures at once all come', async () => {
    const one = await visitor(mode)
    await one.page.evaluate(() => page.connect())
    const byEthers = await confirmed(
      mode,
      one,
      1,
      one.page.evaluate(() => page.ethers('by ethers')),
    )
    expect(byEthers.address).toBe(one.address)
    expect(await recoverMessageAddress({ message: 'by ethers', signature: byEthers.signature as Hex })).toBe(
      one.address,
    )

    const sent = await confirmed(
      mode,
      one,
      3,
      one.page.evaluate((to) => page.hyperliquid(to), newAddress()),
    )
    const names = sent.map((each) => (each as HyperliquidCall).action.type)
    expect(names).toEqual(['usdSend', 'approveAgent', 'withdraw3'])
    for (const each of sent) expect(await senderOf(each as HyperliquidCall)).toBe(one.address)

    // At the documented rate in one mode; an operator has raised it in the other.
    await forgetRates(shop.app)
    if (mode === 'tee')
      await shop.app.sql`update organizations set user_signs_per_minute = 60 where id = ${one.tenant.id}`
    const asked = one.page.evaluate(() =>
      Promise.all(Array.from({ length: 10 }, (_, index) => page.sign(`message ${index}`))),
    )
    const signatures = await confirmed(mode, one, 10, asked)
    const signers = await Promise.all(
      signatures.map((signature, index) => recoverMessageAddress({ message: `message ${index}`, signature })),
    )
    expect(signers).toEqual(signers.map(() => one.address))
    await shop.leavesNothing(one)
  }, 120_000)

  test("Solana's hooks connect and sign", async () => {
    const one = await visitor(mode, 'ed25519')
    await one.page.waitForFunction(() => 'solanaConnect' in page)
    await one.page.evaluate(() => page.solanaConnect())
    await expect.poll(() => one.page.locator('#solana').textContent()).toBe(one.wallet.address)
    const signature = await confirmed(
      mode,
      one,
      1,
      one.page.evaluate(() => page.solanaSign('hello')),
    )
    const publicKey = Uint8Array.from(Buffer.from(one.wallet.public_key.slice(2), 'hex'))
    expect(ed25519.verify(Uint8Array.from(signature), new TextEncoder().encode('hello'), publicKey)).toBe(
      true,
    )
    await shop.leavesNothing(one, 'ed25519')
  }, 60_000)
})

/** What Hyperliquid gets: https://hyperliquid.gitbook.io, "Exchange endpoint". */
type HyperliquidCall = {
  action: { type: string; signatureChainId: Hex } & Readonly<Record<string, string | number>>
  signature: { r: Hex; s: Hex; v: number }
}

const payment = 'string hyperliquidChain,string destination,string amount,uint64 time'
const hyperliquidTypes: Readonly<Record<string, readonly [name: string, members: string]>> = {
  usdSend: ['HyperliquidTransaction:UsdSend', payment],
  withdraw3: ['HyperliquidTransaction:Withdraw', payment],
  approveAgent: [
    'HyperliquidTransaction:ApproveAgent',
    'string hyperliquidChain,address agentAddress,string agentName,uint64 nonce',
  ],
}

function senderOf({ action, signature: { r, s, v } }: HyperliquidCall): Promise<Hex> {
  const [primaryType = '', members = ''] = hyperliquidTypes[action.type] ?? []
  const fields = members.split(',').map((member) => {
    const [type = '', name = ''] = member.split(' ')
    return { type, name }
  })
  return recoverTypedDataAddress({
    domain: {
      name: 'HyperliquidSignTransaction',
      version: '1',
      chainId: Number(action.signatureChainId),
      verifyingContract: `0x${'0'.repeat(40)}`,
    },
    types: { [primaryType]: fields },
    primaryType,
    message: action,
    signature: `${r}${s.slice(2)}${v.toString(16)}`,
  })
}
