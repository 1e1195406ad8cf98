import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { createPrivateFile, KeyFileError, readPrivateFile } from '@symbolon/crypto/node'
import * as z from 'zod'

const secret = z.base64().refine((text) => Buffer.from(text, 'base64').length === 32, '32 bytes in base64')
const File = z.strictObject({
  format: z.literal(1),
  pepper: secret,
  user_tokens: z
    .array(z.strictObject({ kid: z.string().min(1).max(32), secret }))
    .min(1)
    .max(8),
})

/** The secrets file cannot be used. The message names it, and no secret. */
export class SecretsFileError extends Error {}

/** The service's own secrets: `pepper` keys the hashes of keys and codes, `masters` sign user tokens, the first one new ones. */
export type Secrets = { pepper: KeyObject; masters: { kid: string; secret: KeyObject }[] }

/**
 * Reads the secrets file (mode 0600), making it with fresh secrets when there is none; of several processes one writes.
 * Every process of an installation needs the same file: without it no key and no token is recognised. Throws `SecretsFileError`, whatever is
 * wrong with the file.
 */
export function openSecretsFile(path: string): Secrets {
  const text = asSecretsFile(path, () => readPrivateFile(path) ?? create(path))
  let file: z.output<typeof File>
  try {
    file = File.parse(JSON.parse(text))
  } catch {
    // The parser's message could quote a secret.
    throw new SecretsFileError(`The secrets file ${path} is damaged. Restore it from a backup.`)
  }
  const key = (encoded: string) => createSecretKey(Buffer.from(encoded, 'base64'))
  return {
    pepper: key(file.pepper),
    masters: file.user_tokens.map(({ kid, secret: encoded }) => ({ kid, secret: key(encoded) })),
  }
}

function create(path: string): string {
  const fresh = () => randomBytes(32).toString('base64')
  const file: z.output<typeof File> = {
    format: 1,
    pepper: fresh(),
    user_tokens: [{ kid: randomBytes(6).toString('base64url'), secret: fresh() }],
  }
  createPrivateFile(path, `${JSON.stringify(file, null, 2)}\n`)
  const text = readPrivateFile(path)
  if (text === undefined)
    throw new SecretsFileError(`The secrets file ${path} vanished while it was created.`)
  return text
}

/** Turns errors of the file system and of `readPrivateFile` into a `SecretsFileError` that names the secrets file. */
function asSecretsFile<result>(path: string, use: () => result): result {
  try {
    return use()
  } catch (error) {
    if (error instanceof SecretsFileError) throw error
    if (error instanceof KeyFileError && error.code === 'permissions')
      throw new SecretsFileError(
        `The secrets file ${path} must be a regular file that only its owner can read (mode 0600).`,
        { cause: error },
      )
    const { code } = error as NodeJS.ErrnoException
    if (typeof code !== 'string') throw error
    throw new SecretsFileError(`The secrets file ${path} cannot be read or written (${code}).`, {
      cause: error,
    })
  }
}
