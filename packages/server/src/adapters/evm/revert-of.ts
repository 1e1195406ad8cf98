import { decodeRevert, type Hex } from '@symbolon/networks/evm'
import type { JsonRpcRefusal } from './json-rpc.ts'
import { shortened } from './masked-text.ts'

/** A contract's refusal: its reason for people, and the data where the node gives it. */
export type Revert = { reason: string; data?: Hex }

const revertCode = 3
const words = /\brevert(?:ed)?\b|vm exception|vm execution error|invalid opcode|\binvalid jump\b/i
const prefix = /^.*?\b(?:execution reverted|reverted|revert)\b:?\s*/i
const hex = /0x(?:[0-9a-fA-F]{2})*$/

/**
 * Recognises a revert among a node's refusals, whose dialects differ: code 3 with the data in `data`, the data one or two
 * levels deeper, "Reverted 0x…" as text, or a message alone. `undefined`: the node refused, not the contract.
 */
export function revertOf({ code, message, data }: JsonRpcRefusal): Revert | undefined {
  const bytes = revertData(data, 0)
  const isRevert = code === revertCode || words.test(message) || (bytes !== undefined && bytes !== '0x')
  if (!isRevert) return undefined
  if (bytes !== undefined && bytes !== '0x') return { reason: decodeRevert(bytes), data: bytes }
  // What is no text comes here as spaces, or as the sign for a character that cannot be read.
  const stated = message.replace(prefix, '').replace(/^[\s\ufffd].*/s, '')
  const reason = stated === '' ? 'execution reverted' : shortened(stated)
  return bytes === undefined ? { reason } : { reason, data: bytes }
}

function revertData(data: unknown, depth: number): Hex | undefined {
  if (typeof data === 'string') return hex.exec(data)?.[0].toLowerCase() as Hex | undefined
  if (typeof data !== 'object' || data === null || depth > 2) return undefined
  for (const name of ['data', 'result', 'output', 'originalError', 'revertData'] as const) {
    const found = revertData((data as Record<string, unknown>)[name], depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}
