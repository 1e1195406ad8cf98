import { isSameBytes } from './codec/same-bytes.ts'

/**
 * A pure function that keeps its last answer: one signature asks for the same key's point, or the same transaction's
 * fields, several times in a row. Bytes among the inputs are compared by value and copied, so that no later change of
 * them counts; the rest is compared by identity. Nobody may change an answer.
 */
export function rememberLast<inputs extends readonly unknown[], answer>(
  compute: (...inputs: inputs) => answer,
): (...inputs: inputs) => answer {
  let last: { inputs: inputs; answer: answer } | undefined
  return (...inputs) => {
    if (!last?.inputs.every((input, index) => isSame(input, inputs[index]))) {
      // Not `slice()`: that of Node's Buffer copies nothing, and the answer would outlive its question.
      const copies = inputs.map((input) => (input instanceof Uint8Array ? new Uint8Array(input) : input))
      last = { inputs: copies as unknown as inputs, answer: compute(...(copies as unknown as inputs)) }
    }
    return last.answer
  }
}

function isSame(a: unknown, b: unknown): boolean {
  return a instanceof Uint8Array && b instanceof Uint8Array ? isSameBytes(a, b) : a === b
}
