import { createHash } from 'node:crypto'
import { Message } from '@a2a-js/sdk'
import type { A2aCaller } from './a2a-ports.ts'

/**
 * What a message is known by: its id with all that it says. A caller that uses an id twice for different messages has sent two. What an
 * agent sends for one of its runs is none of another run's.
 */
export function messageHash(message: Message, { delegate }: A2aCaller): Buffer {
  const told = [delegate?.parentRunId ?? null, Message.toJSON(message)]
  return createHash('sha256').update(JSON.stringify(told)).digest()
}
