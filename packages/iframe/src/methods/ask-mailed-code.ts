import type { CodeView, Dialogs } from '../dialogs/dialogs.ts'
import { FrameFailure, isFailure } from '../frame-failure.ts'
import type { WaitingProcess } from './waiting-process.ts'

/** Guesses that the service allows for one code. */
const guessesMax = 5
const resendAfterMs = 30_000

const spentMessage = 'This code can no longer be used. Send a new one.'

/** How a code is emailed (`start` returns its process) and redeemed. */
export type MailedCode<value> = {
  readonly purpose: CodeView['purpose']
  readonly pageOrigin: string
  /** What remembers a process that waits; without it none can. */
  readonly waiting?: WaitingProcess
  start(): Promise<string>
  trade(processId: string, code: string): Promise<value>
}

/**
 * Emails a code, asks for it until a right one comes, and returns the service's answer. Closing the dialog is
 * `user_rejected`. A code that is spent (guessed too often, too old, its answer lost) can be sent anew.
 */
export async function askMailedCode<value>(
  dialogs: Dialogs,
  { purpose, pageOrigin, waiting, start, trade }: MailedCode<value>,
  signal: AbortSignal,
): Promise<value> {
  const earlier = await waiting?.find()
  let processId = earlier?.id ?? (await start())
  let guesses = 0
  const traded: value[] = []

  const asking = dialogs.askCode(
    {
      purpose,
      pageOrigin,
      resendAfterMs,
      ...(earlier !== undefined && { readyAt: earlier.readyAt }),
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
  const isRight = await asking.catch(async (error: unknown) => {
    const readyAt = isFailure(error, 'recovery_delayed', 'export_delayed')
      ? error.details?.['ready_at']
      : undefined
    if (waiting === undefined || typeof readyAt !== 'string') throw error
    waiting.keep(processId)
    return tellWait(dialogs, waiting, { pageOrigin, readyAt: new Date(readyAt) }, signal)
  })
  const [value] = traded
  if (!isRight || value === undefined) throw new FrameFailure('user_rejected')
  waiting?.forget()
  return value
}

/** Tells the person until when the process waits, and the page the same as a failure. */
async function tellWait(
  dialogs: Dialogs,
  { purpose }: WaitingProcess,
  { pageOrigin, readyAt }: { pageOrigin: string; readyAt: Date },
  signal: AbortSignal,
): Promise<never> {
  await dialogs.tellWait({ purpose, pageOrigin, readyAt }, signal)
  throw new FrameFailure(`${purpose}_delayed`, {
    message: 'This device is new to the wallet, so this has to wait.',
    details: { ready_at: readyAt.toISOString() },
  })
}
