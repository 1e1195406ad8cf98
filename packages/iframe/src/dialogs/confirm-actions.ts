import type { PreviewAction, SignPreview } from '@symbolon/networks/browser'
import { addressText } from './address-text.ts'
import type { ConfirmView } from './dialogs.ts'
import { element } from './element.ts'
import { isPlain } from './is-plain.ts'
import { visibleText } from './visible-text.ts'

/** The label of `to` for each kind of action, and the text for a missing `to`. */
const roles: Readonly<Record<PreviewAction['kind'], readonly [label: string, nobody: string | null]>> = {
  transfer: ['To', 'Whoever takes the offer'],
  approval: ['Who may spend', 'Whoever takes the offer'],
  call: ['Contract', 'A new contract'],
  admin: ['Concerns', null],
  unknown: ['Contract', null],
}

/** Every action of a preview as a list: what happens, to whom in full, and with what arguments. */
export function actionList({ preview, nativeAsset }: ConfirmView): HTMLElement {
  const { actions } = preview
  const isCalm = isPlain(preview)
  const items = actions.map((action, index) =>
    element(
      'li',
      { class: `action action-${isCalm ? 'plain' : action.kind}` },
      isCalm ? null : titleOf(action, index, preview),
      action.kind === 'unknown' && !isCalm
        ? element('p', { class: 'action-alarm' }, 'The effect is unknown. It could move everything you have.')
        : null,
      facts(action, preview.from, nativeAsset.symbol),
      argumentsOf(action, isCalm ? 'Fields' : 'Arguments'),
    ),
  )
  return element('ul', { class: 'action-list', 'aria-label': 'What happens' }, ...items)
}

/** Nothing where the dialog's heading already says it. */
function titleOf(action: PreviewAction, index: number, { title, actions }: SignPreview): HTMLElement | null {
  const isOnly = actions.length === 1
  const text = headline(action)
  if (isOnly && text === title) return null
  const number = isOnly ? null : element('span', { class: 'action-number' }, `${index + 1}`)
  return element('h2', { class: 'action-title', dir: 'auto' }, number, visibleText(text))
}

function headline({ kind, method, amount, amount_display }: PreviewAction): string {
  const shown = amount_display ?? (amount === null ? null : `${amount} smallest units`)
  switch (kind) {
    case 'transfer':
      return `Send ${shown ?? 'an unknown amount'}`
    case 'approval':
      return `Allow to spend ${shown ?? 'an unknown amount'}`
    case 'call':
      return method === null ? 'Call a contract' : `Call ${method}`
    case 'admin':
      return method === null ? 'Change who has control' : `Change of control: ${method}`
    case 'unknown':
      return method === null ? 'Unknown effect' : `Unknown effect: ${method}`
  }
}

function facts({ kind, to, asset }: PreviewAction, from: string, nativeSymbol: string): HTMLElement {
  const [label, nobody] = roles[kind]
  const list = element('dl', { class: 'facts' })
  if (to !== null) list.append(fact(to === from ? `${label} (yourself)` : label, addressText(to)))
  else if (nobody !== null) list.append(fact(label, nobody))
  if (asset !== null && asset !== nativeSymbol) list.append(fact('Token', addressText(asset)))
  return list
}

function argumentsOf({ kind, args }: PreviewAction, label: string): HTMLElement | null {
  const entries = Object.entries(args ?? {})
  if (entries.length === 0) return null
  const list = element(
    'dl',
    { class: 'arguments' },
    ...entries.map(([name, value]) => fact(name, element('bdi', { dir: 'auto' }, visibleText(value)))),
  )
  const box = element('details', { class: 'more' }, element('summary', {}, label), list)
  // The headline already describes a transfer or an approval.
  box.open = kind !== 'transfer' && kind !== 'approval'
  return box
}

/** One line of a description list. */
export function fact(label: string, value: HTMLElement | string): HTMLElement {
  return element(
    'div',
    { class: 'fact' },
    element('dt', { dir: 'auto' }, visibleText(label)),
    element('dd', {}, value),
  )
}
