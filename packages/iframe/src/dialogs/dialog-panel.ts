import type { DialogParts } from './dialog-scope.ts'
import type { DialogsOptions } from './dialogs.ts'
import { element, freshId } from './element.ts'
import { visibleText } from './visible-text.ts'

/** The empty panel of a dialog: who asks on top, a content that scrolls, actions that do not. */
export type DialogPanel = {
  readonly element: HTMLElement
  readonly heading: HTMLElement
  readonly scroller: HTMLElement
  readonly actions: HTMLElement
  /** Stands after the content, so that seeing it means that all was in view. */
  readonly end: HTMLElement
  fill(parts: DialogParts): void
}

/** A panel in the organization's name, for a request by the page of an origin. */
export function dialogPanel(organization: DialogsOptions['organization'], page: string | null): DialogPanel {
  const headingId = freshId('heading')
  const heading = element('h1', { id: headingId, tabindex: '-1', class: 'heading', dir: 'auto' })
  const end = element('div', { class: 'end', 'aria-hidden': 'true' })
  const scroller = element('div', { class: 'content' })
  const footer = element('footer', { class: 'actions' })
  const panel = element(
    'div',
    { class: 'panel', role: 'dialog', 'aria-modal': 'true', 'aria-labelledby': headingId },
    header(organization.name, page),
    scroller,
    footer,
  )
  const fill = ({ eyebrow, heading: title, content, actions }: DialogParts) => {
    heading.append(visibleText(title))
    if (eyebrow !== undefined) scroller.append(element('p', { class: 'eyebrow' }, eyebrow))
    scroller.append(heading, ...content, end)
    if (actions.length === 0) footer.remove()
    else footer.append(...actions)
    keepScrollable(scroller)
  }
  return { element: panel, heading, scroller, actions: footer, end, fill }
}

function header(name: string, page: string | null): HTMLElement {
  const shown = visibleText(name)
  const initial = [...shown.trim()][0]?.toUpperCase() ?? ''
  return element(
    'header',
    { class: 'head' },
    element('span', { class: 'mark', 'aria-hidden': 'true' }, initial),
    element(
      'div',
      { class: 'head-texts' },
      element('bdi', { class: 'organization', translate: 'no' }, shown),
      page === null ? null : element('span', { class: 'page' }, 'asked by ', originText(page)),
    ),
  )
}

/** An origin in full; the host stands out, because the scheme and the port of a look-alike may be right. */
function originText(origin: string): HTMLElement {
  const at = origin.indexOf('://')
  const scheme = at < 0 ? '' : origin.slice(0, at + 3)
  return element(
    'bdi',
    { class: 'origin', dir: 'ltr', translate: 'no' },
    visibleText(scheme),
    element('strong', {}, visibleText(origin.slice(scheme.length))),
  )
}

/** Overflowing content is reachable by keyboard (WCAG 2.2, 2.1.1). */
function keepScrollable(scroller: HTMLElement): void {
  const update = () => {
    const isOverflowing = scroller.scrollHeight > scroller.clientHeight + 1
    if (isOverflowing) scroller.setAttribute('tabindex', '0')
    else scroller.removeAttribute('tabindex')
  }
  new ResizeObserver(update).observe(scroller)
}
