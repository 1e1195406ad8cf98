import { element } from './element.ts'

/** A place where a secret is seen only while it is shown; hidden, nothing of it is in the document. */
export type SecretBox = {
  readonly element: HTMLElement
  isShown(): boolean
  show(secret: string): void
  hide(): void
}

/** A `SecretBox`, hidden. */
export function secretBox(): SecretBox {
  const text = new Text()
  const output = element('output', { class: 'secret-text', dir: 'ltr', translate: 'no' }, text)
  const cover = element('p', { class: 'secret-cover' }, 'Hidden')
  const box = element('div', { class: 'secret' }, output, cover)
  return {
    element: box,
    isShown: () => text.data !== '',
    show(secret) {
      text.data = secret
      cover.hidden = true
    },
    hide() {
      text.data = ''
      cover.hidden = false
    },
  }
}
