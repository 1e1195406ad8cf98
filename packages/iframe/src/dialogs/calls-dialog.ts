import { addressText } from './address-text.ts'
import { button } from './button.ts'
import { chainName } from './chain-name.ts'
import { fact } from './confirm-actions.ts'
import type { DialogParts, DialogScope } from './dialog-scope.ts'
import type { CallsView } from './dialogs.ts'
import { element } from './element.ts'
import { notice } from './notice.ts'
import { visibleText } from './visible-text.ts'

const words: Readonly<Record<CallsView['status'], string>> = {
  pending: 'In progress. Each call is sent once the one before it is on the chain.',
  confirmed: 'All calls are on the chain.',
  failed: 'No call took effect.',
  partial: 'Some calls took effect. The rest were not sent.',
}

/** What became of calls that were sent one after another. */
export function callsDialog({ chain, calls, status }: CallsView, scope: DialogScope<void>): DialogParts {
  return {
    eyebrow: `Calls on ${chainName(chain)}`,
    heading: calls.length === 1 ? 'One call' : `${calls.length} calls`,
    content: [
      notice('calm', null, [words[status]]),
      element(
        'ul',
        { class: 'action-list', 'aria-label': 'Calls' },
        ...calls.map((call, index) => item(call, index, status)),
      ),
    ],
    actions: [button('Close', 'main', () => scope.finish())],
  }
}

function item(
  { title, to, hash }: CallsView['calls'][number],
  index: number,
  status: CallsView['status'],
): HTMLElement {
  const unsent = status === 'pending' ? 'Not sent yet' : 'Not sent'
  const number = element('span', { class: 'action-number' }, `${index + 1}`)
  return element(
    'li',
    { class: 'action' },
    element('h2', { class: 'action-title', dir: 'auto' }, number, visibleText(title)),
    element(
      'dl',
      { class: 'facts' },
      fact('To', addressText(to)),
      fact('Transaction', hash === null ? unsent : addressText(hash)),
    ),
  )
}
