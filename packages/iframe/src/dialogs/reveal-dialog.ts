import { addressList } from './address-list.ts'
import { button, setDisabled } from './button.ts'
import { copyText } from './copy-text.ts'
import type { DialogParts, DialogScope } from './dialog-scope.ts'
import type { KeyFormat, RevealView } from './dialogs.ts'
import { element } from './element.ts'
import { guardedButton } from './guarded-button.ts'
import { notice, statusLine } from './notice.ts'
import { secretBox } from './secret-box.ts'

/** A key on the screen is for writing down, not for leaving there, in milliseconds. */
const shownMs = 60_000

/** Shows a private key, hidden until asked for, in one spelling at a time. `onUse` when it was made visible or copied. */
export function revealDialog(view: RevealView, scope: DialogScope<void>, onUse: () => void): DialogParts {
  const status = statusLine()
  const box = secretBox()
  let format = view.formats[0]
  let timer: ReturnType<typeof setTimeout> | undefined

  const hide = () => {
    clearTimeout(timer)
    box.hide()
    toggle.button.textContent = 'Show key'
  }
  const show = (chosen: KeyFormat) => {
    onUse()
    box.show(chosen.text())
    toggle.button.textContent = 'Hide key'
    timer = setTimeout(hide, shownMs)
  }
  const toggle = guardedButton('Show key', 'main', scope, {}, () => {
    if (box.isShown()) hide()
    else if (format !== undefined) show(format)
  })
  const copy = guardedButton('Copy', 'plain', scope, {}, async () => {
    if (format === undefined) return
    onUse()
    if (!(await copyText(format.text())))
      return status.say('Your browser blocked copying. Show the key and copy it by hand.', true)
    if (scope.signal.aborted) return
    status.say('Copied. Other apps can read the clipboard: paste it, then clear it.')
    setDisabled(clear, false)
  })
  const clear = clearButton(status, scope.signal)
  const choose = (chosen: KeyFormat) => {
    format = chosen
    hide()
  }
  document.addEventListener('visibilitychange', hide, { signal: scope.signal })
  scope.signal.addEventListener('abort', () => {
    clearTimeout(timer)
    box.hide()
  })
  return {
    heading: 'Your private key',
    content: [
      notice('warning', null, [
        'Keep it where only you can read it. Anyone who sees it can take everything.',
      ]),
      ...(view.formats.length > 1 ? [formatChoice(view.formats, choose)] : []),
      box.element,
      element('div', { class: 'row' }, toggle.button, copy.button, clear),
      status.line,
      addressList(view.addresses),
    ],
    actions: [button('Done', 'plain', () => scope.finish())],
  }
}

/** Clears the clipboard; disabled until there is something to clear. */
function clearButton(status: ReturnType<typeof statusLine>, signal: AbortSignal): HTMLButtonElement {
  const clear = button('Clear clipboard', 'quiet', async () => {
    const isCleared = await copyText(' ')
    if (signal.aborted) return
    status.say(isCleared ? 'The clipboard is cleared.' : 'The clipboard could not be cleared.', !isCleared)
    setDisabled(clear, isCleared)
  })
  setDisabled(clear, true)
  return clear
}

function formatChoice(formats: readonly KeyFormat[], choose: (format: KeyFormat) => void): HTMLElement {
  const choices = formats.map((format, index) => {
    const choice = button(format.label, 'quiet', () => {
      for (const each of choices) each.setAttribute('aria-pressed', String(each === choice))
      choose(format)
    })
    choice.setAttribute('aria-pressed', String(index === 0))
    return choice
  })
  return element('div', { class: 'choice', role: 'group', 'aria-label': 'Format' }, ...choices)
}
