/** First byte of an encoded intent; another value is another format. */
export const intentVersion = 1

/**
 * Second byte of an encoded intent: the place of its kind in this list; typed data for a smart account and amino JSON
 * documents are kinds of their own.
 */
export const intentKinds = [
  'message',
  'typed_data',
  'transaction',
  'hash',
  'user_operation',
  'authorization',
  'smart_account_typed_data',
  'amino_transaction',
] as const

/** Which optional fields a message carries, one bit each, in the order in which they are written. */
export const messageFlags = {
  raw: 1,
  applicationDomain: 2,
  nonceText: 4,
  nonceBytes: 8,
  recipient: 16,
  callbackUrl: 32,
  smartAccount: 64,
} as const
