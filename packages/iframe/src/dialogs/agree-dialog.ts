import { addressList } from './address-list.ts'
import { button } from './button.ts'
import type { DialogParts, DialogScope } from './dialog-scope.ts'
import type { AgreeView } from './dialogs.ts'
import { element } from './element.ts'
import { guardedButton } from './guarded-button.ts'
import { notice } from './notice.ts'

type Words = {
  readonly heading: string
  readonly does: string
  readonly look: 'danger' | 'warning'
  readonly title: string
  readonly effects: readonly string[]
  readonly agree: string
}

const words: Readonly<Record<AgreeView['subject'], Words>> = {
  wipe: {
    heading: 'Remove your wallet from this browser?',
    does: 'This page asks to delete what this browser needs to sign with your wallet.',
    look: 'danger',
    title: 'This browser can no longer sign',
    effects: [
      'Your wallet and what it holds stay where they are.',
      'To use the wallet here again, recover it with a code that we email you. Make sure that you can read that email.',
    ],
    agree: 'Remove',
  },
  refresh: {
    heading: 'Renew your wallet key on this device?',
    does: 'This page asks to replace all parts of your key with new ones. Your addresses stay the same.',
    look: 'warning',
    title: 'Your other devices can no longer sign',
    effects: ['To use the wallet on them again, recover it there with a code that we email you.'],
    agree: 'Renew',
  },
}

/** Asks about a change to this device's part of a key, in the frame's own words. */
export function agreeDialog({ subject, addresses }: AgreeView, scope: DialogScope<boolean>): DialogParts {
  const { heading, does, look, title, effects, agree } = words[subject]
  const main = look === 'danger' ? 'danger' : 'main'
  const yes = guardedButton(agree, main, scope, {}, () => scope.finish(true))
  return {
    heading,
    content: [
      element('p', {}, does),
      notice(look, title, effects),
      ...(addresses.length === 0 ? [] : [addressList(addresses)]),
    ],
    actions: [button('Cancel', 'plain', () => scope.finish(false)), yes.button],
  }
}
