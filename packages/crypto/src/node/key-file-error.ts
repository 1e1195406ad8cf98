/** Why a key file cannot be used. */
export type KeyFileErrorCode = 'missing' | 'unavailable' | 'permissions' | 'malformed' | 'replaced' | 'locked'

const messages: Record<KeyFileErrorCode, string> = {
  missing: 'There is no key file here. Put the right file back.',
  unavailable: 'The key file cannot be read or written.',
  permissions: 'The key file must be a regular file that only its owner can read (mode 0600).',
  malformed: 'The key file is not in the format that this program writes, or holds foreign purposes.',
  replaced: 'The key file lost or changed keys that are in use. Put the right file back.',
  locked: 'Another process is changing the key file. Try again.',
}

/** The error of the key file; carries the path and the system's cause, never key bytes. */
export class KeyFileError extends Error {
  override name = 'KeyFileError'
  readonly code: KeyFileErrorCode
  readonly path: string

  constructor(code: KeyFileErrorCode, path: string, cause?: unknown) {
    super(messages[code], { cause })
    this.code = code
    this.path = path
  }
}
