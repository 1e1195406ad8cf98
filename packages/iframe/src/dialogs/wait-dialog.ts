import { button } from './button.ts'
import type { DialogParts, DialogScope } from './dialog-scope.ts'
import type { WaitView } from './dialogs.ts'
import { element } from './element.ts'
import { notice } from './notice.ts'

const words: Readonly<Record<WaitView['purpose'], readonly [heading: string, process: string]>> = {
  recovery: ['Your recovery has to wait', 'the recovery'],
  export: ['Your export has to wait', 'the export'],
}

/** Says until when a recovery or export from a new device waits. */
export function waitDialog({ purpose, readyAt }: WaitView, scope: DialogScope<void>): DialogParts {
  const [heading, process] = words[purpose]
  const at = readyAt.toLocaleString(undefined, { dateStyle: 'full', timeStyle: 'short' })
  return {
    heading,
    content: [
      element(
        'p',
        {},
        'You can finish this on ',
        element('strong', {}, element('time', {}, at)),
        '. We emailed you.',
      ),
      notice('calm', null, [
        'This device is new to your wallet. The wait protects you from anyone who can read your email.',
        'Come back in this browser within 24 hours after that time, and enter the same code again. Keep the email with it.',
        `If you did not start this, cancel ${process} with the link in the email.`,
      ]),
    ],
    actions: [button('OK', 'main', () => scope.finish())],
  }
}
