import { KmsError } from '../../ports/kms.ts'
import type { Attribute, Handle, Mechanism, Pkcs11, Pkcs11Module } from './pkcs11-module.ts'

/** Where the token is, and what opens it. */
export type TokenConfig = {
  /** The library of the token's maker. */
  modulePath: string
  /** Label of the token. */
  token: string
  pin: string
}

/** A logged-in session. One call at a time uses it: PKCS#11 keeps the state of an operation in its session. */
export type TokenSession = {
  find(template: Attribute[], attributes: number[]): { handle: Handle; values: Buffer[] }[]
  encrypt(mechanism: Mechanism, key: Handle, input: Buffer, outputMax: number): Promise<Buffer>
  decrypt(mechanism: Mechanism, key: Handle, input: Buffer, outputMax: number): Promise<Buffer>
  generate(mechanism: Mechanism, template: Attribute[]): Promise<void>
}

/** Runs work in the session, one after another, and opens another session after one whose work failed with anything but `KmsError`. */
export type Token = <result>(work: (session: TokenSession) => Promise<result> | result) => Promise<result>

const objectsMax = 64
const labelPadding = /[\s\0]+$/

/**
 * Opens the token when it is first used. Work rejects with what the library says. A refused PIN is never sent again: a few more would lock the
 * token.
 */
export function openToken(module: Pkcs11Module, config: TokenConfig): Token {
  const library = new module.PKCS11()
  let isLoaded = false
  let session: Handle | undefined
  let refusal: unknown
  let turn: Promise<unknown> = Promise.resolve()

  function open(): Handle {
    if (refusal !== undefined) throw refusal
    if (!isLoaded) {
      library.load(config.modulePath)
      tolerating(alreadyInitialized, () => library.C_Initialize())
      isLoaded = true
    }
    const slot = library
      .C_GetSlotList(true)
      .find((one) => library.C_GetTokenInfo(one).label.replace(labelPadding, '') === config.token)
    if (slot === undefined) throw new Error(`There is no token ${config.token}.`)
    const opened = library.C_OpenSession(slot, module.CKF_SERIAL_SESSION | module.CKF_RW_SESSION)
    try {
      tolerating(alreadyLoggedIn, () => library.C_Login(opened, module.CKU_USER, config.pin))
    } catch (error) {
      if (isPinRefused(error)) refusal = error
      library.C_CloseSession(opened)
      throw error
    }
    return opened
  }

  function drop(): void {
    if (session === undefined) return
    try {
      library.C_CloseSession(session)
    } catch {
      // The token is gone, and the session with it.
    }
    session = undefined
  }

  async function run<result>(work: (session: TokenSession) => Promise<result> | result): Promise<result> {
    session ??= open()
    try {
      return await work(sessionOf(library, session))
    } catch (error) {
      if (!(error instanceof KmsError)) drop()
      throw error
    }
  }

  return (work) => {
    const done = turn.then(() => run(work))
    turn = done.catch(() => undefined)
    return done
  }
}

/** `CKR_CRYPTOKI_ALREADY_INITIALIZED`: something else in this process uses the library. */
const alreadyInitialized = 0x191
/** `CKR_USER_ALREADY_LOGGED_IN`: a login is the whole process's. */
const alreadyLoggedIn = 0x100

/** `CKR_PIN_INCORRECT` to `CKR_PIN_LOCKED`. */
const isPinRefused = (error: unknown) =>
  error instanceof Error && 'code' in error && Number(error.code) >= 0xa0 && Number(error.code) <= 0xa4

function tolerating(code: number, action: () => void): void {
  try {
    action()
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === code)) throw error
  }
}

function sessionOf(library: Pkcs11, session: Handle): TokenSession {
  return {
    find(template, attributes) {
      library.C_FindObjectsInit(session, template)
      try {
        return library.C_FindObjects(session, objectsMax).map((handle) => ({
          handle,
          values: library
            .C_GetAttributeValue(
              session,
              handle,
              attributes.map((type) => ({ type })),
            )
            .map(({ value }) => value),
        }))
      } finally {
        library.C_FindObjectsFinal(session)
      }
    },
    encrypt(mechanism, key, input, outputMax) {
      library.C_EncryptInit(session, mechanism, key)
      return library.C_EncryptAsync(session, input, Buffer.alloc(outputMax))
    },
    decrypt(mechanism, key, input, outputMax) {
      library.C_DecryptInit(session, mechanism, key)
      return library.C_DecryptAsync(session, input, Buffer.alloc(outputMax))
    },
    async generate(mechanism, template) {
      await library.C_GenerateKeyAsync(session, mechanism, template)
    },
  }
}
