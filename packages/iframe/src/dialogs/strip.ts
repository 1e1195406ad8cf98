import { element } from './element.ts'
import { visibleText } from './visible-text.ts'

/** Long enough to read it twice, in milliseconds. */
const stripMs = 8_000

/** Two lines at the edge of the page that ask nothing. */
export type StripText = { readonly title: string; readonly text: string }

/** The strip of a frame: one at a time, the newest. */
export type Strip = { show(text: StripText): void; hide(): void }

/**
 * Makes the strip below `root`. `onShow` says when it is shown and when no more; the page lays the frame at its edge meanwhile and
 * takes every press itself.
 */
export function createStrip(root: HTMLElement, onShow: (isShown: boolean) => void): Strip {
  let timer: ReturnType<typeof setTimeout> | undefined
  let shown: HTMLElement | undefined

  const hide = () => {
    clearTimeout(timer)
    if (shown === undefined) return
    shown.remove()
    shown = undefined
    onShow(false)
  }
  return {
    show({ title, text }) {
      const isNew = shown === undefined
      clearTimeout(timer)
      shown?.remove()
      shown = element(
        'section',
        { class: 'strip', role: 'status', dir: 'auto' },
        element('strong', {}, visibleText(title)),
        element('p', {}, visibleText(text)),
      )
      root.append(shown)
      if (isNew) onShow(true)
      timer = setTimeout(hide, stripMs)
    },
    hide,
  }
}
