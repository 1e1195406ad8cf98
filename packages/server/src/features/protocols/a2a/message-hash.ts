import { createHash } from 'node:crypto'
import { Message } from '@a2a-js/sdk'
import type { AgentCaller } from '../called-agent.ts'

/**
 * Identifies a message by its id and contents: a caller that uses an id for two different messages has sent two. The messages that an agent
 * sends for different runs of its own are different ones.
 */
export function messageHash(message: Message, { delegate }: AgentCaller): Buffer {
  const identity = [delegate?.parentRunId ?? null, Message.toJSON(message)]
  return createHash('sha256').update(JSON.stringify(identity)).digest()
}
