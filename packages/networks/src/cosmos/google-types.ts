import { bytes, i64, protoSchema, text, u32 } from '../codec/protobuf/proto-type.ts'

/** google.protobuf.Any. */
export const anySchema = protoSchema({ type_url: text, value: bytes })

/** google.protobuf.Timestamp. */
export const timestampSchema = protoSchema({ seconds: i64, nanos: u32 })

/** google.protobuf.Duration. */
export const durationSchema = protoSchema({ seconds: i64, nanos: u32 })
