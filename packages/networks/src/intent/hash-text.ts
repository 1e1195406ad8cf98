/** Whether a message is the text of a hash, 64 hex digits with or without 0x: some signers take it for the bytes. */
export function isHashText(message: Uint8Array): boolean {
  // White space around it does not count, but a long message is none.
  return message.length < 99 && /^\s*(0x)?[\da-f]{64}\s*$/i.test(String.fromCharCode(...message))
}
