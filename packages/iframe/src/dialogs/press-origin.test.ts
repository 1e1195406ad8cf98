import { expect, test } from 'vitest'
import { watchPresses } from './press-origin.ts'

/** A frame of 460 to 640 in a window of 1600 to 900, and the events that it gets. */
function frame() {
  const target = Object.assign(new EventTarget(), {
    ...{ innerWidth: 460, innerHeight: 640, outerWidth: 1600, outerHeight: 900, screenX: 0, screenY: 0 },
  })
  const presses = watchPresses(target as unknown as Window, new AbortController().signal)
  const at = (timeStamp: number, type: string, more: object = {}) => {
    const event = new Event(type)
    for (const [name, value] of Object.entries({
      ...{ timeStamp, pointerType: 'mouse', repeat: false },
      ...{ clientX: 300, clientY: 600, screenX: 800, screenY: 700, relatedTarget: undefined },
      ...more,
    }))
      Object.defineProperty(event, name, { value })
    target.dispatchEvent(event)
  }
  return { at, beganAt: presses.beganAt }
}

test('a press counts where the pointer moved in the frame and has been there for half a second', () => {
  const { at, beganAt } = frame()
  at(1_000, 'pointerover')
  at(1_010, 'pointermove')
  at(1_400, 'pointerdown')
  expect(beganAt()).toBe(0)
  at(1_901, 'pointerdown')
  expect(beganAt()).toBe(1_901)
})

test('a frame that is moved away and back again gets no second press for a repeated one', () => {
  const { at, beganAt } = frame()
  at(1_000, 'pointerover')
  at(1_010, 'pointerdown')
  expect(beganAt()).toBe(0)
  at(1_050, 'pointerup')
  at(1_060, 'pointerout', { relatedTarget: null })
  at(1_700, 'pointerover')
  at(1_710, 'pointerdown')
  expect(beganAt()).toBe(0)
})

test('no key makes a refused press count while the button is held', () => {
  for (const key of ['w', 'Enter', ' ']) {
    const { at, beganAt } = frame()
    at(1_000, 'pointerover')
    at(1_010, 'pointerdown')
    at(1_020, 'keydown', { key })
    expect(beganAt()).toBe(0)
  }
})

test('Enter and Space press, a letter does not, and what repeats began elsewhere', () => {
  const { at, beganAt } = frame()
  at(1_000, 'keydown', { key: 'w' })
  expect(beganAt()).toBeUndefined()
  at(1_010, 'keydown', { key: 'Enter', repeat: true })
  expect(beganAt()).toBe(0)
  at(1_020, 'keydown', { key: ' ' })
  expect(beganAt()).toBe(1_020)
})
