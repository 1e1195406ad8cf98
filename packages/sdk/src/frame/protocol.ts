import type {
  messageBytesMax as frameBytesMax,
  protocolVersion as frameVersion,
} from '@symbolon/iframe/protocol'

/** The version this SDK speaks: the frame's own, or the types do not fit. */
export const protocolVersion: typeof frameVersion = 1

/** The largest message that the frame takes, in UTF-8 bytes of its JSON. */
export const messageBytesMax: typeof frameBytesMax = 262_144
