/** Why no key was rebuilt. Its text is in `messages` and never contains any of a share. */
export type RescueErrorCode = keyof typeof messages

const messages = {
  not_a_share: 'This is not a share: a share is 33 bytes in base64, or a share file.',
  zero_index: 'This share has the index 0. It is forged: it would determine the key on its own.',
  wrong_index: 'The index in the share file does not match its share.',
  equal_index: 'Both shares have the same index: you gave one share twice, or shares of two wallets.',
  different_wallets: 'The shares belong to different wallets.',
  different_curves: 'The shares belong to different curves.',
  different_versions:
    'The shares have different versions: the key was split again between them. Find two shares of the same version.',
  curve_needed: 'The shares do not name their curve. Give the curve, or the address of the wallet.',
  not_an_address: 'This is not an address.',
  not_a_public_key: 'This is not a public key.',
  wrong_key:
    'The shares do not rebuild the key of this wallet: at least one belongs to another wallet or version.',
} as const

/** Thrown where shares are malformed, do not belong together, or give another key than expected. */
export class RescueError extends Error {
  override name = 'RescueError'
  readonly code: RescueErrorCode

  constructor(code: RescueErrorCode) {
    super(messages[code])
    this.code = code
  }
}
