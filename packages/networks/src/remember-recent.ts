import { toHex } from './codec/hex.ts'

/**
 * A pure function of bytes that keeps up to `max` answers, then starts anew: what costs a curve's arithmetic or a hash is asked
 * again and again for the same keys and addresses, in any order. Nobody may change an answer.
 */
export function rememberRecent<answer>(
  compute: (bytes: Uint8Array) => answer,
  max: number,
): (bytes: Uint8Array) => answer {
  const answers = new Map<string, answer>()
  return (bytes) => {
    const key = toHex(bytes)
    const known = answers.get(key)
    if (known !== undefined) return known
    if (answers.size === max) answers.clear()
    const answer = compute(bytes)
    answers.set(key, answer)
    return answer
  }
}
