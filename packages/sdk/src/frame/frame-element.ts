/** The element of the frame: invisible until shown, then over the whole page, above all other content; a strip lies at its edge. */
export type FrameElement = {
  readonly iframe: HTMLIFrameElement
  readonly show: (isOpen: boolean) => void
  readonly showStrip: (isOpen: boolean) => void
  readonly isConnected: () => boolean
  readonly remove: () => void
}

const title = 'Wallet'
const style = `
  dialog { all: initial; display: block; position: fixed; inset: 0 auto auto 0; width: 0; height: 0; overflow: hidden;
    visibility: hidden; color-scheme: light dark; }
  dialog.strip { inset: auto 16px 16px auto; width: min(380px, calc(100% - 32px)); height: 104px; visibility: visible;
    pointer-events: none; z-index: 2147483647; }
  dialog[open] { inset: 0; width: 100%; height: 100%; max-width: none; max-height: none; visibility: visible; pointer-events: auto; }
  dialog::backdrop { background: none; }
  iframe { display: block; width: 100%; height: 100%; border: 0; background: none; color-scheme: light dark; }`

/**
 * Puts the frame on the page. It sits in a modal `<dialog>` of a shadow tree: so it is above other dialogs of the page and
 * the only thing that takes input while shown, the page's styles do not reach it, the page's scrolling stays as it is, and
 * the browser gives the focus back afterwards. The style goes by CSSOM, which a strict `style-src` does not forbid.
 */
export function frameElement(document: Document, url: string): FrameElement {
  const host = document.createElement('div')
  host.dataset['symbolon'] = 'wallet'
  const shadow = host.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(style)
  shadow.adoptedStyleSheets = [sheet]
  const dialog = document.createElement('dialog')
  dialog.setAttribute('aria-label', title)
  dialog.setAttribute('closedby', 'none')
  const iframe = document.createElement('iframe')
  iframe.title = title
  // The frame is another origin: its own storage and scripts, its buttons' forms, the clipboard for addresses, no more.
  iframe.setAttribute('sandbox', 'allow-scripts allow-same-origin allow-forms')
  iframe.allow = 'clipboard-write'
  iframe.referrerPolicy = 'no-referrer'
  iframe.src = url
  dialog.append(iframe)
  shadow.append(dialog)

  let isShown = false
  dialog.addEventListener('cancel', (event) => event.preventDefault())
  // A browser may close a modal on its own (a second Escape): only the frame says when its dialog has ended.
  dialog.addEventListener('close', () => {
    if (isShown && dialog.isConnected) dialog.showModal()
  })
  ;(document.body ?? document.documentElement).append(host)

  return {
    iframe,
    isConnected: () => iframe.isConnected,
    show(isOpen) {
      isShown = isOpen
      if (isOpen && !dialog.open && dialog.isConnected) dialog.showModal()
      if (isOpen) iframe.focus()
      if (!isOpen && dialog.open) dialog.close()
    },
    showStrip: (isOpen) => void dialog.classList.toggle('strip', isOpen),
    remove() {
      isShown = false
      if (dialog.open) dialog.close()
      host.remove()
    },
  }
}
