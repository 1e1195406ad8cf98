/**
 * Watches until `signal` aborts whether the end of a scrolling content was in view; `onEnd` once, when it was. A frame
 * without any size shows nothing: its content counts as unread.
 */
export function watchReadingEnd(
  scroller: HTMLElement,
  end: HTMLElement,
  signal: AbortSignal,
  onEnd: () => void,
): { isReached(): boolean } {
  let isReached = false
  const observer = new IntersectionObserver(
    (entries) => {
      if (isReached || scroller.clientHeight === 0 || !entries.some((entry) => entry.isIntersecting)) return
      isReached = true
      observer.disconnect()
      onEnd()
    },
    // The end has no height, and what is scrolled to the end may stop a fraction of a pixel before it.
    { root: scroller, rootMargin: '0px 0px 4px 0px' },
  )
  observer.observe(end)
  signal.addEventListener('abort', () => observer.disconnect())
  return { isReached: () => isReached }
}
