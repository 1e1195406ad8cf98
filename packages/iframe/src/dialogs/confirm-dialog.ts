import { plainNote } from '@symbolon/networks/browser'
import { addressText } from './address-text.ts'
import { button } from './button.ts'
import { chainName, isTestChain } from './chain-name.ts'
import { actionList, fact } from './confirm-actions.ts'
import type { DialogParts, DialogScope } from './dialog-scope.ts'
import type { ConfirmView } from './dialogs.ts'
import { element } from './element.ts'
import { feeText } from './fee-text.ts'
import { guardedButton } from './guarded-button.ts'
import { isPlain } from './is-plain.ts'
import { notice, statusLine } from './notice.ts'
import { signInWarning } from './sign-in-warning.ts'
import { visibleText } from './visible-text.ts'

const eyebrows: Readonly<Record<ConfirmView['subject'], string>> = {
  signature: 'Signature',
  transaction: 'Transaction',
  operation: 'Smart account operation',
  calls: 'Transactions, one by one,',
  transactions: 'Several transactions',
}

const oneByOne = 'If one fails, those before it stay in effect, and the rest are not sent.'

/** How long a dialog may stay covered before it says so, in milliseconds. */
const patienceMs = 1500

/** A signature to decide about: all that it does, in full; Confirm only once all was in view, unless nothing dangerous shows in it. */
export function confirmDialog(view: ConfirmView, scope: DialogScope<boolean>): DialogParts {
  const { preview, message } = view
  const status = statusLine()
  const mustBeRead = !isPlain(preview)
  const agree = guardedButton('Confirm', 'main', scope, { mustBeRead }, () => scope.finish(true))
  const reject = button('Reject', 'plain', () => scope.finish(false))
  explainWaiting(scope, mustBeRead, status.say)
  return {
    eyebrow: `${eyebrows[view.subject]} on ${chainName(preview.chain)}`,
    heading: preview.title,
    content: [
      ...warnings(view),
      ...(message === null ? [] : [messageBox(message)]),
      ...(view.subject === 'calls' ? [notice('calm', null, [oneByOne])] : []),
      ...(preview.actions.length === 0 ? [] : [actionList(view)]),
      circumstances(view),
      ...view.details.map(rawDetail),
    ],
    actions: [status.line, reject, agree.button],
  }
}

function warnings(view: ConfirmView): HTMLElement[] {
  const { preview } = view
  if (!isPlain(preview)) return alarms(view)
  const others = preview.warnings.filter((warning) => warning !== plainNote)
  return [...(others.length === 0 ? [] : [checkFirst(others)]), notice('calm', null, [plainNote])]
}

function checkFirst(alerts: readonly string[]): HTMLElement {
  return notice('warning', alerts.length > 1 ? 'Check these first' : 'Check this first', alerts)
}

function alarms({ preview, message, pageOrigin }: ConfirmView): HTMLElement[] {
  const isUnknown = preview.actions.some((action) => action.kind === 'unknown')
  const isControl = preview.actions.some((action) => action.kind === 'admin')
  const phishing = message === null ? null : signInWarning(message, pageOrigin)
  const alerts = phishing === null ? [...preview.warnings] : [phishing, ...preview.warnings]
  if (alerts.length === 0 && isUnknown) alerts.push('Part of this could not be read.')
  if (alerts.length === 0) return []
  return [
    isUnknown || isControl || phishing !== null
      ? notice('danger', 'Do not confirm unless you know exactly what this does', alerts)
      : checkFirst(alerts),
  ]
}

function messageBox(message: string): HTMLElement {
  return element(
    'figure',
    { class: 'message' },
    element('figcaption', {}, 'Full message'),
    element('div', { class: 'message-text', dir: 'auto', translate: 'no' }, visibleText(message)),
  )
}

function circumstances(view: ConfirmView): HTMLElement {
  const { preview, chainId } = view
  const chain = element('span', {}, visibleText(chainName(preview.chain)))
  if (chainId !== null) chain.append(` (chain ${chainId})`)
  if (isTestChain(preview.chain)) chain.append(element('span', { class: 'tag' }, 'test network'))
  const fee = feeText(view)
  const rows = [
    fact('From', addressText(preview.from)),
    ...(view.domain ?? []).map(({ label, text }) =>
      fact(label, element('bdi', { dir: 'auto', translate: 'no' }, visibleText(text))),
    ),
    // Typed data may be for another chain than the one that the page's wallet is on.
    fact(view.domain === undefined ? 'Network' : 'Network of the wallet', chain),
    fee === null ? null : fact('Highest fee', feeValue(fee, view.feePaidBy)),
    preview.expires_at === null ? null : fact('Valid until', timeText(preview.expires_at)),
  ]
  return element('dl', { class: 'facts circumstances' }, ...rows)
}

function feeValue(fee: string, paidBy: string | null): HTMLElement {
  const value = element('span', { class: 'number' }, visibleText(fee))
  if (paidBy !== null)
    value.append(', paid by ', element('bdi', { translate: 'no' }, visibleText(paidBy)), ', not by you')
  return value
}

function timeText(time: string): HTMLElement {
  const at = new Date(time)
  const shown = Number.isNaN(at.getTime())
    ? visibleText(time)
    : at.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })
  return element('time', {}, shown)
}

function rawDetail({ label, text }: ConfirmView['details'][number]): HTMLElement {
  return element(
    'details',
    { class: 'more' },
    element('summary', { dir: 'auto' }, visibleText(label)),
    element('pre', { class: 'raw', tabindex: '0', dir: 'ltr', translate: 'no' }, visibleText(text)),
  )
}

/** Says why Confirm is disabled, unless that lasts only a moment. */
function explainWaiting(scope: DialogScope<boolean>, mustBeRead: boolean, say: (text: string) => void) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const update = () => {
    clearTimeout(timer)
    if (scope.sight.since() === undefined) {
      timer = setTimeout(
        () => say('Something covers or alters this window. Make it fully visible.'),
        patienceMs,
      )
    } else say(!mustBeRead || scope.isReadToEnd() ? '' : 'Scroll to the end to confirm.')
  }
  scope.onChange(update)
  scope.signal.addEventListener('abort', () => clearTimeout(timer))
  update()
}
