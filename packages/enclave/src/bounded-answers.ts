import { frameBytesMax } from '@symbolon/crypto/node'
import type { Dispatch } from './dispatch.ts'

/** What waits for its frame may be as long before it is sent (`session.ts`), and there are headers and a tag. */
export const waitingBytesMax: number = 256 << 10
const restBytes = 1_024

/** The longest body of one answer. */
export const answerBytesMax: number = frameBytesMax - waitingBytesMax - restBytes

/**
 * A dispatch of which no answer is longer than a frame holds: what would be is `invalid_payload`, an error of its own request, where it
 * would otherwise end a connection that other organizations use.
 */
export function boundedAnswers(dispatch: Dispatch): Dispatch {
  return (code, body, writer) => {
    const from = writer.offset
    const outcome = dispatch(code, body, writer)
    return outcome === 'ok' && writer.offset - from > answerBytesMax ? 'invalid_payload' : outcome
  }
}
