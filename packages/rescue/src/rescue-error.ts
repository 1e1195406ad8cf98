/** Why nothing was rebuilt; what is said of it is in `messages`, and never holds any of a share. */
export type RescueErrorCode = keyof typeof messages

const messages = {
  not_a_share: 'This is no share: a share is base64 of 33 bytes, or a share file.',
  zero_index: 'This share has the index 0. Such a share is forged: it would choose the key by itself.',
  wrong_index: 'The share file names another index than its share has.',
  equal_index: 'Both shares have the same index: this is one share twice, or the shares of two wallets.',
  different_wallets: 'The shares are of different wallets.',
  different_curves: 'The shares are of different curves.',
  different_versions:
    'The shares are of different versions: the key was split anew between them. Find two of one version.',
  curve_needed: 'The shares do not say their curve. Give the curve, or the address of the wallet.',
  not_an_address: 'That is no address.',
  not_a_public_key: 'This is no public key.',
  wrong_key:
    'The shares do not give the key of this wallet: at least one of them is of another wallet or version.',
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
