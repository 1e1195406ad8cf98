import { button, setDisabled } from './button.ts'
import { codeField } from './code-field.ts'
import type { DialogParts, DialogScope } from './dialog-scope.ts'
import type { CodeView, DialogsOptions } from './dialogs.ts'
import { element, freshId } from './element.ts'
import { statusLine } from './notice.ts'
import { resendButton } from './resend-button.ts'
import { visibleText } from './visible-text.ts'

const codeDigits = 6
const texts: Readonly<Record<CodeView['purpose'], readonly [heading: string, aim: string]>> = {
  recovery: ['Recover your wallet on this device', 'It brings your wallet back on this device.'],
  export: ['Confirm that it is you', 'It lets this window show your private key.'],
  import: ['Confirm that it is you', 'It lets this window import your private key.'],
}

/** Asks for the emailed code until it is right, or the person gives up. */
export function codeDialog(
  view: CodeView,
  organization: DialogsOptions['organization'],
  scope: DialogScope<boolean>,
): DialogParts {
  const [heading, aim] = texts[view.purpose]
  const status = statusLine()
  const statusId = freshId('status')
  status.line.id = statusId
  let isChecking = false

  const setChecking = (isIt: boolean) => {
    isChecking = isIt
    field.setBusy(isIt)
    setDisabled(go, isIt)
    go.classList.toggle('is-busy', isIt)
  }
  const submit = async (code: string) => {
    if (isChecking) return
    if (code.length !== codeDigits) return status.say('The code has six digits.', true)
    setChecking(true)
    status.say('Checking the code…')
    try {
      const check = await view.check(code)
      if (scope.signal.aborted) return
      if (check.isRight) return scope.finish(true)
      setChecking(false)
      field.clear()
      field.input.focus()
      status.say(wrongText(check.message, check.attemptsLeft), true)
    } catch (error) {
      scope.fail(error)
    }
  }
  const field = codeField(statusId, submit)
  field.input.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && !event.repeat) void submit(field.input.value)
  })
  const go = button('Continue', 'main', () => void submit(field.input.value))
  const resend = resendButton(view.resendAfterMs, scope.signal, () => sendAgain(view, field, status))
  return {
    heading,
    content: [
      element(
        'p',
        {},
        view.readyAt !== undefined
          ? `You can finish this after ${timeText(view.readyAt)}. Enter the six-digit code that we emailed you when you started. `
          : 'We emailed you a six-digit code. ',
        aim,
      ),
      field.element,
      status.line,
      neverTell(organization),
      element('p', { class: 'under' }, resend),
    ],
    actions: [button('Cancel', 'plain', () => scope.finish(false)), go],
    focusFirst: field.input,
  }
}

async function sendAgain(
  view: CodeView,
  field: ReturnType<typeof codeField>,
  status: ReturnType<typeof statusLine>,
): Promise<void> {
  try {
    await view.resend()
    status.say('A new code is on its way. Older codes no longer work.')
    field.clear()
    field.input.focus()
  } catch (error) {
    status.say(error instanceof Error ? error.message : 'No code could be sent.', true)
    throw error
  }
}

function neverTell({ name, support_email }: DialogsOptions['organization']): HTMLElement {
  return element(
    'p',
    { class: 'fine' },
    `Never share this code. Nobody at ${visibleText(name)} will ask you for it.`,
    support_email === null ? '' : ` Questions: ${visibleText(support_email)}.`,
  )
}

const timeText = (at: Date): string => at.toLocaleString(undefined, { dateStyle: 'full', timeStyle: 'short' })

function wrongText(message: string, attemptsLeft: number | undefined): string {
  if (attemptsLeft === undefined) return message
  return `${message} ${attemptsLeft === 1 ? 'One try is' : `${attemptsLeft} tries are`} left.`
}
