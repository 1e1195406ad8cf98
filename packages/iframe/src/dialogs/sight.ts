/** The fields newer browsers report of an observed element (Intersection Observer v2); the type library lacks them. */
type SightEntry = IntersectionObserverEntry & { readonly isVisible?: boolean }
type SightOptions = IntersectionObserverInit & { trackVisibility: boolean; delay: number }

/** Whether a person can see a dialog in full, and since when. */
export type Sight = {
  /** When it became visible in full, in milliseconds of `performance.now()`; `undefined` while it is not. */
  since(): number | undefined
}

/** The shortest that the specification allows (Intersection Observer v2, `delay`). */
const delayMs = 100
/** Not 1: pixels of a scaled screen are fractions. */
const wholly = 0.99

/**
 * Watches whether an element is on the screen in full until `signal` aborts, `onChange` after each change. Where the
 * browser can tell, that also means that nothing of the page lies over it and that the page did not make it see-through,
 * shrink or distort it. A resized frame starts anew: what was under the pointer has moved.
 */
export function watchSight(watched: Element, signal: AbortSignal, onChange: () => void): Sight {
  let since: number | undefined
  let isSeen = false
  const update = (isAnew = false) => {
    const isVisible = isSeen && document.visibilityState === 'visible'
    if (isVisible === (since !== undefined) && !isAnew) return
    since = isVisible ? performance.now() : undefined
    onChange()
  }
  const options: SightOptions = { threshold: [0, wholly, 1], trackVisibility: true, delay: delayMs }
  const observer = new IntersectionObserver((entries: readonly SightEntry[]) => {
    const entry = entries.at(-1)
    if (entry === undefined) return
    isSeen = entry.intersectionRatio >= wholly && entry.isVisible !== false
    update()
  }, options)
  observer.observe(watched)
  window.addEventListener('resize', () => update(true), { signal })
  document.addEventListener('visibilitychange', () => update(), { signal })
  signal.addEventListener('abort', () => observer.disconnect())
  return { since: () => since }
}
