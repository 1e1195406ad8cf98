/**
 * Codes of six digits by email that open a recovery or a key transfer: caps on starting, five guesses, throttles on guessing.
 * @module
 */
export { codeMail, type MailText, mailTime, mailTimeHtml } from './code-mail.ts'
export { drawCode } from './draw-code.ts'
export type { CodePlace, CodeSubject } from './mailed-codes.store.ts'
export {
  type CodesCtx,
  checkStartCap,
  giveGuessBack,
  guessCode,
  makeCode,
  startWithCode,
  throttleGuesses,
} from './mailed-codes.ts'
