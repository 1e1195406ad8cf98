import { watchArrival } from './pointer-arrival.ts'

/** The time when the press behind a click began, so that a held key or button decides nothing. */
export type PressOrigin = {
  /**
   * In milliseconds of `performance.now()`; `undefined` for a click without a press (assistive technology), 0 for a press that
   * was meant for something else.
   */
  beganAt(): number | undefined
}

/** The keys that press a button. */
const pressingKeys = new Set(['Enter', ' '])

/**
 * Watches the presses of a window until `signal` aborts. A key that already repeats when it is first seen began before
 * the frame had the focus: its time is 0.
 */
export function watchPresses(target: Window, signal: AbortSignal): PressOrigin {
  let beganAt: number | undefined
  let releases = 0
  let isDown = false
  const began = (at: number) => {
    beganAt = at
    releases += 1
  }
  const released = () => {
    // A click follows its release within the same task or the next one.
    const release = ++releases
    setTimeout(() => {
      if (release === releases) beganAt = undefined
    }, 0)
  }
  const options = { capture: true, signal }
  target.addEventListener(
    'keydown',
    (event) => {
      // Another key presses nothing, and none replaces a button that is held.
      if (isDown || !pressingKeys.has(event.key)) return
      if (!event.repeat) began(event.timeStamp)
      else beganAt ??= 0
    },
    options,
  )
  const arrival = watchArrival(target, signal)
  target.addEventListener(
    'pointerdown',
    (event) => {
      isDown = true
      began(arrival.isMeant(event) ? event.timeStamp : 0)
    },
    options,
  )
  const up = () => {
    isDown = false
  }
  target.addEventListener('pointerup', up, options)
  target.addEventListener('pointercancel', up, options)
  target.addEventListener('keyup', released, options)
  target.addEventListener('pointerup', released, options)
  target.addEventListener('pointercancel', released, options)
  return { beganAt: () => beganAt }
}
