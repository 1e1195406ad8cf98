import { element } from './element.ts'
import { visibleText } from './visible-text.ts'

const chunkLength = 4
/** Nobody compares a longer address piece by piece. */
const chunkedMax = 128

/**
 * An address in full, set in groups of four so that it can be compared with another one; selecting it copies it without
 * gaps. Its first and last group are stressed.
 */
export function addressText(address: string): HTMLElement {
  const shown = visibleText(address)
  const box = element('bdi', { class: 'address', dir: 'ltr', translate: 'no' })
  const characters = [...shown]
  if (characters.length > chunkedMax) {
    box.append(shown)
    return box
  }
  const prefix = shown.startsWith('0x') ? 2 : 0
  if (prefix > 0) box.append(element('span', { class: 'address-prefix' }, '0x'))
  for (let start = prefix; start < characters.length; start += chunkLength) {
    const isEdge = start === prefix || start + chunkLength >= characters.length
    box.append(
      element(
        'span',
        { class: isEdge ? 'chunk chunk-edge' : 'chunk' },
        characters.slice(start, start + chunkLength).join(''),
      ),
    )
  }
  return box
}
