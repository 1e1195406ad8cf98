import { NetworkError, type StoredOperation } from '@symbolon/networks'

/** The stored operation of its JSON, a closed form: `{chain, operation}`, every field of the operation a text. Throws `NetworkError`. */
export function storedOperation(json: string): StoredOperation {
  const value = parse(json)
  const { chain, operation, ...rest } = isRecord(value) ? value : {}
  if (typeof chain !== 'string' || !isRecord(operation) || Object.keys(rest).length > 0) throw malformed()
  const fields: Record<string, string> = Object.create(null)
  for (const [name, field] of Object.entries(operation)) {
    if (typeof field !== 'string') throw malformed()
    fields[name] = field
  }
  return { chain, operation: fields }
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    throw malformed()
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const malformed = () => new NetworkError('invalid_payload', 'The operation is malformed.')
