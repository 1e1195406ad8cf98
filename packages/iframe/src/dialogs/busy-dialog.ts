import type { DialogParts } from './dialog-scope.ts'
import { element } from './element.ts'

/** Says that something takes time; nothing can be decided here. */
export function busyDialog(text: string): DialogParts {
  return {
    heading: text,
    content: [element('div', { class: 'spinner', role: 'progressbar', 'aria-label': 'In progress' })],
    actions: [],
  }
}
