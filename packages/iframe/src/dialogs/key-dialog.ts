import { addressList } from './address-list.ts'
import { button } from './button.ts'
import type { DialogParts, DialogScope } from './dialog-scope.ts'
import type { KeyView } from './dialogs.ts'
import { element, freshId } from './element.ts'
import { guardedButton } from './guarded-button.ts'
import { notice, statusLine } from './notice.ts'

/** Asks for a private key, and shows at once which addresses it gives. */
export function keyDialog(view: KeyView, scope: DialogScope<string | null>): DialogParts {
  const status = statusLine()
  status.line.id = freshId('status')
  const found = element('div', { class: 'found' })
  const input = keyInput(status.line.id)
  let isKey = false
  const agree = guardedButton('Import key', 'main', scope, { isReady: () => isKey }, () =>
    scope.finish(input.value.trim()),
  )
  const look = () => {
    const text = input.value.trim()
    const reading = text === '' ? undefined : view.read(text)
    isKey = reading?.isKey === true
    found.replaceChildren()
    if (reading?.isKey === true) found.append(addressList(reading.addresses))
    if (reading === undefined) status.say(`Accepted: ${view.formats.join(', ')}.`)
    else if (reading.isKey) status.say('This is the key of the following wallet. Is it yours?')
    else status.say(reading.message, true)
    agree.refresh()
  }
  input.addEventListener('input', look)
  look()
  return {
    heading: 'Import a private key',
    content: [
      element('p', {}, 'The key stays in this window: the page that asked for the import never sees it.'),
      element(
        'div',
        { class: 'field' },
        element('label', { for: input.id }, 'Private key'),
        element('div', { class: 'field-row' }, input, unmask(input)),
      ),
      status.line,
      found,
      notice('calm', null, ['Anyone else who has this key still controls the wallet after the import.']),
    ],
    actions: [button('Cancel', 'plain', () => scope.finish(null)), agree.button],
    focusFirst: input,
  }
}

/**
 * No password field where the browser can mask another way: password managers would offer to keep the key. Spell checkers
 * of some browsers send what they check to a service.
 */
function keyInput(describedBy: string): HTMLInputElement {
  return element('input', {
    id: freshId('key'),
    class: 'key is-masked',
    type: canMask() ? 'text' : 'password',
    autocomplete: 'off',
    autocapitalize: 'none',
    autocorrect: 'off',
    spellcheck: 'false',
    translate: 'no',
    dir: 'ltr',
    'aria-describedby': describedBy,
    'data-1p-ignore': '',
    'data-lpignore': 'true',
    'data-bwignore': '',
  })
}

function unmask(input: HTMLInputElement): HTMLButtonElement {
  const toggle = button('Show', 'quiet', () => {
    const isMasked = input.classList.toggle('is-masked')
    if (!canMask()) input.type = isMasked ? 'password' : 'text'
    toggle.setAttribute('aria-pressed', String(!isMasked))
  })
  toggle.setAttribute('aria-pressed', 'false')
  return toggle
}

function canMask(): boolean {
  return CSS.supports('-webkit-text-security', 'disc')
}
