import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ed25519 } from '@noble/curves/ed25519.js'
import { mailedCode, mailsTo } from '@symbolon/testing/app'
import { bundled, pageWith } from '@symbolon/testing/browser'
import { type Hex, recoverMessageAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Owner, type SdkShop, startSdkShop } from './support/sdk-shop.ts'

const root = path.join(import.meta.dirname, '../..')
// Below the root, where the packages are found that an app would install.
const folder = 'node_modules/.cache/client-samples'
let shop: SdkShop

beforeAll(async () => {
  shop = await startSdkShop()
})
afterAll(() => shop?.stop())

/** The sample of the guide that begins with the comment `// <name>`, with this platform in the place of the local one. */
function sampleOf(name: string, { tenant }: Pick<Owner, 'tenant'>, baseUrl = shop.app.url): string {
  const text = readFileSync(path.join(root, 'docs/guides/clients.md'), 'utf8')
  const [sample] = text.match(new RegExp(`(?<=\`\`\`tsx?\\n)// ${name}\\n[^]*?(?=\\n\`\`\`)`)) ?? []
  if (sample === undefined) throw new Error(`The guide has no sample ${name}.`)
  return sample
    .replaceAll('pk_live_…', tenant.pk)
    .replaceAll('http://127.0.0.1:8080', baseUrl)
    .replaceAll('http://127.0.0.1:8545', shop.chain.rpcUrl)
}

type Sample = { curve?: 'secp256k1' | 'ed25519'; isLoggedIn?: boolean; baseUrl?: string }

/** The page of a sample, for somebody with a wallet; the lines that it prints come in order. */
async function opened(name: string, { curve = 'secp256k1', isLoggedIn = true, baseUrl }: Sample = {}) {
  const one = await shop.owner({ curve })
  mkdirSync(path.join(root, folder), { recursive: true })
  for (const file of ['wallet.ts', 'login.ts', name])
    writeFileSync(path.join(root, folder, file), sampleOf(file, one, baseUrl))
  shop.pages.serve('/sample.js', await bundled(path.join(folder, name)))
  shop.pages.serve('/sample', pageWith('<script type="module" src="/sample.js"></script>'))
  const lines: string[] = []
  one.page.on('console', (message) => lines.push(message.text()))
  if (!isLoggedIn) {
    await one.page.evaluate(() => client.auth.logout())
    const before = mailsTo(shop.app, one.email).length
    one.page.on('dialog', async (dialog) => {
      const isAskedForCode = dialog.message().includes('code')
      await dialog.accept(isAskedForCode ? await mailedCode(shop.app, one.email, before) : one.email)
    })
  }
  await one.page.goto(`${shop.origin}/sample`)
  return { ...one, lines }
}

const button = (one: Owner, name: string | RegExp) => one.page.getByRole('button', { name })

test.each(['viem.ts', 'ethers.ts'])('the sample %s logs in and signs as it is printed', async (name) => {
  const { lines, address } = await opened(name, { isLoggedIn: false })
  await expect.poll(() => lines).toHaveLength(1)
  const [signer, signature] = lines[0]?.split(' ') ?? []
  expect(signer).toBe(address)
  expect(await recoverMessageAddress({ message: 'Hello', signature: signature as Hex })).toBe(address)
})

test('a sample with a wrong address says so before it asks anybody for anything', async () => {
  const one = await opened('viem.ts', { baseUrl: 'http://127.0.0.1:9', isLoggedIn: false })
  const asked: string[] = []
  one.page.on('dialog', (dialog) => void asked.push(dialog.message()))
  const [failed] = await Promise.all([one.page.waitForEvent('pageerror'), one.page.reload()])
  expect(failed.message).toContain(
    'Nothing that the SDK understands answers at http://127.0.0.1:9: check baseUrl',
  )
  expect(asked).toEqual([])
})

test('the sample wagmi.tsx logs in, connects and signs as it is printed', async () => {
  const one = await opened('wagmi.tsx', { isLoggedIn: false })
  await button(one, 'Connect').click()
  await button(one, `Sign as ${one.address}`).click()
  const signature = await button(one, /^0x/).textContent()
  expect(await recoverMessageAddress({ message: 'Hello', signature: signature as Hex })).toBe(one.address)
})

test('the sample solana.tsx logs in, connects and signs as it is printed', async () => {
  const one = await opened('solana.tsx', { curve: 'ed25519', isLoggedIn: false })
  await button(one, 'Connect').click()
  await button(one, `Sign as ${one.wallet.address}`).click()
  const signature = Buffer.from((await button(one, /^[0-9a-f]{128}$/).textContent()) ?? '', 'hex')
  const publicKey = Buffer.from(one.wallet.public_key.slice(2), 'hex')
  expect(ed25519.verify(signature, new TextEncoder().encode('Hello'), publicKey)).toBe(true)
})
