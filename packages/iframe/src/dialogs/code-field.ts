import { element, freshId } from './element.ts'

const codeLength = 6

/** A field for a code of six digits; spaces and dashes of a pasted one are left out. `onFull` with each full code. */
export type CodeField = {
  readonly element: HTMLElement
  readonly input: HTMLInputElement
  clear(): void
  setBusy(isBusy: boolean): void
}

/** Makes a `CodeField`, which browsers and phones can fill from the email by themselves. */
export function codeField(describedBy: string, onFull: (code: string) => void): CodeField {
  const id = freshId('code')
  const input = element('input', {
    id,
    class: 'code',
    type: 'text',
    inputmode: 'numeric',
    autocomplete: 'one-time-code',
    autocapitalize: 'none',
    spellcheck: 'false',
    'aria-describedby': describedBy,
  })
  let last = ''
  input.addEventListener('input', () => {
    const digits = input.value.replace(/\D/g, '').slice(0, codeLength)
    if (input.value !== digits) input.value = digits
    if (digits.length === codeLength && digits !== last) onFull(digits)
    last = digits
  })
  return {
    element: element('div', { class: 'field' }, element('label', { for: id }, 'Six-digit code'), input),
    input,
    clear() {
      input.value = ''
      last = ''
    },
    setBusy(isBusy) {
      input.readOnly = isBusy
      input.setAttribute('aria-busy', String(isBusy))
    },
  }
}
