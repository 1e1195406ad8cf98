/** Work that is done over and over while it is started; `stop` waits for the pass that is under way. */
export type Poller = { start(): void; stop(): Promise<void> }

/** Makes one: each pass begins `periodMs` after the one before has ended; what one throws goes to `onError`, and the next one comes. */
export function poller({
  periodMs,
  pass,
  onError,
}: {
  periodMs: number
  pass: () => Promise<unknown>
  onError: (error: unknown) => void
}): Poller {
  let isStarted = false
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  const plan = () => {
    timer = setTimeout(() => {
      running = run()
    }, periodMs)
  }
  const run = async () => {
    await pass().catch(onError)
    if (isStarted) plan()
  }
  return {
    start() {
      if (isStarted) return
      isStarted = true
      plan()
    },
    async stop() {
      isStarted = false
      clearTimeout(timer)
      await running
    },
  }
}
