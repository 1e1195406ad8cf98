import { wipe } from '@symbolon/crypto'
import { curveLabel, networks } from '@symbolon/networks/browser'
import { keySheet } from '../key-sheet.ts'
import { rebuildKey } from '../rebuild-key.ts'
import { RescueError } from '../rescue-error.ts'
import type { Share } from '../share.ts'
import { element } from './element.ts'
import { shareField } from './share-field.ts'
import { sheetView } from './sheet-view.ts'

const curves = [
  ['', 'Not sure: read it from the shares or the address'],
  ['secp256k1', `${curveLabel(networks, 'secp256k1')} (secp256k1)`],
  ['ed25519', `${curveLabel(networks, 'ed25519')} (ed25519)`],
] as const

/** Brings the page to life: two shares in, the keys of the wallet out, nothing sent or stored. */
export function rescuePage({ body }: Document): void {
  const first = shareField(1)
  const second = shareField(2)
  const address = element('input', { id: 'address', type: 'text', spellcheck: 'false', autocomplete: 'off' })
  const curve = element(
    'select',
    { id: 'curve' },
    ...curves.map(([value, label]) => element('option', { value }, label)),
  )
  const failure = element('p', { id: 'failure', class: 'notice bad', role: 'alert', hidden: '' })
  const form = element(
    'form',
    { autocomplete: 'off', novalidate: '' },
    first.node,
    second.node,
    labelled('An address of the wallet', 'Recommended: only the key of this address is accepted.', address),
    labelled('Networks of the wallet', null, curve),
    failure,
    element(
      'div',
      { class: 'row end' },
      element('button', { type: 'reset', class: 'quiet' }, 'Clear everything'),
      element('button', { type: 'submit', class: 'primary' }, 'Rebuild the key'),
    ),
  )
  const result = element('div', { id: 'result' })

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    result.replaceChildren()
    failure.hidden = true
    const a = first.read()
    const b = second.read()
    if (a === undefined || b === undefined)
      return (a === undefined ? first : second).node.querySelector('textarea')?.focus()
    try {
      result.replaceChildren(rebuiltSheet(a, b, { curve: curve.value, address: address.value }))
      result.querySelector('h2')?.focus()
    } catch (error) {
      if (!(error instanceof RescueError)) throw error
      failure.textContent = error.message
      failure.hidden = false
    } finally {
      wipe(a.bytes, b.bytes)
    }
  })
  form.addEventListener('reset', () => {
    first.clear()
    second.clear()
    failure.hidden = true
    result.replaceChildren()
  })
  // The back button must not bring back any input.
  window.addEventListener('pagehide', () => form.reset())
  body.querySelector('main')?.append(form, result)
}

/** Rebuilds the key, spells it out, and wipes it. */
function rebuiltSheet(a: Share, b: Share, asked: { curve: string; address: string }): HTMLElement {
  const curve = curves.flatMap(([value]) => (value !== '' && value === asked.curve ? [value] : []))[0]
  const rebuilt = rebuildKey(a, b, {
    ...(curve !== undefined && { curve }),
    ...(asked.address.trim() !== '' && { address: asked.address }),
  })
  try {
    return sheetView(keySheet(rebuilt))
  } finally {
    wipe(rebuilt.key)
  }
}

function labelled(label: string, hint: string | null, control: HTMLElement): HTMLElement {
  if (hint !== null) control.setAttribute('aria-describedby', `${control.id}-hint`)
  return element(
    'div',
    { class: 'field' },
    element('label', { for: control.id }, label),
    control,
    ...(hint === null ? [] : [element('p', { id: `${control.id}-hint`, class: 'state' }, hint)]),
  )
}
