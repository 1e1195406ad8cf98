import { RescueError } from '../rescue-error.ts'
import { parseShare, type Share } from '../share.ts'
import { element } from './element.ts'

/** One of the two share inputs. */
export type ShareField = {
  readonly node: HTMLElement
  /** The share, or `undefined` after showing the problem beside the field. */
  read(): Share | undefined
  clear(): void
}

type Parts = ReturnType<typeof fieldParts>

/** A field that takes a share by typing, pasting, a file, or a file dropped on it; its content is masked. */
export function shareField(number: number): ShareField {
  const parts = fieldParts(number)
  const { text, shown, file, node } = parts

  text.addEventListener('input', () => {
    if (text.value.trim() === '') describe(parts, '', 'none')
    else read(parts)
  })
  shown.addEventListener('change', () => text.classList.toggle('masked', !shown.checked))
  file.addEventListener('change', () => {
    void take(parts, file.files?.item(0)).then(() => {
      file.value = ''
    })
  })
  node.addEventListener('dragover', (event) => {
    event.preventDefault()
    node.classList.add('over')
  })
  node.addEventListener('dragleave', () => node.classList.remove('over'))
  node.addEventListener('drop', (event) => {
    event.preventDefault()
    node.classList.remove('over')
    void take(parts, event.dataTransfer?.files.item(0))
  })

  return {
    node,
    read: () => read(parts),
    clear() {
      text.value = ''
      shown.checked = false
      text.classList.add('masked')
      describe(parts, '', 'none')
    },
  }
}

function fieldParts(number: number) {
  const id = `share-${number}`
  const text = element('textarea', {
    id,
    rows: '2',
    class: 'masked',
    spellcheck: 'false',
    autocomplete: 'off',
    autocapitalize: 'off',
    autocorrect: 'off',
    placeholder: 'Base64, or the content of a share file',
    'aria-describedby': `${id}-state`,
  })
  const state = element('p', { id: `${id}-state`, class: 'state', role: 'status' })
  const file = element('input', {
    type: 'file',
    id: `${id}-file`,
    class: 'file',
    accept: '.json,.txt,text/plain',
  })
  const choose = element('label', { for: `${id}-file`, class: 'button quiet' }, 'Choose a file')
  const shown = element('input', { type: 'checkbox', id: `${id}-shown` })
  const show = element('label', { for: `${id}-shown`, class: 'check' }, shown, 'Show')
  const node = element(
    'div',
    { class: 'field' },
    element('div', { class: 'row' }, element('label', { for: id }, `Share ${number}`), show),
    text,
    element('div', { class: 'row' }, state, element('span', { class: 'picker' }, file, choose)),
  )
  return { text, state, file, shown, node }
}

function describe({ state, text }: Parts, message: string, kind: 'good' | 'bad' | 'none'): void {
  state.textContent = message
  state.dataset['kind'] = kind
  text.setAttribute('aria-invalid', String(kind === 'bad'))
}

function read(parts: Parts): Share | undefined {
  try {
    const share = parseShare(parts.text.value)
    const { walletId, polynomialVersion } = share.origin
    const version = polynomialVersion === undefined ? '' : `, version ${polynomialVersion}`
    const wallet = walletId === undefined ? '' : `, wallet ${walletId}`
    describe(parts, `Index ${share.index}${version}${wallet}`, 'good')
    return share
  } catch (error) {
    if (!(error instanceof RescueError)) throw error
    describe(parts, error.message, 'bad')
    return undefined
  }
}

async function take(parts: Parts, file: File | null | undefined): Promise<void> {
  if (!file) return
  if (file.size > 16_384) return describe(parts, 'This file is too large for a share.', 'bad')
  parts.text.value = (await file.text()).trim()
  read(parts)
}
