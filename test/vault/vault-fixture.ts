import type {
  FrameConfig,
  FrameEnclave,
  JsonObject,
  MethodName,
  MethodParams,
  MethodResult,
} from '@symbolon/iframe/protocol'
import {
  type AgreeView,
  apiClient,
  type ConfirmView,
  createVault,
  type DeviceNotes,
  type Dialogs,
  deviceNotes,
  type Handlers,
  memoryStorage,
  type RevealView,
  type ShareStorage,
  toFrameError,
} from '@symbolon/iframe/testing'
import type { Tenant, User } from '@symbolon/testing/app'
import { mailedCode, mailsTo, type TestApp } from '@symbolon/testing/app'

/** What the vault does with one call of the API: lets it pass (`go`), or loses it before or after. */
export type Wire = (call: { method: string; path: string }, go: () => Promise<Response>) => Promise<Response>

/** A call that never arrived, or whose answer never did. */
export const lost = (): never => {
  throw new TypeError('fetch failed')
}

/** What a person does before the vault's dialogs, and what they saw. */
export type Person = {
  isAgreeing: boolean
  isWarned: boolean
  /** The code they type at each question; by default the newest one mailed. */
  code: () => Promise<string | null>
  keyText: string | null
  seen: ConfirmView[]
  /** What they were asked to agree to, beside signatures. */
  asked: AgreeView[]
  /** What they read at the edge of the page. */
  told: { title: string; text: string }[]
  /** Until when they were told to wait. */
  waits: string[]
  revealed: { label: string; text: string }[]
  /** Spells the revealed key again, from what the dialog was given. */
  spellAgain: () => string
  codeMessages: string[]
}

export type DeviceOptions = {
  storage?: ShareStorage
  wire?: Wire
  isConfirmationShown?: boolean
  notes?: DeviceNotes
  /** The enclave that the frame's page names. */
  enclave?: FrameEnclave
  /** What the device's clock is ahead, in ms. */
  aheadMs?: number
}

/** What a browser keeps beside the shares. */
export const memoryNotes = (): DeviceNotes =>
  deviceNotes(() => {
    throw new Error('no storage')
  })

/** What the frame's page says of the enclave. */
export async function enclaveInPage(app: TestApp, tenant: Tenant): Promise<FrameEnclave> {
  // Once it has attested itself, the installation has its ring.
  await app.call('GET', `/v1/attestation?nonce=${'A'.repeat(43)}`)
  const html = await (await fetch(`${app.frameUrl}/frame?publishable_key=${tenant.pk}`)).text()
  const config: FrameConfig = JSON.parse(/id="frame-config">([^<]*)</.exec(html)?.[1] ?? 'null')
  if (config.enclave === undefined) throw new Error('The page names no enclave.')
  return config.enclave
}

/** What the frame's page says of the organization. */
const inPage = (tenant: Tenant, isConfirmationShown: boolean): FrameConfig['organization'] => ({
  ...unbranded,
  id: tenant.id,
  signing_mode: modeOf(tenant),
  is_confirmation_shown: isConfirmationShown,
})

/** A browser of the user: the real vault over the real service, memory in place of IndexedDB, a person in place of dialogs. */
export function newDevice(app: TestApp, tenant: Tenant, user: User, options: DeviceOptions = {}) {
  const { storage = memoryStorage(), isConfirmationShown = false, notes = memoryNotes() } = options
  let wire: Wire = options.wire ?? ((_call, go) => go())
  let mails = 0
  const person = newPerson(() => mailedCode(app, user.email, mails))
  const calls: string[] = []

  const api = apiClient({
    baseUrl: app.url,
    publishableKey: tenant.pk,
    device: 'a-device-of-the-vault-tests',
    fetch(url, init) {
      const path = url.slice(app.url.length)
      calls.push(`${init.method} ${path}`)
      if (/initiate$/.test(path)) mails = mailsTo(app, user.email).length
      return wire({ method: String(init.method), path }, () => fetch(url, init))
    },
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, Math.min(ms, 5_000) / 10)),
  })

  const handlers = createVault({
    organization: inPage(tenant, isConfirmationShown),
    ...(options.enclave !== undefined && { enclave: options.enclave }),
    nowMs: () => Date.now() + (options.aheadMs ?? 0),
    pageOrigin: 'https://shop.example',
    api,
    device: 'a-device-of-the-vault-tests',
    shares: { storage, random },
    dialogs: personDialogs(person),
    say: (text) => person.told.push(text),
    notes,
    random,
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms / 50)),
    exclusive: (_name, run) => run(),
  })
  void handlers['session.set']({ token: user.token }, new AbortController().signal)

  return {
    person,
    storage,
    calls,
    handlers,
    setWire(next: Wire) {
      wire = next
    },
    call<name extends MethodName>(
      method: name,
      params: MethodParams<name>,
      signal = new AbortController().signal,
    ): Promise<MethodResult<name>> {
      return handlers[method](params, signal)
    },
    /** The code of the failure, or the result. */
    async outcome<name extends MethodName>(method: name, params: MethodParams<name>) {
      return (handlers as Handlers)[method](params, new AbortController().signal).catch(codeOfFailure)
    },
    sign: (request: JsonObject) => handlers.sign({ request }, new AbortController().signal),
  }
}

/** A browser of a user. */
export type Device = ReturnType<typeof newDevice>

function codeOfFailure(error: unknown): string {
  const { code } = toFrameError(error)
  if (code === 'internal') throw error
  return code
}

const unbranded = { name: 'Test', brand_color: null, support_email: null }

const newPerson = (code: Person['code']): Person => ({
  isAgreeing: true,
  isWarned: true,
  code,
  keyText: null,
  seen: [],
  asked: [],
  told: [],
  waits: [],
  revealed: [],
  spellAgain: () => '',
  codeMessages: [],
})

const random = (length: number) => crypto.getRandomValues(new Uint8Array(length))
const modes = new WeakMap<Tenant, 'client' | 'tee'>()

/** Says how an organization signs; client mode otherwise. */
export function inMode(tenant: Tenant, mode: 'client' | 'tee'): Tenant {
  modes.set(tenant, mode)
  return tenant
}

const modeOf = (tenant: Tenant) => modes.get(tenant) ?? 'client'

function personDialogs(person: Person): Dialogs {
  return {
    async confirm(view, signal) {
      signal.throwIfAborted()
      person.seen.push(view)
      return person.isAgreeing
    },
    async agree(view, signal) {
      signal.throwIfAborted()
      person.asked.push(view)
      return person.isAgreeing
    },
    say: () => {},
    tellCalls: async () => {},
    async tellWait({ readyAt }) {
      person.waits.push(readyAt.toISOString())
    },
    async askCode(view) {
      for (;;) {
        const code = await person.code()
        if (code === null) return false
        if (code === 'resend') {
          await view.resend()
          continue
        }
        const checked = await view.check(code)
        if (checked.isRight) return true
        person.codeMessages.push(`${checked.attemptsLeft ?? '-'} ${checked.message}`)
      }
    },
    async askKey(view) {
      if (person.keyText === null) return null
      const reading = view.read(person.keyText)
      return reading.isKey ? person.keyText : null
    },
    warnExport: async () => person.isWarned,
    async reveal(view: RevealView) {
      person.spellAgain = () => view.formats.map(({ text }) => text()).join()
      person.revealed = view.formats.map(({ label, text }) => ({ label, text: text() }))
      return true
    },
    busy: () => () => {},
  }
}
