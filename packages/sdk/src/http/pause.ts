/** Resolves after so many milliseconds, or as soon as one of the signals aborts. */
export function pause(ms: number, ...signals: readonly (AbortSignal | undefined)[]): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      for (const signal of signals) signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    for (const signal of signals) {
      signal?.addEventListener('abort', end, { once: true })
      if (signal?.aborted) end()
    }
  })
}
