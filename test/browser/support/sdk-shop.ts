import { randomBytes } from 'node:crypto'
import type { Wallet } from '@symbolon/sdk'
import { forgetRates, login, mailedCode, mailsTo, type Tenant } from '@symbolon/testing/app'
import { bundled, pageWith } from '@symbolon/testing/browser'
import { type SharedChain, sharedChain } from '@symbolon/testing/chain'
import type { FrameLocator } from 'playwright-core'
import { getAddress, type Hex } from 'viem'
import { expect } from 'vitest'
import { type Shop, startShop, type Visit } from './shop.ts'
import { openWallet } from './wallet-key.ts'

/** Somebody at a page of the shop, logged in through the SDK; the client is `client` there. */
export type Shopper = Visit & { email: string; tenant: Tenant; dialog: FrameLocator }

/** A shopper with a wallet. */
export type Owner = Shopper & { wallet: Wallet; address: Hex }

/** Who comes, where to, and with which curve; by default a new user of the shop's organization at `/shop`. */
export type Coming = {
  tenant?: Tenant
  email?: string
  /** `/shop` has every package of the kit, `/plain` only the script that the platform serves, `/clients` the hooks of wagmi and Solana. */
  path?: '/shop' | '/plain' | '/clients'
  curve?: 'secp256k1' | 'ed25519'
}

/** The shop with pages that use the SDK, wired to the run's local chain. */
export type SdkShop = Shop & {
  chain: SharedChain
  shopper(coming?: Coming): Promise<Shopper>
  owner(coming?: Coming): Promise<Owner>
  /** What every flow ends with: nothing of the key left the frame, and no rule was broken on the way. */
  leavesNothing(one: Shopper, curve?: 'secp256k1' | 'ed25519'): Promise<void>
}

/** Starts it; the page `/clients`, whose bundle is large, only where it is wanted. */
export async function startSdkShop({ hasClients = false } = {}): Promise<SdkShop> {
  const chain = await sharedChain()
  const { rpcUrl, bundlerUrl, paymasterUrl } = chain
  const shop = await startShop({
    chains: [{ handle: 'local', rpcUrls: [rpcUrl], bundlerUrl, paymasterUrl, confirmations: 1 }],
  })
  const { app, origin } = shop
  await servePages(shop)
  if (hasClients) {
    shop.pages.serve('/clients.js', await bundled('packages/sdk/test/clients-kit.tsx'))
    shop.pages.serve('/clients', pageWith('<h1>Shop</h1><script type="module" src="/clients.js"></script>'))
  }

  async function shopper({ tenant = shop.tenant, email = newEmail(), path = '/shop' }: Coming = {}) {
    const visit = await shop.visit()
    await visit.page.goto(`${origin}${path}`)
    await visit.page.waitForFunction(() => 'kit' in globalThis)
    await visit.page.evaluate(
      ([publishableKey, baseUrl, local]) => {
        globalThis.client = kit.createClient({
          publishableKey,
          baseUrl,
          rpcUrls: { local },
          storage: 'session',
        })
      },
      [tenant.pk, app.url, rpcUrl] as const,
    )
    const made = { ...visit, email, tenant, dialog: visit.page.frameLocator('iframe[title=Wallet]') }
    await logIn(shop, made)
    return made
  }

  return {
    ...shop,
    chain,
    shopper,

    async owner(coming = {}) {
      const made = await shopper(coming)
      const wallet = await made.page.evaluate(
        async (curve) => kit.unwrap(await client.wallets.create({ curve })),
        coming.curve ?? 'secp256k1',
      )
      await forgetRates(app)
      return { ...made, wallet, address: wallet.address as Hex }
    },

    async leavesNothing(one, curve = 'secp256k1') {
      const { traffic, close } = one
      await seesNoKey(shop, one, curve)
      expect(traffic.violations).toEqual([])
      expect(traffic.errors).toEqual([])
      await close()
    },
  }
}

/** Nothing of the key left the frame. In TEE mode no page or frame ever has one. */
async function seesNoKey(shop: Shop, { tenant, email, traffic }: Shopper, curve: 'secp256k1' | 'ed25519') {
  const [{ mode } = {}] = await shop.app.sql<{ mode: string }[]>`
    select signing_mode as mode from organizations where id = ${tenant.id}`
  if (mode !== 'client') return
  const { key } = await openWallet(shop, await login(shop.app, tenant, email), curve)
  await traffic.assertNoKeyBytes(key)
}

async function servePages({ app, pages }: Shop): Promise<void> {
  pages.serve('/kit.js', await bundled('packages/sdk/test/page-kit.ts'))
  pages.serve(
    '/shop',
    pageWith('<h1>Shop</h1><button>Buy</button><script type="module" src="/kit.js"></script>'),
  )
  pages.serve(
    '/plain',
    pageWith(`<script type="module">
      import { createClient, unwrap } from '${app.url}/sdk.js'
      globalThis.kit = { createClient, unwrap }
    </script>`),
  )
}

async function logIn({ app }: Shop, { page, email }: Shopper): Promise<void> {
  const before = mailsTo(app, email).length
  await page.evaluate(async (to) => kit.unwrap(await client.auth.sendCode(to)), email)
  const code = await mailedCode(app, email, before)
  await page.evaluate(async ([to, given]) => kit.unwrap(await client.auth.verifyCode(to, given)), [
    email,
    code,
  ] as const)
}

const newEmail = () => `b-${randomBytes(6).toString('hex')}@example.test`

/** An address that nobody else of the run pays to. */
export const newAddress = (): Hex => getAddress(`0x${randomBytes(20).toString('hex')}`)
