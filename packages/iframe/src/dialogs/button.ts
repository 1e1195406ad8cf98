import { element } from './element.ts'

/** How a button looks: `main` is the one that agrees, `danger` the one that agrees to something grave. */
export type ButtonLook = 'main' | 'danger' | 'plain' | 'quiet'

/** A button that calls `onPress` whenever it is pressed. */
export function button(label: string, look: ButtonLook, onPress: () => void): HTMLButtonElement {
  const made = element('button', { type: 'button', class: `button button-${look}` }, label)
  made.addEventListener('click', () => {
    if (made.getAttribute('aria-disabled') !== 'true') onPress()
  })
  return made
}

/** Says that a button does nothing now, without taking the focus from it. */
export function setDisabled(target: HTMLButtonElement, isDisabled: boolean): void {
  if (isDisabled) target.setAttribute('aria-disabled', 'true')
  else target.removeAttribute('aria-disabled')
}
