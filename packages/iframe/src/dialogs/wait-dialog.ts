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
        'The code is right. Because this device is new to your wallet, you can finish from ',
        element('strong', {}, element('time', { datetime: readyAt.toISOString() }, at)),
        ' on, for 24 hours.',
      ),
      notice('calm', 'Then', [
        'Come back in this browser.',
        'Enter the same code again: keep the email with it.',
      ]),
      notice('warning', 'If you did not start this', [
        `Someone else can read your email. We emailed you about this, too: the link there cancels ${process}.`,
      ]),
    ],
    actions: [button('Got it', 'main', () => scope.finish())],
  }
}
