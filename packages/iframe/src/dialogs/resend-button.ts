import { button, setDisabled } from './button.ts'

const label = 'Send a new code'

/**
 * A button that asks for a new code at most every `afterMs`, and counts down until then. `send` rejects when none was
 * sent; the button can be pressed again at once after that.
 */
export function resendButton(
  afterMs: number,
  signal: AbortSignal,
  send: () => Promise<void>,
): HTMLButtonElement {
  let freeAt = performance.now() + afterMs
  let isSending = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const made = button(label, 'quiet', async () => {
    if (isSending) return
    isSending = true
    setDisabled(made, true)
    try {
      await send()
      freeAt = performance.now() + afterMs
    } catch {
      // `send` informed the person; no code was emailed.
    } finally {
      isSending = false
      update()
    }
  })
  const update = () => {
    clearTimeout(timer)
    if (signal.aborted || isSending) return
    const waitMs = freeAt - performance.now()
    setDisabled(made, waitMs > 0)
    made.textContent = waitMs > 0 ? `${label} in ${Math.ceil(waitMs / 1000)} s` : label
    if (waitMs > 0) timer = setTimeout(update, Math.min(waitMs, 1000))
  }
  signal.addEventListener('abort', () => clearTimeout(timer))
  update()
  return made
}
