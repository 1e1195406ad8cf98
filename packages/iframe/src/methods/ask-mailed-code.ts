import type { CodeView, Dialogs } from '../dialogs/dialogs.ts'
import { FrameFailure, isFailure } from '../frame-failure.ts'

/** Guesses that the service allows for one code. */
const guessesMax = 5
const resendAfterMs = 30_000

const spentMessage = 'This code can no longer be used. Send a new one.'

/** How a code is emailed (`start` returns its process) and redeemed. */
export type MailedCode<value> = {
  readonly purpose: CodeView['purpose']
  readonly pageOrigin: string
  start(): Promise<string>
  trade(processId: string, code: string): Promise<value>
}

/**
 * Emails a code, asks for it until a right one comes, and returns the service's answer. Closing the dialog is
 * `user_rejected`. A code that is spent (guessed too often, too old, its answer lost) can be sent anew.
 */
export async function askMailedCode<value>(
  dialogs: Dialogs,
  { purpose, pageOrigin, start, trade }: MailedCode<value>,
  signal: AbortSignal,
): Promise<value> {
  let processId = await start()
  let guesses = 0
  const traded: value[] = []

  const isRight = await dialogs.askCode(
    {
      purpose,
      pageOrigin,
      resendAfterMs,
      async check(code) {
        try {
          traded.push(await trade(processId, code))
          return { isRight: true }
        } catch (error) {
          if (isFailure(error, 'invalid_code')) {
            guesses++
            const attemptsLeft = Math.max(guessesMax - guesses, 0)
            const message = attemptsLeft === 0 ? spentMessage : error.message
            return { isRight: false, message, attemptsLeft }
          }
          if (isFailure(error, 'process_state', 'expired')) return { isRight: false, message: spentMessage }
          if (isFailure(error, 'network_failed', 'unavailable', 'rate_limited', 'recovery_webhook_failed'))
            return { isRight: false, message: error.message }
          throw error
        }
      },
      async resend() {
        processId = await start()
        guesses = 0
      },
    },
    signal,
  )
  const [value] = traded
  if (!isRight || value === undefined) throw new FrameFailure('user_rejected')
  return value
}
