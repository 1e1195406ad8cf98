import { element } from './element.ts'
import { visibleText } from './visible-text.ts'

/** How loud a notice is. */
export type NoticeLook = 'warning' | 'danger' | 'calm'

/** A text that stands out of a dialog's content; `items` as a list where there are several. */
export function notice(look: NoticeLook, title: string | null, items: readonly string[]): HTMLElement {
  const [only = ''] = items
  const body =
    items.length > 1
      ? element('ul', {}, ...items.map((item) => element('li', { dir: 'auto' }, visibleText(item))))
      : element('p', { dir: 'auto' }, visibleText(only))
  return element(
    'section',
    { class: `notice notice-${look}` },
    title === null ? null : element('h2', { class: 'notice-title' }, title),
    body,
  )
}

/** The status line of a dialog; screen readers announce its changes, and it scrolls into view. */
export function statusLine(): { readonly line: HTMLElement; say(text: string, isProblem?: boolean): void } {
  const line = element('p', { class: 'status', role: 'status', dir: 'auto' })
  const say = (text: string, isProblem = false) => {
    line.classList.toggle('is-problem', isProblem)
    line.textContent = visibleText(text)
    if (text !== '') line.scrollIntoView({ block: 'nearest' })
  }
  return { line, say }
}
