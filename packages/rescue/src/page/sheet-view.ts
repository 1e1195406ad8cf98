import { addressLabel, networks } from '@symbolon/networks/browser'
import type { KeySheet, KeySheetEntry } from '../key-sheet.ts'
import { element } from './element.ts'

const masked = '•'.repeat(24)

/** The rebuilt wallet as cards, one per network; each private key stays hidden until it is asked for. */
export function sheetView(sheet: KeySheet): HTMLElement {
  const warning =
    sheet.warning === null
      ? element(
          'p',
          { class: 'notice good' },
          'This is the key of your wallet: its public key or address proves it.',
        )
      : element(
          'p',
          { class: 'notice bad', role: 'alert' },
          element('strong', {}, 'Unproven key. '),
          sheet.warning,
        )
  return element(
    'section',
    { class: 'sheet', 'aria-labelledby': 'sheet-title' },
    element('h2', { id: 'sheet-title', tabindex: '-1' }, 'Your wallet'),
    warning,
    element(
      'p',
      {},
      'Import each key into a wallet of its network, check that it shows the same address, then move the funds to a new wallet: this key is no longer split.',
    ),
    element('div', { class: 'cards' }, ...sheet.networks.map(card)),
    element('dl', { class: 'public' }, ...pair('Public key', sheet.publicKey)),
  )
}

function card({ network, label, privateKey, addresses }: KeySheetEntry): HTMLElement {
  const output = element('output', { id: `key-${network}`, class: 'value secret' }, masked)
  const show = element(
    'button',
    { type: 'button', class: 'quiet', 'aria-pressed': 'false', 'aria-controls': `key-${network}` },
    'Show',
  )
  show.setAttribute('aria-label', `Show the private key for ${label}`)
  show.addEventListener('click', () => {
    const isShown = show.getAttribute('aria-pressed') !== 'true'
    show.setAttribute('aria-pressed', String(isShown))
    show.textContent = isShown ? 'Hide' : 'Show'
    output.textContent = isShown ? privateKey : masked
  })
  return element(
    'article',
    { class: 'card' },
    element('h3', {}, label),
    element(
      'dl',
      {},
      ...Object.entries(addresses).flatMap(([name, address]) => pair(addressLabel(networks, name), address)),
    ),
    element(
      'div',
      { class: 'row key' },
      element('span', { class: 'name' }, 'Private key'),
      show,
      copy(privateKey, label),
    ),
    output,
  )
}

function copy(text: string, label: string): HTMLButtonElement {
  const button = element('button', { type: 'button', class: 'quiet' }, 'Copy')
  button.setAttribute('aria-label', `Copy the private key for ${label}`)
  button.addEventListener('click', () => {
    navigator.clipboard.writeText(text).then(
      () => {
        button.textContent = 'Copied'
        setTimeout(() => {
          button.textContent = 'Copy'
        }, 2_000)
      },
      () => {
        button.textContent = 'Show it and copy by hand'
      },
    )
  })
  return button
}

function pair(name: string, value: string): HTMLElement[] {
  return [element('dt', {}, name), element('dd', { class: 'value' }, value)]
}
