import { isObject } from './audit-line.ts'

/** A route's answer, in the API's envelope or out of it. */
export type ApiAnswer<data> = data | { readonly data: data | null; readonly error?: unknown }

const kinds = {
  number: (value: unknown) => typeof value === 'number',
  text: (value: unknown) => typeof value === 'string',
  texts: (value: unknown) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
}

/**
 * The content of an answer, out of its envelope. Throws a `TypeError` for an answer that is an error, and where a field of `shape`
 * is missing or of another kind: somebody passed the wrong thing, which says nothing about the log.
 */
export function answerData<data>(
  answer: ApiAnswer<data>,
  name: string,
  shape: { readonly [field in keyof data]: keyof typeof kinds },
): data {
  const isEnvelope = isObject(answer) && 'data' in answer
  const data: unknown = isEnvelope ? answer['data'] : answer
  if (isEnvelope && data === null && isObject(answer['error']))
    throw new TypeError(`${name}: this is an error of the API (${answer['error']['code']}), not its answer.`)
  if (!isObject(data)) throw new TypeError(`${name}: this is not an answer of the API.`)
  for (const [field, kind] of Object.entries<keyof typeof kinds>(shape))
    if (!kinds[kind](data[field]))
      throw new TypeError(
        `${name}: this is not an answer of the API, its ${field} is missing or of another type.`,
      )
  return data as data
}
