/** Whether a pointer came to where it presses, or what is pressed came to the pointer: a page can move the frame under it. */
export type PointerArrival = {
  /** Asked once for each `pointerdown`, in order. */
  isMeant(press: PointerEvent): boolean
}

/** How long a pointer has to be in a frame that does not cover the window, and a window has to stand, before a press counts, in milliseconds. */
const dwellMs = 500
const lookMs = 100
/** Of the window: a frame of this size covers it. Browsers have bars of their own, most of them at the top. */
const [wide, high] = [0.95, 0.6]
const tolerancePx = 24

/**
 * Watches the pointers of a window until `signal` aborts. A mouse that presses without having moved over its target did not come to it: the
 * frame was moved, or a dialog opened. A frame that does not cover the window can be moved, so the pointer must be in it for half a second
 * before it presses. A window that has moved was perhaps moved under the pointer, as a page can do with its popups: it must stand for half a
 * second. A refused press counts as an arrival:
 * the next one, half a second later, is accepted, if the pointer has not left and the window has not moved meanwhile.
 */
export function watchArrival(target: Window, signal: AbortSignal): PointerArrival {
  let hasMoved = false
  let enteredAt: number | undefined
  let freeFrom: number | undefined
  let refusedAt: number | undefined
  let place = placeOf(target)
  let stillFrom = 0
  const look = (now: number) => {
    if (place === placeOf(target)) return
    place = placeOf(target)
    stillFrom = now + dwellMs
    refusedAt = undefined
  }
  const timer = setInterval(() => look(performance.now()), lookMs)
  signal.addEventListener('abort', () => clearInterval(timer))
  const enter = (event: PointerEvent) => {
    if (enteredAt !== undefined) return
    enteredAt = event.timeStamp
    freeFrom = event.timeStamp + (coversWindow(target, event) ? 0 : dwellMs)
  }
  const options = { capture: true, signal }
  const over = (event: PointerEvent) => {
    hasMoved = false
    enter(event)
  }
  const move = (event: PointerEvent) => {
    hasMoved = true
    enter(event)
  }
  const out = ({ relatedTarget }: PointerEvent) => {
    if (relatedTarget !== null) return
    enteredAt = undefined
    refusedAt = undefined
  }
  target.addEventListener('pointerover', over, options)
  target.addEventListener('pointermove', move, options)
  target.addEventListener('pointerout', out, options)
  return {
    isMeant(press) {
      enter(press)
      const { timeStamp, pointerType } = press
      look(timeStamp)
      const isHere = pointerType !== 'mouse' || hasMoved
      const isRepeated = refusedAt !== undefined && timeStamp >= refusedAt + dwellMs
      if ((isHere && timeStamp >= Math.max(freeFrom ?? 0, stillFrom)) || isRepeated) return true
      refusedAt = timeStamp
      return false
    },
  }
}

const placeOf = ({ screenX, screenY }: Window): string => `${screenX} ${screenY}`

/** Whether the frame has the size of the browser's window, and stands where that is on the screen. */
function coversWindow(target: Window, { screenX, screenY, clientX, clientY }: PointerEvent): boolean {
  const { innerWidth, innerHeight, outerWidth, outerHeight } = target
  const [left, top] = [screenX - clientX - target.screenX, screenY - clientY - target.screenY]
  const isAside = Math.abs(left) > outerWidth - innerWidth + tolerancePx
  const isBelow = top < -tolerancePx || top > outerHeight - innerHeight + tolerancePx
  return innerWidth >= wide * outerWidth && innerHeight >= high * outerHeight && !isAside && !isBelow
}
