/**
 * `npm run example:x402`: on the local chain of the running platform, a dollar token (EIP-3009), a wallet that has some of it, and a seller on
 * the loopback interface that takes it, until Ctrl-C. `npm run example:x402 -- 0x…` gives the dollars to that address instead.
 */
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Address, isAddress } from 'viem'
import { fund } from '../chain/fund.ts'
import { jsonRpc } from '../chain/json-rpc.ts'
import { sessionEnd } from '../demo/session-end.ts'
import { dataFolderPath } from '../start/data-folder.ts'
import { type DevFile, devFilePath } from '../start/dev-file.ts'
import { endWithLauncher } from '../start/end-with-launcher.ts'
import { httpCall } from '../start/http-call.ts'
import { runningPlatform, untilReady } from '../start/running-platform.ts'
import { type Eip3009Token, eip3009Token } from './eip3009-token.ts'
import { dollars, x402Instructions } from './x402-instructions.ts'
import { type Merchant, startMerchant } from './x402-merchant.ts'

/** In the token's smallest unit. */
const price = 250_000n
const gift = 10_000_000n
/** An order that is being settled is answered first, unless its chain is gone. */
const endsWithinMs = 2_000

const isEnding = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => isEnding.abort())
endWithLauncher(process.env, () => isEnding.abort())

try {
  const ending = once(isEnding.signal, 'abort')
  const merchant = await Promise.race([open(process.argv.slice(2)), ending.then(() => undefined)])
  await ending
  await Promise.race([merchant?.close(), sleep(endsWithinMs)])
  process.exit(0)
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exit(1)
}

async function open([given, ...more]: string[]): Promise<Merchant> {
  if (more.length > 0 || (given !== undefined && !isAddress(given)))
    throw new Error(`${[given, ...more].join(' ')} is not an address: npm run example:x402 -- 0x…`)
  const dataFolder = dataFolderPath(process.env)
  const file = await runningPlatform(dataFolder)
  if (file === undefined)
    throw new Error(
      `No platform runs in ${shownPath(dataFolder)}: run npm start in another terminal, then this again. SYMBOLON_DATA_DIR names another folder.`,
    )
  if (file.chain === undefined)
    throw new Error('The platform runs without its local chain: start it without SYMBOLON_CHAIN=off.')
  await untilReady(file)
  const token = await tokenOn(file.chain.rpc_url)
  const wallet = given === undefined ? await exampleWallet(file) : { address: given }
  await token.mint(wallet.address, gift)
  const merchant = await startMerchant(token, price, ({ body, payer }) =>
    console.log(`${dollars(price)} from ${payer} for ${body}`),
  )
  const instructions = x402Instructions({
    baseUrl: file.base_url,
    devFile: shownPath(devFilePath(dataFolder)),
    sale: { url: merchant.url, token: token.address, price },
    wallet,
    balance: await token.balanceOf(wallet.address),
    expiresAt: await sessionEnd(file.base_url),
  })
  console.log(instructions)
  return merchant
}

/** As seen from the folder of the repository, where npm runs us. */
function shownPath(absolute: string): string {
  const relative = path.relative(process.cwd(), absolute)
  return relative.startsWith('..') ? absolute : relative
}

async function tokenOn(rpcUrl: string): Promise<Eip3009Token> {
  const rpc = jsonRpc(rpcUrl)
  try {
    return await eip3009Token({ rpcUrl, fund: (address, wei) => fund(rpc, address, wei) })
  } finally {
    rpc.close()
  }
}

/** A wallet of the demo organization in TEE mode, the same at every run. Nobody can log in to it. */
async function exampleWallet({
  base_url: baseUrl,
  organizations,
}: DevFile): Promise<{ id: string; address: Address }> {
  const { status, body } = await httpCall(`${baseUrl}/v1/s2s/wallets`, {
    method: 'POST',
    headers: { authorization: `Bearer ${organizations.tee.secret_key}` },
    body: { provider_user_id: 'x402-example', curve: 'secp256k1' },
  })
  const { data, error } = body as {
    data: { id: string; address: Address } | null
    error: { message: string } | null
  }
  // It is there already: with `wallet_exists`, `data` is the wallet.
  if (data === null) throw new Error(`The platform made no wallet: ${status} ${error?.message}`)
  return data
}
