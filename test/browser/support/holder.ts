import type { Wallet } from '@symbolon/api'
import type { AnswerMessage, FrameError, JsonObject } from '@symbolon/iframe/protocol'
import { forgetRates, login, mailedCode, mailsTo, type Tenant, type User } from '@symbolon/testing/app'
import { installTalk } from '@symbolon/testing/browser'
import type { BrowserContextOptions, FrameLocator, Page } from 'playwright-core'
import type { Shop, Visit } from './shop.ts'

/** What a request came to. */
export type Outcome = { result: JsonObject; error?: undefined } | { result?: undefined; error: FrameError }

/** One page at the shop whose frame a user is logged in to, without the SDK between. */
export type Holder = Visit & {
  user: User
  /** What the frame shows. */
  dialog: FrameLocator
  /** Sends a request and waits for its outcome. */
  ask(method: string, params?: unknown): Promise<Outcome>
  /** The same where only a result is expected; throws what failed. */
  done(method: string, params?: unknown): Promise<JsonObject>
  /** The code of the failure that is expected. */
  failed(method: string, params?: unknown): Promise<string>
  /** Loads the page and its frame anew: everything that was in memory is gone. */
  reload(): Promise<void>
}

/** How somebody comes to the shop: as whom, with which browser. */
export type Arrival = {
  user?: User
  tenant?: Tenant
  /** Another tab of this browser. */
  visit?: Visit
  browserOptions?: BrowserContextOptions
}

/** Opens the shop's page in a browser and connects the frame as a user, who is a new one unless given. */
export async function holderAt(shop: Shop, arrival: Arrival = {}): Promise<Holder> {
  const { tenant = shop.tenant } = arrival
  const user = arrival.user ?? (await login(shop.app, tenant))
  const visit = arrival.visit ?? (await shop.visit(arrival.browserOptions))
  const page = arrival.visit === undefined ? visit.page : await visit.context.newPage()
  const frameUrl = shop.frameUrl(user.pk)
  await enter(page, shop.origin, frameUrl, user.token)

  const dialog = page.frameLocator('iframe')
  const send = async (method: string, params: unknown): Promise<Outcome> => {
    agreeTo(dialog, method)
    const answer = await page.evaluate(([name, given]) => talk.request(name, given, 30_000), [
      method,
      params,
    ] as const)
    if (answer === null) throw new Error(`${method} was not answered.`)
    return answer as AnswerMessage as Outcome
  }
  const ask = (method: string, params: unknown = {}) => handled(send(method, params))
  async function done(method: string, params: unknown): Promise<JsonObject> {
    const { result, error } = await ask(method, params)
    if (error !== undefined) throw new Error(`${method} failed: ${JSON.stringify(error)}`)
    return result
  }
  async function failed(method: string, params: unknown): Promise<string> {
    const { result, error } = await ask(method, params)
    if (error === undefined) throw new Error(`${method} came to ${JSON.stringify(result)}`)
    return error.code
  }
  return {
    ...visit,
    page,
    user,
    dialog,
    ask,
    done: (method, params) => handled(done(method, params)),
    failed: (method, params) => handled(failed(method, params)),
    reload: () => enter(page, shop.origin, frameUrl, user.token),
  }
}

const agreements: Readonly<Record<string, string>> = { 'share.refresh': 'Renew', 'device.wipe': 'Remove' }

/** Agrees in the frame to what changes this device's part of a key; the page may be gone before. */
function agreeTo(dialog: FrameLocator, method: string): void {
  const name = agreements[method]
  if (name !== undefined)
    dialog
      .getByRole('button', { name })
      .click()
      .catch(() => {})
}

/** Somebody with a wallet that was made in their browser. */
export async function ownerAt(shop: Shop, curve = 'secp256k1'): Promise<Holder & { wallet: Wallet }> {
  const holder = await holderAt(shop)
  return { ...holder, wallet: (await holder.done('wallet.create', { curve })) as Wallet }
}

/** A test that fails meanwhile closes the page and stops waiting, which does not count as a second failure. */
function handled<value>(promise: Promise<value>): Promise<value> {
  promise.catch(() => {})
  return promise
}

async function enter(page: Page, origin: string, frameUrl: string, token: string): Promise<void> {
  await page.goto(origin)
  await installTalk(page)
  const answer = await page.evaluate(
    async ([url, bearer]) => {
      await talk.embed(url)
      await talk.connect()
      return talk.request('session.set', { token: bearer })
    },
    [frameUrl, token] as const,
  )
  if (answer?.type !== 'answer' || !('result' in answer)) {
    throw new Error(`The frame said ${JSON.stringify(answer)}`)
  }
}

/** Runs a method that asks for an emailed code, and enters the one that comes; `enter` changes what is entered. */
export async function withMailedCode(
  shop: Shop,
  holder: Holder,
  method: string,
  params: unknown,
  enterCode: (code: string) => string = (code) => code,
): Promise<Outcome> {
  const before = mailCount(shop, holder.user)
  const outcome = holder.ask(method, params)
  const entering = (async () => {
    const code = await mailedCode(shop.app, holder.user.email, before)
    await holder.dialog.getByLabel('Six-digit code').fill(enterCode(code))
  })()
  await Promise.race([entering, outcome])
  return outcome
}

/** Recovers on this device with the code that is mailed. */
export async function recover(shop: Shop, holder: Holder, curve = 'secp256k1'): Promise<Outcome> {
  await forgetRates(shop.app)
  return withMailedCode(shop, holder, 'recovery.run', { curve })
}

/** How many emails came to a user so far. */
export const mailCount = (shop: Shop, user: User): number => mailsTo(shop.app, user.email).length
