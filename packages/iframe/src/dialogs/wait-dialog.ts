import { button } from './button.ts'
import type { DialogParts, DialogScope } from './dialog-scope.ts'
import type { WaitView } from './dialogs.ts'
import { element } from './element.ts'
import { notice } from './notice.ts'

const words: Readonly<Record<WaitView['purpose'], readonly [heading: string, process: string]>> = {
  recovery: ['Your recovery has to wait', 'the recovery'],
  export: ['Your export has to wait', 'the export'],
}

/** Says until when a recovery or export from a new device waits, and how it goes on. */
export function waitDialog({ purpose, readyAt }: WaitView, scope: DialogScope<void>): DialogParts {
  const [heading, process] = words[purpose]
  const at = readyAt.toLocaleString(undefined, { dateStyle: 'full', timeStyle: 'short' })
  return {
    heading,
    content: [
      element(
        'p',
        {},
        'The code is right, but this device is new to your wallet. You can finish in the 24 hours after ',
        element('strong', {}, element('time', { datetime: readyAt.toISOString() }, at)),
        '.',
      ),
      notice('calm', 'What to do then', [
        'Come back in this browser.',
        'Enter the same code again. Keep the email that has it.',
      ]),
      notice('warning', 'If you did not start this', [
        `Someone else can read your email. Cancel ${process} with the link in the email that we just sent you.`,
      ]),
    ],
    actions: [button('Got it', 'main', () => scope.finish())],
  }
}
