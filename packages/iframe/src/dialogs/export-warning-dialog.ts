import { addressList } from './address-list.ts'
import { button } from './button.ts'
import type { DialogParts, DialogScope } from './dialog-scope.ts'
import type { ExportView } from './dialogs.ts'
import { element, freshId } from './element.ts'
import { guardedButton } from './guarded-button.ts'
import { notice } from './notice.ts'

/** What the person types, so that the key is never shown by a habit of clicking. */
const phrase = 'show my key'

/** Warns about the power of a private key; continues only after the phrase is typed. */
export function exportWarningDialog(view: ExportView, scope: DialogScope<boolean>): DialogParts {
  const input = element('input', {
    id: freshId('phrase'),
    class: 'phrase',
    type: 'text',
    autocomplete: 'off',
    autocapitalize: 'none',
    spellcheck: 'false',
  })
  const isReady = () => input.value.trim().toLowerCase().replace(/\s+/g, ' ') === phrase
  const agree = guardedButton('Continue', 'danger', scope, { isReady }, () => scope.finish(true))
  input.addEventListener('input', agree.refresh)
  return {
    heading: 'Show your private key?',
    content: [
      notice('danger', 'Whoever has this key controls the wallet', [
        'Anyone who sees it can take everything, and nobody can undo that.',
        'No honest person, website or support team will ever ask you for it.',
        'Make sure no camera, shared screen or recording can see it.',
      ]),
      addressList(view.addresses),
      element(
        'div',
        { class: 'field' },
        element('label', { for: input.id }, `Type “${phrase}” to continue`),
        input,
      ),
    ],
    actions: [button('Cancel', 'plain', () => scope.finish(false)), agree.button],
  }
}
