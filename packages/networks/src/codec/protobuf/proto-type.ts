/** How a value stands in the bytes; numbers are never negative: nothing that we sign has negative ones. */
export type ProtoKind = 'text' | 'bytes' | 'u64' | 'i64' | 'u32' | 'bool' | 'message'

/**
 * The type of a field, read as `value`; `absent` is what it reads as where it is not in the bytes. `number` is its
 * own where fields are not numbered in their order, `isJson` says that bytes are a JSON text.
 */
export type ProtoType<value> = {
  readonly kind: ProtoKind
  readonly isList: boolean
  readonly absent: value
  readonly schema?: ProtoSchema<unknown>
  /** The most items of a list. */
  readonly itemsMax?: number
  readonly number?: number
  readonly isJson?: true
}

/** The fields of a message by name, in the order of their numbers. */
export type ProtoShape = Readonly<Record<string, ProtoType<unknown>>>

/** What a message of a shape reads as. */
export type ProtoMessage<shape extends ProtoShape> = {
  readonly [name in keyof shape]: shape[name] extends ProtoType<infer value> ? value : never
}

/** A field with its name and number. */
export type ProtoField = ProtoType<unknown> & { readonly name: string; readonly number: number }

/** A message type; `message` is only there for the compiler. */
export type ProtoSchema<message> = {
  readonly fields: readonly ProtoField[]
  readonly byNumber: ReadonlyMap<number, ProtoField>
  readonly message?: message
}

/** UTF-8. */
export const text: ProtoType<string> = { kind: 'text', isList: false, absent: '' }
/** Bytes as they are. */
export const bytes: ProtoType<Uint8Array> = { kind: 'bytes', isList: false, absent: new Uint8Array(0) }
/** Bytes that are a JSON text. */
export const json: ProtoType<Uint8Array> = { ...bytes, isJson: true }
/** Below 2^64. */
export const u64: ProtoType<bigint> = { kind: 'u64', isList: false, absent: 0n }
/** An int64 that is not negative. */
export const i64: ProtoType<bigint> = { kind: 'i64', isList: false, absent: 0n }
/** An int32, uint32 or enum below 2^31. */
export const u32: ProtoType<bigint> = { kind: 'u32', isList: false, absent: 0n }
/** True or absent. */
export const bool: ProtoType<boolean> = { kind: 'bool', isList: false, absent: false }

/** A message within a message, `undefined` where it is absent; it can be there and empty. */
export function embedded<message>(schema: ProtoSchema<message>): ProtoType<message | undefined> {
  return { kind: 'message', isList: false, absent: undefined, schema: schema as ProtoSchema<unknown> }
}

/** A message within a message that nobody looks into, as its bytes; `undefined` where it is absent. */
export const opaque: ProtoType<Uint8Array | undefined> = { kind: 'message', isList: false, absent: undefined }

/** More than any transaction has of anything. */
const anyListMax = 4_096

/** A repeated text, byte string or message, at most `itemsMax` times. */
export function list<value>(
  item: ProtoType<value>,
  itemsMax: number = anyListMax,
): ProtoType<readonly Exclude<value, undefined>[]> {
  return { ...item, isList: true, absent: [], itemsMax }
}

/** A field with a number of its own; those behind it count on from there. */
export function at<value>(number: number, type: ProtoType<value>): ProtoType<value> {
  return { ...type, number }
}

/** The message type of a shape; fields are numbered in order from 1 but for those with a number of their own. */
export function protoSchema<const shape extends ProtoShape>(shape: shape): ProtoSchema<ProtoMessage<shape>> {
  let last = 0
  const fields = Object.entries(shape).map(([name, type]) => {
    last = type.number ?? last + 1
    return { ...type, name, number: last }
  })
  return { fields, byNumber: new Map(fields.map((field) => [field.number, field])) }
}
