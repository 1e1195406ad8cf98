/** Runs in the browser: the vault's dialogs as the frame's page mounts them, opened by the test with plain data. */
import {
  type AgreeView,
  type CallsView,
  type CodeView,
  type ConfirmView,
  createDialogs,
  type ExportView,
  type WaitView,
} from '@symbolon/iframe/testing'

/** What the test's page has as `window.stage`. `outcome` is what the last dialog came to. */
export type DialogStage = {
  confirm(view: ConfirmView): void
  askCode(view: Omit<CodeView, 'check' | 'resend'>, right: string, attempts?: number): void
  askKey(pageOrigin: string): void
  warnExport(view: ExportView): void
  reveal(view: ExportView, keys: Readonly<Record<string, string>>): void
  busy(text: string): void
  abort(): void
  outcome(): unknown
  /** How long the last dialog was open, in milliseconds. */
  lastedMs(): number
  /** The arguments of `onOpen`, in order. */
  opened(): readonly boolean[]
  /** The arguments of `onStrip`, in order. */
  strips(): readonly boolean[]
  agree(view: AgreeView): void
  tellWait(view: WaitView): void
  tellCalls(view: CallsView): void
  say(title: string, text: string): void
  resent(): number
}

/** The window of the test's page. */
export type StageWindow = Window & { stage: DialogStage }

const root = document.getElementById('root')
if (root === null) throw new Error('The page has no root.')
const opened: boolean[] = []
const strips: boolean[] = []
const brand = new URLSearchParams(location.search).get('brand')
const dialogs = createDialogs({
  root,
  organization: { name: 'Northwind Bank', brand_color: brand, support_email: 'help@northwind.example' },
  onOpen: (open) => opened.push(open),
  onStrip: (open) => strips.push(open),
})
let abort = new AbortController()
let outcome: unknown = 'open'
let openedAt = 0
let lastedMs = 0
let resent = 0

function track(opening: (signal: AbortSignal) => Promise<unknown>): void {
  abort = new AbortController()
  outcome = 'open'
  openedAt = performance.now()
  opening(abort.signal).then(
    (result) => {
      outcome = result
      lastedMs = performance.now() - openedAt
    },
    (error: unknown) => {
      outcome = error instanceof Error ? error.message : String(error)
    },
  )
}

const stage: DialogStage = {
  confirm: (view) => track((signal) => dialogs.confirm(view, signal)),
  askCode(view, right, attempts = 5) {
    let left = attempts
    const check: CodeView['check'] = async (code) => {
      await new Promise((resolve) => setTimeout(resolve, 50))
      if (code === right) return { isRight: true }
      left -= 1
      if (left === 0) throw new Error('locked')
      return { isRight: false, message: 'This code is not right.', attemptsLeft: left }
    }
    const resend = async () => {
      resent += 1
    }
    track((signal) => dialogs.askCode({ ...view, check, resend }, signal))
  },
  askKey: (pageOrigin) =>
    track((signal) =>
      dialogs.askKey(
        {
          curve: 'secp256k1',
          pageOrigin,
          formats: ['0x and 64 hex digits', 'WIF'],
          read: (text) =>
            /^0x[0-9a-f]{64}$/.test(text)
              ? {
                  isKey: true,
                  addresses: [{ label: 'Ethereum', address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' }],
                }
              : { isKey: false, message: 'This is not a private key.' },
        },
        signal,
      ),
    ),
  warnExport: (view) => track((signal) => dialogs.warnExport(view, signal)),
  reveal(view, keys) {
    const formats = Object.entries(keys).map(([label, key]) => ({ label, text: () => key }))
    track((signal) => dialogs.reveal({ ...view, formats }, signal))
  },
  busy(text) {
    abort = new AbortController()
    dialogs.busy(text, abort.signal)
  },
  abort: () => abort.abort(new Error('cancelled')),
  outcome: () => outcome,
  lastedMs: () => lastedMs,
  opened: () => opened,
  strips: () => strips,
  agree: (view) => track((signal) => dialogs.agree(view, signal)),
  tellCalls: (view) => track((signal) => dialogs.tellCalls(view, signal)),
  tellWait: (view) => track((signal) => dialogs.tellWait(view, signal)),
  say: (title, text) => dialogs.say({ title, text }),
  resent: () => resent,
}
Reflect.set(window, 'stage', stage)
