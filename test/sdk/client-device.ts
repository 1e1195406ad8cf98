import { setTimeout as sleep } from 'node:timers/promises'
import {
  apiClient,
  type CallsView,
  type ConfirmView,
  createVault,
  type Dialogs,
  deviceNotes,
  memoryStorage,
  talk,
} from '@symbolon/iframe/testing'
import type { Client, ClientOptions } from '@symbolon/sdk'
import type { Link, Ports } from '@symbolon/sdk/testing'
import { mailedCode, type Tenant, type TestApp } from '@symbolon/testing/app'
import { sdkClient } from './sdk-fixture.ts'

/** What the person at this device does; a test may change it. */
export type Person = {
  agrees: boolean
  email: string
  readonly confirmed: ConfirmView[]
  readonly told: CallsView[]
}

/** A device in client mode: the SDK with the real vault behind a real port, without the document around them. */
export async function clientDevice(
  app: TestApp,
  tenant: Tenant,
  options: Partial<ClientOptions> = {},
  ports: Partial<Ports> = {},
): Promise<Client & { person: Person }> {
  const person: Person = { agrees: true, email: '', confirmed: [], told: [] }
  const random = (length: number) => crypto.getRandomValues(new Uint8Array(length))
  const wait = (ms: number) => sleep(ms)
  const shares = { storage: memoryStorage(), random }
  const dialogs = personDialogs(app, person)
  const openLink = async () => {
    const { port1, port2 } = new MessageChannel()
    const nonce = await shares.storage.nonce()
    const organization = {
      id: tenant.id,
      name: 'Test',
      brand_color: null,
      support_email: null,
      signing_mode: 'client',
      is_confirmation_shown: true,
    } as const
    const handlers = createVault({
      organization,
      pageOrigin: 'https://shop.example',
      api: apiClient({ baseUrl: app.url, publishableKey: tenant.pk, device: nonce, fetch, wait }),
      device: nonce,
      shares,
      dialogs,
      notes: deviceNotes(noStorage),
      say: () => undefined,
      random,
      nowMs: () => Date.now(),
      wait,
      exclusive: (_, run) => run(),
    })
    talk({ port: port2, origin: 'https://shop.example', session: 's' }, handlers)
    let lost = () => {}
    const link: Link = {
      port: port1,
      session: 's',
      show: () => undefined,
      showStrip: () => undefined,
      isAlive: () => true,
      remove: () => lost(),
      onLost: (listener) => {
        lost = listener
      },
    }
    return { data: link, error: null }
  }
  const client = sdkClient(app, tenant, options, { ...ports, openLink })
  return { ...client, person }
}

/** The dialogs as the person answers them. */
const personDialogs = (app: TestApp, person: Person): Dialogs => ({
  confirm: async (view) => {
    person.confirmed.push(view)
    return person.agrees
  },
  agree: async () => person.agrees,
  say: () => undefined,
  tellWait: async () => undefined,
  tellCalls: async (view) => {
    person.told.push(view)
  },
  // The first mail was the login's.
  askCode: async ({ check }) => (await check(await mailedCode(app, person.email, 1))).isRight,
  askKey: async () => null,
  warnExport: async () => person.agrees,
  reveal: async () => true,
  busy: () => () => undefined,
})

const noStorage = () => {
  throw new Error('no storage')
}
